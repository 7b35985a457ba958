package dev.edgehill;

/** A change of a view that this client does not know: the server is newer. */
public final class UnknownChange extends FoldFailed {
    private static final long serialVersionUID = 1L;

    /** Makes the error with its words. */
    public UnknownChange(String message) {
        super(message);
    }
}
