package dev.edgehill;

/** An update does not give the present view. Ask for one: {@link Seat#view()}, {@link ViewTracker#look}. */
public class FoldFailed extends EdgehillException {
    private static final long serialVersionUID = 1L;

    /** Makes the error with its words. */
    public FoldFailed(String message) {
        super(message);
    }
}
