package dev.edgehill;

import static dev.edgehill.Asking.refused;
import static dev.edgehill.SeatConfigs.accountSeat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.edgehill.v1.AdminServiceGrpc;
import dev.edgehill.v1.CompetitionServiceGrpc;
import dev.edgehill.v1.ListAccountsRequest;
import dev.edgehill.v1.ListCompetitionsRequest;
import dev.edgehill.v1.Termination;
import dev.edgehill.v1.WatchAccountResponse;
import dev.edgehill.v1.WatchCompetitionRequest;
import dev.edgehill.v1.WatchedMatch;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that asks for accounts: keys, seats that are kept for an account, all matches of an account, other services. */
class AccountsTest {
    @TempDir
    static Path folder;

    static TestServer server;
    static Accounts accounts;

    @BeforeAll
    static void start() {
        accounts =
                new Accounts(folder).with("ada", "player").with("ben", "player").with("olga", "operator");
        server = accounts.serve();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Client as(String id) {
        return Client.builder(server.address()).key(accounts.key(id)).build();
    }

    @Test
    void callerWithoutAKeyIsRefused() {
        try (Client client = server.client()) {
            refused("BAD_TOKEN", () -> client.create("skirmish"));
        }
    }

    @Test
    void accountIsToldHowItsMatchesStandBehindACutAsWell() {
        try (Relay relay = new Relay(server.address());
                Client host = as("ada");
                Client guest =
                        Client.builder(relay.address()).key(accounts.key("ben")).build()) {
            String matchId = host.create("skirmish", terms -> terms.addSeats(accountSeat("ben")))
                    .getMatch()
                    .getConfig()
                    .getMatchId();
            List<String> invited = guest.matches(request -> request.setInvited(true))
                    .map(match -> match.getConfig().getMatchId())
                    .toList();
            assertEquals(List.of(matchId), invited);
            AccountWatch watch = guest.watchAccount();
            until(watch, matchId, match -> match.getSeats(0).getIsInvited());
            guest.join(matchId);
            Seat south = host.join(matchId);
            WatchAccountResponse turn =
                    until(watch, matchId, match -> match.getSeats(0).getToAct());
            relay.cut();
            south.resign();
            until(
                    watch,
                    matchId,
                    match -> match.getMatch().getState().getResult().getTermination()
                            == Termination.TERMINATION_RESIGNATION);
            assertFalse(watch.cursor().isEmpty());
            watch.close();

            // From the cursor of before, the result comes again.
            try (AccountWatch later = guest.watchAccount(turn.getCursor())) {
                WatchAccountResponse told = later.next();
                assertEquals(matchId, told.getMatch().getMatch().getConfig().getMatchId());
                while (!told.getCaughtUp()) {
                    told = later.next();
                }
            }
        }
    }

    @Test
    void otherServicesAreCalledWithTheKey() {
        try (Client operator = as("olga");
                Client player = as("ben")) {
            var listed =
                    operator.call(AdminServiceGrpc.getListAccountsMethod(), ListAccountsRequest.getDefaultInstance());
            assertEquals(3, listed.getAccountsCount());
            refused(
                    "NOT_ALLOWED",
                    () -> player.call(
                            AdminServiceGrpc.getListAccountsMethod(), ListAccountsRequest.getDefaultInstance()));
            var competitions = CompetitionServiceGrpc.newBlockingStub(player.channel());
            assertEquals(
                    0,
                    competitions
                            .listCompetitions(ListCompetitionsRequest.getDefaultInstance())
                            .getCompetitionsCount());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> player.call(
                            CompetitionServiceGrpc.getWatchCompetitionMethod(),
                            WatchCompetitionRequest.getDefaultInstance()));
            assertNotEquals(player.requestId(), player.requestId());
            var admin = AdminServiceGrpc.newBlockingStub(player.channel());
            StatusRuntimeException thrown = assertThrows(
                    StatusRuntimeException.class, () -> admin.listAccounts(ListAccountsRequest.getDefaultInstance()));
            Refused refused = (Refused) EdgehillException.of(thrown).orElseThrow();
            assertEquals("NOT_ALLOWED", refused.reasonName());
        }
    }

    private static WatchAccountResponse until(AccountWatch watch, String matchId, Predicate<WatchedMatch> isSo) {
        while (true) {
            WatchAccountResponse response = watch.next();
            WatchedMatch match = response.getMatch();
            boolean isIt = match.getMatch().getConfig().getMatchId().equals(matchId);
            if (isIt && isSo.test(match)) {
                return response;
            }
        }
    }
}
