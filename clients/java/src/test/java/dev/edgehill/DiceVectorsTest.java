package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The vectors of the dice, whose fields docs/dice.md names. */
class DiceVectorsTest {
    private static final Vectors VECTORS = new Vectors(
            "engine/tests/data/dice_vectors.json",
            "edgehill-dice-vectors/1",
            "key_streams",
            "options_hashes",
            "commitments",
            "entropy_commitments",
            "seeds",
            "series",
            "rolls",
            "choices",
            "bags");
    private static final ByteString SEED = ByteString.copyFrom(new byte[32]);

    @TestFactory
    Stream<DynamicTest> keyStreams() {
        return VECTORS.each("key_streams", vector -> {
            KeyStream source = Dice.keyStream(bytes(vector, "seed"), number(vector, "stream"), number(vector, "n"));
            ByteString expected = bytes(vector, "bytes");
            for (int place = 0; place < expected.size(); place++) {
                assertEquals(Byte.toUnsignedInt(expected.byteAt(place)), source.nextByte());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> optionsHashes() {
        return VECTORS.each("options_hashes", vector -> {
            List<Dice.Option> options = new ArrayList<>();
            for (JsonElement option : vector.getAsJsonArray("options")) {
                JsonArray pair = option.getAsJsonArray();
                options.add(
                        new Dice.Option(pair.get(0).getAsString(), pair.get(1).getAsString()));
            }
            ByteString found = Dice.optionsHash(
                    bytes(vector, "salt"), text(vector, "scenario"), options, text(vector, "position"));
            assertEquals(bytes(vector, "options_hash"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> commitments() {
        return VECTORS.each("commitments", vector -> {
            Dice.Terms terms = new Dice.Terms(
                    text(vector, "id"),
                    text(vector, "game"),
                    text(vector, "rules_version"),
                    bytes(vector, "content_hash"),
                    bytes(vector, "options_hash"));
            assertEquals(bytes(vector, "commitment"), Dice.commitment(terms, bytes(vector, "server_seed")));
        });
    }

    @TestFactory
    Stream<DynamicTest> entropyCommitments() {
        return VECTORS.each("entropy_commitments", vector -> {
            int seat = (int) number(vector, "seat");
            ByteString found = Dice.entropyCommitment(text(vector, "id"), seat, bytes(vector, "entropy"));
            assertEquals(bytes(vector, "commitment"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> seeds() {
        return VECTORS.each("seeds", vector -> {
            List<ByteString> entropies = new ArrayList<>();
            for (JsonElement entropy : vector.getAsJsonArray("entropies")) {
                entropies.add(entropy.isJsonNull() ? SEED : Hashes.bytes(entropy.getAsString()));
            }
            ByteString found = Dice.matchSeed(text(vector, "id"), bytes(vector, "server_seed"), entropies);
            assertEquals(bytes(vector, "seed"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> series() {
        return VECTORS.each("series", vector -> {
            ByteString found =
                    Dice.seriesSeed(bytes(vector, "series_seed"), text(vector, "account"), number(vector, "n"));
            assertEquals(bytes(vector, "server_seed"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> rolls() {
        return VECTORS.each("rolls", vector -> {
            List<Integer> found = Dice.roll(
                    bytes(vector, "seed"),
                    number(vector, "stream"),
                    number(vector, "n"),
                    (int) number(vector, "dice"),
                    (int) number(vector, "sides"));
            assertEquals(integers(vector, "faces"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> choices() {
        return VECTORS.each("choices", vector -> {
            List<Long> weights = new ArrayList<>();
            for (JsonElement weight : vector.getAsJsonArray("weights")) {
                weights.add(weight.getAsLong());
            }
            int found = Dice.choice(bytes(vector, "seed"), number(vector, "stream"), number(vector, "n"), weights);
            assertEquals(number(vector, "index"), found);
        });
    }

    @TestFactory
    Stream<DynamicTest> bags() {
        return VECTORS.each("bags", vector -> {
            Set<Integer> left = new TreeSet<>(integers(vector, "cards"));
            for (int card : integers(vector, "order")) {
                assertEquals(
                        card, Dice.bag(bytes(vector, "seed"), number(vector, "stream"), number(vector, "epoch"), left));
                left.remove(card);
            }
            assertTrue(left.isEmpty());
        });
    }

    @Test
    void whatCannotBeDrawnIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Dice.roll(SEED, 0, 0, 129, 6));
        assertThrows(IllegalArgumentException.class, () -> Dice.roll(SEED, 0, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> Dice.choice(SEED, 0, 0, List.of(0L)));
        assertThrows(IllegalArgumentException.class, () -> Dice.choice(SEED, 0, 0, List.of(-1L, 2L)));
        assertThrows(IllegalArgumentException.class, () -> Dice.bag(SEED, 0, 0, List.of()));
        assertThrows(IllegalArgumentException.class, () -> Dice.keyStream(ByteString.EMPTY, 0, 0));
    }

    private static ByteString bytes(JsonObject vector, String field) {
        return Hashes.bytes(text(vector, field));
    }

    private static String text(JsonObject vector, String field) {
        return vector.get(field).getAsString();
    }

    private static long number(JsonObject vector, String field) {
        return vector.get(field).getAsLong();
    }

    private static List<Integer> integers(JsonObject vector, String field) {
        List<Integer> integers = new ArrayList<>();
        for (JsonElement element : vector.getAsJsonArray(field)) {
            integers.add(element.getAsInt());
        }
        return integers;
    }
}
