package dev.edgehill;

import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.edgehill.v1.Act;
import dev.edgehill.v1.ActKind;
import dev.edgehill.v1.CreateMatchRequest;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.Termination;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acts of a referee on matches of others: time, players, adjournments, results. */
class RefereeTest {
    @TempDir
    static Path folder;

    static TestServer server;
    static Client ben;
    static Client chief;
    static Client umpire;

    @BeforeAll
    static void start() {
        Accounts accounts = new Accounts(folder)
                .with("ben", "player")
                .with("chief", "operator")
                .with("umpire", "referee");
        server = accounts.serve();
        ben = Client.builder(server.address()).key(accounts.key("ben")).build();
        chief = Client.builder(server.address()).key(accounts.key("chief")).build();
        umpire = Client.builder(server.address()).key(accounts.key("umpire")).build();
    }

    @AfterAll
    static void close() {
        ben.close();
        chief.close();
        umpire.close();
        server.close();
    }

    private static String match(Consumer<CreateMatchRequest.Builder> terms) {
        return ben.create("skirmish", terms).getMatch().getConfig().getMatchId();
    }

    @Test
    void playerIsReplacedAndResultCorrected() {
        Referee referee = umpire.referee();
        String matchId = match(terms -> {});
        ben.join(matchId, join -> join.setPlayer("Ann"));
        Seat south = ben.join(matchId, join -> join.setPlayer("Ben"));
        refused("NO_CLOCKS", () -> referee.addMatchTime(matchId, 0, Duration.ofMinutes(5)));
        refused("NO_CLOCKS", () -> referee.adjournMatch(matchId, Duration.ofMinutes(1)));
        refused("UNKNOWN_MATCH", () -> referee.endAdjournment("00000000-0000-0000-0000-000000000000"));
        refused("MATCH_RUNNING", () -> referee.correctMatchResult(matchId, List.of(0, 0), "too soon"));
        var opened = referee.replaceMatchPlayer(
                matchId, 1, request -> request.setPlayer("Cat").setReason("ill"));
        assertFalse(opened.getMatch().getState().getSeats(1).getJoined());
        refused("BAD_TOKEN", south::resign);
        ben.join(matchId, join -> join.setInvitation(opened.getInvitation())).resign();
        var state = referee.correctMatchResult(matchId, List.of(0, 0), "they had agreed on a draw")
                .getState();
        assertEquals(List.of(1, -1), state.getResult().getReturnsList());
        assertEquals(List.of(0, 0), state.getCorrectedReturnsList());
        List<String> kinds = RecordVerifier.verifyRecord(ben.record(matchId).text()).record().refereeActs().stream()
                .map(RefereeActLine::kind)
                .toList();
        assertEquals(List.of("replaced", "corrected"), kinds);
    }

    @Test
    void timeIsAddedMatchIsAdjournedAndVoided() {
        Referee referee = umpire.referee();
        String matchId = match(terms -> terms.getClockBuilder().getBankBuilder().setSeconds(600));
        Seat north = ben.join(matchId);
        ben.join(matchId);
        for (int time = 0; time < 2; time++) {
            // It happens once.
            Match added = referee.addMatchTime(
                    matchId,
                    0,
                    Duration.ofHours(1),
                    request -> request.setReason("the bell rang").setRequestId("bell"));
            assertEquals(4_200, added.getState().getClocks(0).getBank().getSeconds());
        }
        refused("NOT_ADJOURNED", () -> referee.endAdjournment(matchId));
        Match adjourned = referee.adjournMatch(matchId, Duration.ofMinutes(1), request -> request.setReason("a fire"));
        assertTrue(adjourned.getState().getAdjournment().getByReferee());
        refused("ADJOURNED", north::resume);
        assertFalse(umpire.async()
                .referee()
                .endAdjournment(matchId)
                .join()
                .getState()
                .hasAdjournment());
        Match voided = referee.voidMatch(matchId, "a fire");
        assertEquals(Termination.TERMINATION_VOID, voided.getState().getResult().getTermination());
        refused("MATCH_FINISHED", () -> referee.voidMatch(matchId, "a fire"));
        List<ActKind> kinds = chief.admin()
                .acts("umpire")
                .filter(act -> act.getMatchId().equals(matchId))
                .map(Act::getKind)
                .toList();
        assertEquals(
                List.of(
                        ActKind.ACT_KIND_TIME_ADDED,
                        ActKind.ACT_KIND_MATCH_ADJOURNED,
                        ActKind.ACT_KIND_ADJOURNMENT_ENDED,
                        ActKind.ACT_KIND_MATCH_VOIDED),
                kinds);
    }
}
