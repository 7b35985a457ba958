package dev.edgehill;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of a stream, by its reader or by its client: whatever the stream waits for, it waits no longer. */
final class Ending implements Runnable {
    private final Connection connection;
    private final Runnable hangUp;
    private final CompletableFuture<Void> signal = new CompletableFuture<>();
    private volatile boolean isClosed;

    /** {@code hangUp} ends the connection of now, if there is one. */
    Ending(Connection connection, Runnable hangUp) {
        this.connection = connection;
        this.hangUp = hangUp;
        if (!connection.endsWithClient(this)) {
            signal.complete(null);
        }
    }

    /** Ends it with its client. */
    @Override
    public void run() {
        signal.complete(null);
        hangUp.run();
    }

    /** Ends it by its reader. */
    void close() {
        isClosed = true;
        connection.ended(this);
        run();
    }

    /** Returns true if its reader has ended it. */
    boolean isClosed() {
        return isClosed;
    }

    /** Returns true if it has ended, whoever has ended it. */
    boolean hasEnded() {
        return signal.isDone();
    }

    /** Waits for the first connection of the client, or for the end. */
    void awaitConnection() {
        CompletableFuture<Void> connected = connection.connected();
        if (connected.isDone()) {
            Futures.await(connected);
            return;
        }
        signal.whenComplete((end, fault) -> connected.complete(null));
        Futures.await(connected);
    }

    /** Waits as long as an outage asks for, or until the end; throws the failure if nothing is to be tried any more. */
    void pauseAfter(EdgehillException failure, Outage outage) {
        if (hasEnded()) {
            return;
        }
        if (failure instanceof Refused) {
            connection.answered();
        }
        pause(outage.pauseAfter(failure));
        connection.connectAgain();
    }

    void pause(Duration time) {
        try {
            signal.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            return;
        } catch (InterruptedException interrupted) {
            throw Futures.interrupted(interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
