package dev.edgehill;

import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.WatchMatchRequest;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The updates of an observer, which end after the last event of a match that has come to its end.
 *
 * <p>{@link ViewTracker#fold} takes them. A lost connection is opened again with the number of the last event as its cursor,
 * so nothing is missed and nothing comes twice.
 */
public final class Watch extends ResumedStream<SeatUpdate> {
    private final WatchSession session;

    Watch(Connection connection, Optional<String> token, WatchMatchRequest request) {
        this(connection, token, new WatchSession(request));
    }

    private Watch(Connection connection, Optional<String> token, WatchSession session) {
        super(new StreamReader<>(connection, session, token));
        this.session = session;
    }

    /** Returns the cursor: the number of the last event that was taken from the stream. Empty: there is none yet. */
    public OptionalLong seq() {
        return session.seq();
    }
}
