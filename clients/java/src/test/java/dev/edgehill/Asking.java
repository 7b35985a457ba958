package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Assertions and steps that several suites have in common. */
final class Asking {
    private Asking() {}

    /** Both seats of a match. */
    record Pair(Seat north, Seat south) {
        List<Seat> all() {
            return List.of(north, south);
        }
    }

    /** Expects a refusal of this reason, and returns it. */
    static Refused refused(String reason, Executable call) {
        Refused refused = assertThrows(Refused.class, call);
        assertEquals(reason, refused.reasonName(), refused.getMessage());
        assertEquals("ERROR_REASON_" + reason, refused.reason().name());
        return refused;
    }

    /** Takes both seats of a match that begins with this. */
    static Pair bothSeats(Client client) {
        String matchId = create(client);
        return new Pair(client.join(matchId), client.join(matchId));
    }

    /** Makes a match of the specimen, and returns its id. */
    static String create(Client client) {
        return client.create("skirmish").getMatch().getConfig().getMatchId();
    }

    /** Returns the first action that the seat may take. */
    static int firstLegal(Seat seat) {
        return seat.legal().getLegalActions().getIds(0);
    }

    /** Reads a stream to its end. */
    static <T> List<T> all(Iterator<T> stream) {
        List<T> items = new ArrayList<>();
        stream.forEachRemaining(items::add);
        return items;
    }
}
