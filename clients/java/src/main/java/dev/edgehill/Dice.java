package dev.edgehill;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Edgehill's dice, from docs/dice.md: derive every outcome, compare, done.
 *
 * <p>Seeds, entropies and hashes have 32 bytes. Streams, counts and epochs are from 0 to 2^32 - 1.
 */
public final class Dice {
    private static final int RANK_BYTES = 16;

    private Dice() {}

    /**
     * An option of a match as it is hashed.
     *
     * @param id its id
     * @param value its value, as it is written
     */
    public record Option(String id, String value) {}

    /**
     * The terms that a host commits to before anybody sits down.
     *
     * @param id the id of the match or, where several share a seed, of their group
     * @param game the game's id
     * @param rulesVersion the rules version, as it is written
     * @param contentHash the hash of the content
     * @param optionsHash the hash of what the match begins from
     */
    public record Terms(String id, String game, String rulesVersion, ByteString contentHash, ByteString optionsHash) {}

    /** Returns the hash of what a match begins from, part of its commitment. The options are sorted by their ids. */
    public static ByteString optionsHash(ByteString salt, String scenario, List<Option> options, String position) {
        ByteString listed = ByteString.EMPTY;
        for (Option option : options) {
            listed = listed.concat(text(option.id())).concat(text(option.value()));
        }
        return hash("edgehill/options/2", salt, text(scenario), le32(options.size()), listed, text(position));
    }

    /** Returns the hash by which a host binds itself to its server seed. */
    public static ByteString commitment(Terms terms, ByteString serverSeed) {
        return hash(
                "edgehill/commit/1",
                text(terms.id()),
                text(terms.game()),
                text(terms.rulesVersion()),
                terms.contentHash(),
                terms.optionsHash(),
                serverSeed);
    }

    /** Returns the hash by which a seat binds itself to its entropy. The seat is its place, from 0. */
    public static ByteString entropyCommitment(String id, int seat, ByteString entropy) {
        return hash("edgehill/entropy/1", text(id), le32(seat), entropy);
    }

    /** Returns the seed that every event is drawn from. The entropies are one a place, zeros where none was given. */
    public static ByteString matchSeed(String id, ByteString serverSeed, List<ByteString> entropies) {
        ByteString all = ByteString.copyFrom(entropies);
        return hash("edgehill/seed/1", text(id), serverSeed, le32(entropies.size()), all);
    }

    /** Returns the server seed of match {@code n}, from 0, of an account in a rated series. */
    public static ByteString seriesSeed(ByteString series, String account, long n) {
        return hash("edgehill/series/1", series, text(account), le32(n));
    }

    /** Returns the bytes that the event at a place takes, from its first one on. */
    public static KeyStream keyStream(ByteString seed, long stream, long n) {
        return new KeyStream(seed, stream, n);
    }

    /**
     * Returns the faces of so many equal dice at a place, from 1.
     *
     * @throws IllegalArgumentException for other than 1 to 128 dice of 2 to 256 sides
     */
    public static List<Integer> roll(ByteString seed, long stream, long n, int dice, int sides) {
        if (dice < 1 || dice > 128 || sides < 2 || sides > 256) {
            throw new IllegalArgumentException(
                    "a roll has 1 to 128 dice of 2 to 256 sides, found " + dice + " of " + sides);
        }
        KeyStream source = keyStream(seed, stream, n);
        List<Integer> faces = new ArrayList<>(dice);
        while (faces.size() < dice) {
            int value = source.nextByte();
            if (value < 256 - 256 % sides) {
                faces.add(value % sides + 1);
            }
        }
        return Collections.unmodifiableList(faces);
    }

    /**
     * Returns the place of the chosen weight, from 0, of a choice at a place.
     *
     * @throws IllegalArgumentException for weights below 0 or with another sum than 1 to 2^32
     */
    public static int choice(ByteString seed, long stream, long n, List<Long> weights) {
        long total = 0;
        for (long weight : weights) {
            if (weight < 0 || weight > 0xffff_ffffL) {
                throw new IllegalArgumentException("a weight is from 0 to 2^32 - 1, found " + weight);
            }
            total += weight;
        }
        if (total < 1 || total > 1L << 32) {
            throw new IllegalArgumentException("weights have a sum from 1 to 2^32, found " + total);
        }
        KeyStream source = keyStream(seed, stream, n);
        // 2^64 modulo the sum: so many of the greatest numbers are dropped.
        long dropped = Long.remainderUnsigned(-total, total);
        long drawn;
        do {
            drawn = source.nextLong();
        } while (dropped != 0 && Long.compareUnsigned(drawn, -dropped) >= 0);
        long point = Long.remainderUnsigned(drawn, total);
        long reached = 0;
        int place = -1;
        do {
            place += 1;
            reached += weights.get(place);
        } while (reached <= point);
        return place;
    }

    /**
     * Returns the card that is drawn from a bag, by its number.
     *
     * @throws IllegalArgumentException for a bag without cards
     */
    public static int bag(ByteString seed, long stream, long epoch, Collection<Integer> cards) {
        ByteString least = null;
        int first = -1;
        for (int card : cards) {
            ByteString rank = hash("edgehill/bag/1", seed, le32(stream), le32(epoch), le32(card))
                    .substring(0, RANK_BYTES);
            int order = least == null
                    ? -1
                    : ByteString.unsignedLexicographicalComparator().compare(rank, least);
            if (order < 0 || order == 0 && card < first) {
                least = rank;
                first = card;
            }
        }
        if (least == null) {
            throw new IllegalArgumentException("the bag is empty");
        }
        return first;
    }

    /** Returns a number in 4 bytes, least significant first. */
    static ByteString le32(long value) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return ByteString.copyFrom(bytes.putInt((int) value).flip());
    }

    private static ByteString hash(String tag, ByteString... parts) {
        return Hashes.sha256(Hashes.utf8(tag).concat(ByteString.copyFrom(List.of(parts))));
    }

    private static ByteString text(String value) {
        ByteString bytes = Hashes.utf8(value);
        return le32(bytes.size()).concat(bytes);
    }
}
