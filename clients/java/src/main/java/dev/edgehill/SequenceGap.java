package dev.edgehill;

/** Events between the view and the update are missing. */
public final class SequenceGap extends FoldFailed {
    private static final long serialVersionUID = 1L;

    /** Makes the error with its words. */
    public SequenceGap(String message) {
        super(message);
    }
}
