package dev.edgehill;

import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.WatchAccountRequest;
import dev.edgehill.v1.WatchAccountResponse;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * The matches of an account as they stand, until it is closed.
 *
 * <p>Each response about a match is complete: the last one holds. A lost connection is opened again with the cursor of the
 * last response: results since then come, and all that is not over comes again.
 */
public final class AccountWatch extends ResumedStream<WatchAccountResponse> {
    private final Session session;

    AccountWatch(Connection connection, Optional<String> token, String cursor) {
        this(connection, token, new Session(cursor));
    }

    private AccountWatch(Connection connection, Optional<String> token, Session session) {
        super(new StreamReader<>(connection, session, token));
        this.session = session;
    }

    /** Returns the cursor of the last response that was taken from the stream; empty: there is none yet. */
    public String cursor() {
        return session.cursor;
    }

    private static final class Session
            implements StreamSession<WatchAccountRequest, WatchAccountResponse, WatchAccountResponse> {
        private volatile String cursor;

        Session(String cursor) {
            this.cursor = cursor;
        }

        @Override
        public MethodDescriptor<WatchAccountRequest, WatchAccountResponse> method() {
            return MatchServiceGrpc.getWatchAccountMethod();
        }

        @Override
        public WatchAccountRequest request() {
            return WatchAccountRequest.newBuilder().setCursor(cursor).build();
        }

        @Override
        public Optional<WatchAccountResponse> take(WatchAccountResponse response) {
            cursor = response.getCursor();
            return Optional.of(response);
        }
    }
}
