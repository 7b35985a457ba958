package dev.edgehill;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A call that is made again, as it was, until it is answered or refused, or nobody waits for it any more. */
final class RepeatedCall<R> {
    private final Connection connection;
    private final Supplier<CompletableFuture<R>> attempt;
    private final Outage outage;
    private final CompletableFuture<R> result = new CompletableFuture<>();

    RepeatedCall(Connection connection, Supplier<CompletableFuture<R>> attempt) {
        this.connection = connection;
        this.attempt = attempt;
        this.outage = Outage.ofCall(connection.policy(), System::nanoTime);
    }

    /** Begins; the future completes with the answer or with an {@link EdgehillException}, and can be cancelled. */
    CompletableFuture<R> start() {
        Runnable end = () -> result.completeExceptionally(connection.closedError());
        if (!connection.endsWithClient(end)) {
            end.run();
            return result;
        }
        result.whenComplete((answer, fault) -> connection.ended(end));
        connect();
        return result;
    }

    private void connect() {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<Void> connected = connection.connected();
        Futures.cancelWith(result, connected);
        connected.whenComplete((ready, fault) -> {
            if (fault != null) {
                result.completeExceptionally(fault);
            } else if (!result.isDone()) {
                tryOnce();
            }
        });
    }

    private void tryOnce() {
        CompletableFuture<R> tried = attempt.get();
        Futures.cancelWith(result, tried);
        tried.whenComplete((answer, fault) -> {
            if (fault instanceof EdgehillException failure) {
                failed(failure);
            } else {
                connection.answered();
                Futures.settle(result, answer, fault);
            }
        });
    }

    private void failed(EdgehillException failure) {
        try {
            long pause = outage.pauseAfter(failure).toNanos();
            CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS).execute(() -> {
                connection.connectAgain();
                connect();
            });
        } catch (EdgehillException last) {
            result.completeExceptionally(last);
        }
    }
}
