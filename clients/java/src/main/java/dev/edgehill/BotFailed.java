package dev.edgehill;

/** A bot has thrown a checked exception, which is the cause: it has no choice, and its match is played no further. */
public final class BotFailed extends EdgehillException {
    private static final long serialVersionUID = 1L;

    BotFailed(Throwable cause) {
        super("the bot failed: " + cause, cause);
    }
}
