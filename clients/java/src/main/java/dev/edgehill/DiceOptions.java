package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.Event;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The things that were written down while a match ran, and how its game draws, for {@link DiceVerifier#verifyDice}.
 *
 * @param entropies one's own entropies, by seat
 * @param events the events that one has seen; each draw that they rest on has to be in the record
 * @param sides the sides of the dice that the game rolls
 * @param bags for a stream, the ids of the cards that its bag begins with, each at the place that is its number, and
 *     {@code ""} for others
 * @param signingKeys the public keys of the server, with one of which the record has to be signed; empty: none is named
 */
public record DiceOptions(
        Map<Integer, ByteString> entropies,
        List<Event> events,
        int sides,
        Map<Long, List<String>> bags,
        Optional<Collection<ByteString>> signingKeys) {
    /** Nothing that was written down, and dice of six sides. */
    public static final DiceOptions NONE = new DiceOptions(Map.of(), List.of(), 6, Map.of(), Optional.empty());

    /** Returns these options with one's own entropies, by seat. */
    public DiceOptions withEntropies(Map<Integer, ByteString> given) {
        return new DiceOptions(Map.copyOf(given), events, sides, bags, signingKeys);
    }

    /** Returns these options with the events that one has seen. */
    public DiceOptions withEvents(List<Event> seen) {
        return new DiceOptions(entropies, List.copyOf(seen), sides, bags, signingKeys);
    }

    /** Returns these options with dice of another number of sides. */
    public DiceOptions withSides(int number) {
        return new DiceOptions(entropies, events, number, bags, signingKeys);
    }

    /** Returns these options with the bags that the game draws from. */
    public DiceOptions withBags(Map<Long, List<String>> given) {
        return new DiceOptions(entropies, events, sides, Map.copyOf(given), signingKeys);
    }

    /** Returns these options with the public keys of the server ({@link Client#signingKeys}). */
    public DiceOptions withSigningKeys(Collection<ByteString> keys) {
        return new DiceOptions(entropies, events, sides, bags, Optional.of(List.copyOf(keys)));
    }
}
