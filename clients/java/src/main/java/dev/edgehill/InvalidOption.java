package dev.edgehill;

/** The URL of the server, a key or token, or a certificate is none. Nothing was tried. */
public final class InvalidOption extends EdgehillException {
    private static final long serialVersionUID = 1L;

    InvalidOption(String message) {
        super(message);
    }

    InvalidOption(String message, Throwable cause) {
        super(message, cause);
    }
}
