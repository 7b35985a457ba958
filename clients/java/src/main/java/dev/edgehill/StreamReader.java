package dev.edgehill;

import java.util.Optional;

/** The reading of a stream: opened again, behind what its reader has, when the connection is lost. */
final class StreamReader<Q, R, T> {
    private final Connection connection;
    private final StreamSession<Q, R, T> session;
    private final Optional<String> token;
    private final Outage outage;
    private final Ending ending;
    private OpenStream<Q, R> stream;

    StreamReader(Connection connection, StreamSession<Q, R, T> session, Optional<String> token) {
        this.connection = connection;
        this.session = session;
        this.token = token;
        this.outage = Outage.ofStream(connection.policy(), System::nanoTime);
        this.ending = new Ending(connection, this::hangUp);
    }

    /** Waits for the next news; returns null at the end. */
    T next() {
        try {
            while (!ending.isClosed() && !session.isOver()) {
                Optional<T> news = receive();
                if (news.isPresent()) {
                    return news.get();
                }
            }
        } catch (EdgehillException failure) {
            boolean wasClosed = ending.isClosed();
            close();
            if (!wasClosed) {
                failure.fillInStackTrace();
                throw failure;
            }
        }
        close();
        return null;
    }

    void close() {
        ending.close();
    }

    /** Takes the next message of the stream, or opens the stream again. */
    private Optional<T> receive() {
        ending.awaitConnection();
        OpenStream.Item<R> item = take();
        if (item.message() != null) {
            connection.answered();
            outage.end();
            return session.take(item.message());
        }
        hangUp();
        EdgehillException failure =
                item.failure() != null ? item.failure() : session.endedBy().orElse(null);
        if (failure == null) {
            ending.close();
            return Optional.empty();
        }
        if (!session.canResume()) {
            throw failure;
        }
        ending.pauseAfter(failure, outage);
        return Optional.empty();
    }

    private OpenStream.Item<R> take() {
        try {
            return opened().take();
        } catch (InterruptedException interrupted) {
            throw Futures.interrupted(interrupted);
        }
    }

    private synchronized OpenStream<Q, R> opened() {
        if (stream == null) {
            stream = connection.open(session.method(), token);
            stream.sendAll(session.request());
            if (ending.hasEnded()) {
                stream.cancel();
            }
        }
        return stream;
    }

    private synchronized void hangUp() {
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
    }
}
