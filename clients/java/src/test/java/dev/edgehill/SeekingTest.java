package dev.edgehill;

import static dev.edgehill.Asking.all;
import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.edgehill.v1.ClockConfig;
import dev.edgehill.v1.PairedSeat;
import dev.edgehill.v1.SeekCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Seeking somebody to play with, also through connections that break. */
class SeekingTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    static Client client;
    static Client other;

    @BeforeAll
    static void connect() {
        client = SERVER.client();
        other = SERVER.client();
    }

    @AfterAll
    static void close() {
        client.close();
        other.close();
    }

    @Test
    void twoWhoSeekTheSamePlayEachOther() {
        ClockConfig clock = ClockConfig.newBuilder()
                .setBank(Durations.of(Duration.ofMinutes(10)))
                .build();
        Seek south = client.seek(
                "skirmish", terms -> terms.setSeat(1).setClock(clock).setWait(Durations.of(Duration.ofMinutes(1))));
        SeekCount first = south.next();
        assertEquals(1, first.getSameTerms());
        assertEquals(1, first.getSameGame());
        PairedSeat found =
                other.seek("skirmish", terms -> terms.setClock(clock)).paired();
        PairedSeat paired = south.paired();
        assertEquals(List.of(1, 0), List.of(paired.getSeat(), found.getSeat()));
        String matchId = paired.getMatch().getConfig().getMatchId();
        assertEquals(matchId, found.getMatch().getConfig().getMatchId());
        assertNotEquals(paired.getInvitation(), found.getInvitation());
        Map.of(client, paired, other, found).forEach((who, seat) -> {
            Seat taken = who.join(matchId, join -> join.setSeat(seat.getSeat()).setInvitation(seat.getInvitation()));
            assertEquals(seat.getSeat(), taken.number().orElseThrow());
            assertEquals(32, taken.entropy().orElseThrow().size());
        });
    }

    @Test
    void requestThatWasPairedLeadsToTheSameSeat() {
        Seek first = client.seek("skirmish", terms -> terms.setRequestId("mine"));
        first.next();
        other.seek("skirmish").paired();
        PairedSeat paired = first.paired();
        PairedSeat again =
                client.seek("skirmish", terms -> terms.setRequestId("mine")).paired();
        assertEquals(paired.getInvitation(), again.getInvitation());
        refused(
                "REQUEST_ID_REUSED",
                () -> client.seek(
                                "skirmish", terms -> terms.setRequestId("mine").setSeat(0))
                        .paired());
    }

    @Test
    void seekThatFindsNobodyExpiresAndOneThatIsClosedIsTakenBack() {
        Duration soon = Duration.ofMillis(50);
        refused(
                "SEEK_EXPIRED",
                () -> client.seek("skirmish", terms -> terms.setWait(Durations.of(soon)))
                        .paired());
        refused("NO_OPPONENT", () -> client.seek("cruel-necessity").paired());
        Seek seek = client.seek("skirmish", terms -> terms.setSeat(0));
        seek.next();
        seek.close();
        assertEquals(List.of(), all(seek));
        assertTrue(seek.result().isEmpty());
        assertTrue(assertThrows(CallFailed.class, seek::paired).getMessage().contains("the seek is closed"));
    }

    @Test
    void seekGoesOnThroughARestart() {
        try (TestServer restarted = TestServer.started();
                Relay relay = new Relay(restarted.address());
                Client ada = relay.client();
                Client bob = relay.client()) {
            Seek seek = ada.seek("skirmish", terms -> terms.setSeat(0));
            seek.next();
            restarted.kill();
            restarted.start();
            relay.moveTo(restarted.address());
            // The next count is the new server's, where it is the only seek again.
            assertEquals(1, seek.next().getSameTerms());
            PairedSeat found = bob.seek("skirmish").paired();
            PairedSeat paired = seek.paired();
            assertEquals(List.of(0, 1), List.of(paired.getSeat(), found.getSeat()));
            assertEquals(found.getMatch().getConfig(), paired.getMatch().getConfig());
        }
    }
}
