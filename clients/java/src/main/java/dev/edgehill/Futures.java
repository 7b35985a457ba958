package dev.edgehill;

import io.grpc.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Futures whose cancellation reaches the call that is under way, and whose errors are those of the call itself. */
final class Futures {
    private Futures() {}

    /** Returns the answer of a call that follows another one. */
    static <A, B> CompletableFuture<B> then(CompletableFuture<A> first, Function<A, CompletableFuture<B>> next) {
        CompletableFuture<B> result = new CompletableFuture<>();
        cancelWith(result, first);
        first.whenComplete((answer, fault) -> {
            if (fault != null) {
                result.completeExceptionally(fault);
                return;
            }
            try {
                CompletableFuture<B> second = next.apply(answer);
                cancelWith(result, second);
                second.whenComplete((last, lastFault) -> settle(result, last, lastFault));
            } catch (RuntimeException wrong) {
                result.completeExceptionally(wrong);
            }
        });
        return result;
    }

    /** Returns a part of the answer of a call. */
    static <A, B> CompletableFuture<B> map(CompletableFuture<A> first, Function<A, B> part) {
        return then(first, answer -> CompletableFuture.completedFuture(part.apply(answer)));
    }

    /** Waits for the answer of a call; the error that it throws has the stack of its caller. */
    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            throw interrupted(interrupted);
        } catch (CancellationException cancelled) {
            throw new CallFailed(Status.Code.CANCELLED, "the call was cancelled", cancelled);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof EdgehillException own) {
                own.fillInStackTrace();
                throw own;
            }
            if (failed.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new EdgehillException("the call failed", failed.getCause());
        }
    }

    /** Returns the error of a thread that was interrupted, which it stays. */
    static CallFailed interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new CallFailed(Status.Code.CANCELLED, "the thread was interrupted", cause);
    }

    /** Has one future cancelled together with another. */
    static void cancelWith(CompletableFuture<?> result, CompletableFuture<?> source) {
        result.whenComplete((answer, fault) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }

    static <T> void settle(CompletableFuture<T> result, T answer, Throwable fault) {
        if (fault != null) {
            result.completeExceptionally(fault);
        } else {
            result.complete(answer);
        }
    }
}
