package dev.edgehill;

import io.grpc.Status;

/**
 * A call failed on its way: the server did not answer, or what answered is no Edgehill.
 *
 * <p>Unless nothing was sent, it is not known whether the server carried it out: repeated with its request id it is safe.
 */
public class CallFailed extends EdgehillException {
    private static final long serialVersionUID = 1L;

    private final Status.Code code;

    /** Makes the error of a status code; the cause may be null. */
    public CallFailed(Status.Code code, String details, Throwable cause) {
        this(code + ": " + details, code, cause);
    }

    CallFailed(String message, Status.Code code, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns the status code of gRPC. {@code CANCELLED}: the client was closed, or the thread interrupted. */
    public Status.Code code() {
        return code;
    }
}
