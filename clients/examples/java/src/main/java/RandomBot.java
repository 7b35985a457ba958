import com.google.protobuf.ByteString;
import dev.edgehill.v1.*;
import io.grpc.Channel;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Plays matches with random actions, each over a PlaySeats stream. */
record RandomBot(Channel channel) {
    /** Plays a match of a game to its end. */
    MatchResult play(String game) throws Exception {
        var stream = MatchServiceGrpc.newBlockingV2Stub(channel).playSeats();
        var open = PlaySeatsRequest.Open.newBuilder().setSeatToken(takeSeat(game)).setOmitEvents(true);
        stream.write(PlaySeatsRequest.newBuilder().setOpen(open).build());
        var result = MatchResult.getDefaultInstance();
        for (int sent = 0; ; ) {
            var message = stream.read();
            if (message.hasRefusal()) throw refused(message.getRefusal());
            if (message.getClosed().hasRefusal()) throw refused(message.getClosed().getRefusal());
            if (message.hasClosed()) return result;
            var update = message.getUpdate();
            if (update.hasState()) result = update.getState().getResult();
            if (update.hasLegalActions()) {
                var call = PlaySeatsRequest.newBuilder().setRequestId(Integer.toString(++sent));
                stream.write(call.setApply(anyOf(update.getLegalActions().getIdsList())).build());
            }
        }
    }

    /** Makes a match and takes its first seat; the house bot `random` has the others. Returns the seat's token. */
    private String takeSeat(String game) throws Exception {
        var catalog = CatalogServiceGrpc.newBlockingV2Stub(channel);
        var found = catalog.getGame(GetGameRequest.newBuilder().setGame(game).build()).getGame();
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        var secret = ByteString.copyFrom(bytes); // it makes request ids this bot's own
        var create = CreateMatchRequest.newBuilder().setRequestId("create").setClientSecret(secret).setGame(game);
        create.addSeats(SeatConfig.newBuilder().setKind(SeatKind.SEAT_KIND_OPEN));
        for (int seat = 1; seat < found.getScenarios(0).getSeats(); seat++) {
            create.addSeats(SeatConfig.newBuilder().setKind(SeatKind.SEAT_KIND_HOUSE_BOT).setBot("random"));
        }
        var matches = MatchServiceGrpc.newBlockingV2Stub(channel);
        var match = matches.createMatch(create.build()).getMatch().getConfig().getMatchId();
        var join = JoinMatchRequest.newBuilder().setRequestId("join").setClientSecret(secret).setMatchId(match);
        return matches.joinMatch(join.build()).getSeatToken();
    }

    private static ActionBatch anyOf(List<Integer> ids) {
        var chosen = ActionList.Ids.newBuilder().addValues(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
        return ActionBatch.newBuilder().setActions(ActionList.newBuilder().setIds(chosen)).build();
    }

    private static IllegalStateException refused(Refusal refusal) {
        return new IllegalStateException(refusal.getReason() + ": " + refusal.getMessage());
    }
}
