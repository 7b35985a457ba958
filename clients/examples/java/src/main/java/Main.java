import dev.edgehill.v1.CatalogServiceGrpc;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.ListGamesRequest;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import java.util.List;

/** Plays the game that is named, or every game of the server. */
final class Main {
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: Main HOST:PORT GAME|all");
            System.exit(2);
        }
        var channel = Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
        try {
            for (var game : args[1].equals("all") ? games(channel) : List.of(args[1])) {
                var result = new RandomBot(channel).play(game);
                System.out.printf("%s: %s, returns %s%n", game, result.getCode(), result.getReturnsList());
            }
        } finally {
            channel.shutdownNow();
        }
    }

    private static List<String> games(Channel channel) throws Exception {
        var list = CatalogServiceGrpc.newBlockingV2Stub(channel).listGames(ListGamesRequest.getDefaultInstance());
        return list.getGamesList().stream().map(GameSummary::getId).toList();
    }
}
