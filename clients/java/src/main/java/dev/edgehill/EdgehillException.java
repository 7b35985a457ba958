package dev.edgehill;

import java.util.Optional;

/** Everything that this package throws by itself, but for faults of its caller ({@link IllegalArgumentException}). */
public class EdgehillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes an error with its words. */
    public EdgehillException(String message) {
        super(message);
    }

    /** Makes an error with its words and its cause, which may be null. */
    public EdgehillException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the error of this package for what a stub of gRPC has thrown: {@link Refused} if the server has refused the
     * call, {@link CallFailed} if it failed on its way. For services that are called by their generated stubs.
     *
     * @return the error; empty for what is none of gRPC's
     */
    public static Optional<EdgehillException> of(Throwable thrown) {
        return Failures.of(thrown);
    }
}
