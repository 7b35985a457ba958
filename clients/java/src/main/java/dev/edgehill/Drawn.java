package dev.edgehill;

import java.util.List;

/**
 * A chance event of a record: a roll, or something drawn.
 *
 * @param stream the stream of the seed
 * @param n the count within the stream; of a draw from a bag, its epoch
 * @param faces the faces of a roll, in the roll's order; empty of a draw
 * @param what the outcome of a draw, by its id in the catalogue; empty of a roll
 */
public record Drawn(long stream, long n, List<Integer> faces, String what) {
    /** Returns true for a roll of dice. */
    public boolean isRoll() {
        return !faces.isEmpty();
    }
}
