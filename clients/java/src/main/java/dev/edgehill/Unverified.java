package dev.edgehill;

/** The dice, the record or the receipts of a match do not check. The message says what, and what was expected. */
public final class Unverified extends EdgehillException {
    private static final long serialVersionUID = 1L;

    /** Makes the error with its words. */
    public Unverified(String message) {
        super(message);
    }
}
