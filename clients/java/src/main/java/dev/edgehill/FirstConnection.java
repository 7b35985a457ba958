package dev.edgehill;

import dev.edgehill.v1.CatalogServiceGrpc;
import dev.edgehill.v1.GetLimitsRequest;
import dev.edgehill.v1.GetLimitsResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The wait for the first connection of a channel, with several attempts in its time. */
final class FirstConnection {
    private final ManagedChannel channel;
    private final ServerAddress address;
    private final Duration time;
    private final Runnable found;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile Status fault;

    FirstConnection(ManagedChannel channel, ServerAddress address, Duration time, Runnable found) {
        this.channel = channel;
        this.address = address;
        this.time = time;
        this.found = found;
    }

    /** Completes when the server has said that it speaks HTTP/2; one that only takes the connection is silent. */
    CompletableFuture<Void> start() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        done.whenComplete((ready, late) -> {
            boolean isLate = late instanceof TimeoutException;
            Futures.settle(result, null, isLate ? failed() : late);
        });
        result.whenComplete((ready, given) -> done.cancel(false));
        done.orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
        look();
        return result;
    }

    private void look() {
        if (done.isDone()) {
            return;
        }
        ConnectivityState state = channel.getState(true);
        switch (state) {
            case READY -> {
                found.run();
                done.complete(null);
            }
            case SHUTDOWN -> done.completeExceptionally(
                    new CallFailed(Status.Code.CANCELLED, "the client is closed", null));
            case TRANSIENT_FAILURE -> {
                askWhy();
                // Time for several attempts, and never more than a second between two.
                long pause = Math.min(TimeUnit.SECONDS.toNanos(1), time.toNanos() / 5);
                CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS)
                        .execute(channel::resetConnectBackoff);
            }
            default -> {
                // Under way: the next state is awaited.
            }
        }
        channel.notifyWhenStateChanged(state, this::look);
    }

    /** Makes a call: without a connection it fails at once, and its status has the cause, which the state has not. */
    private void askWhy() {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(time.toNanos(), TimeUnit.NANOSECONDS);
        ClientCall<GetLimitsRequest, GetLimitsResponse> call =
                channel.newCall(CatalogServiceGrpc.getGetLimitsMethod(), options);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        if (status.getCode() == Status.Code.UNAVAILABLE) {
                            fault = status;
                        }
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(GetLimitsRequest.getDefaultInstance());
        call.halfClose();
    }

    private ConnectFailed failed() {
        Status why = fault;
        if (why == null) {
            return new ConnectFailed(address.url(), "no answer within " + time.toMillis() + " ms", null);
        }
        return new ConnectFailed(address.url(), Failures.detailsOf(why), why.getCause());
    }
}
