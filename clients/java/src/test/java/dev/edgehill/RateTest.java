package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that asks faster than a server lets it. */
class RateTest {
    private static final int MATCHES = 12;

    /** Lets a caller make a few calls at once, and then forty a second. */
    @RegisterExtension
    static final TestServer SERVER =
            new TestServer(Map.of("EDGEHILL_CAPACITY__CALLS_PER_SECOND", "40", "EDGEHILL_CAPACITY__CALLS_BURST", "5"));

    @Test
    void moreSeatsAndCallsAtOnceThanACallerMayMakeWaitTheirTurnOnOneStream() {
        try (Client client = SERVER.client();
                PlaySession session = client.playSeats()) {
            List<Seat> seats = new ArrayList<>();
            for (int match = 0; match < MATCHES; match++) {
                seats.addAll(Asking.bothSeats(client).all());
            }
            List<PlayedSeat> played = seats.stream().map(session::open).toList();
            Set<Integer> acted = new HashSet<>();
            while (acted.size() < seats.size()) {
                PlayEvent news = session.next();
                assertTrue(news.refused().isEmpty());
                PlayedSeat seat = news.seat();
                if (news.legal().isPresent() && !acted.contains(seat.channel())) {
                    seat.apply(Actions.id(news.legal().get().getIds(0)));
                }
                if (news.applyResult().isPresent()) {
                    acted.add(seat.channel());
                }
            }
            // The call that opens the stream may come too fast as well.
            assertTrue(session.connections() <= 3);
            assertEquals(
                    seats.stream().map(Seat::number).toList(),
                    played.stream().map(PlayedSeat::number).toList());
        }
    }
}
