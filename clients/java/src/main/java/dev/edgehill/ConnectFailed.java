package dev.edgehill;

import io.grpc.Status;

/** No server answers at the address, and none did since the client was made. Nothing was sent. */
public final class ConnectFailed extends CallFailed {
    private static final long serialVersionUID = 1L;
    /** The first thing to look at. */
    private static final String ADVICE = "is the server running? `make run` starts one on 127.0.0.1:7400";

    private final String url;

    ConnectFailed(String url, String details, Throwable cause) {
        super("no server answers at " + url + ": " + details + "\n" + ADVICE, Status.Code.UNAVAILABLE, cause);
        this.url = url;
    }

    /** Returns the URL that was tried. */
    public String url() {
        return url;
    }
}
