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
import java.util.concurrent.atomic.AtomicBoolean;

/** The wait for the first connection of a channel, with several attempts in its time. */
final class FirstConnection {
    /** True once any connection of this program has come to something. */
    private static final AtomicBoolean IS_LOADED = new AtomicBoolean();
    /** The time that a program which has just begun may need to load its network code, which no server is to blame for. */
    private static final Duration LOADING = Duration.ofSeconds(3);

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
        look();
        hurry();
        after(time, this::late);
        return done;
    }

    /** Ends the wait, if this is not the first in a program that is loading its code still. */
    private void late() {
        if (done.isDone()) {
            return;
        }
        if (IS_LOADED.get() || fault != null) {
            done.completeExceptionally(failed());
        } else {
            after(LOADING, () -> done.completeExceptionally(failed()));
        }
    }

    private void look() {
        if (done.isDone()) {
            return;
        }
        ConnectivityState state = channel.getState(true);
        if (state == ConnectivityState.READY) {
            IS_LOADED.set(true);
            found.run();
            done.complete(null);
        } else if (state == ConnectivityState.SHUTDOWN) {
            done.completeExceptionally(new CallFailed(Status.Code.CANCELLED, "the client is closed", null));
        } else {
            channel.notifyWhenStateChanged(state, this::look);
        }
    }

    /**
     * Has a channel that could not connect try again at once, and once more after a pause, until there is an end: its own
     * pauses are longer, and its state stays the same between its attempts.
     */
    private void hurry() {
        if (done.isDone()) {
            return;
        }
        if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
            askWhy();
            channel.resetConnectBackoff();
        }
        // Time for several attempts, and never more than a second between two.
        after(Duration.ofNanos(Math.min(TimeUnit.SECONDS.toNanos(1), time.toNanos() / 5)), this::hurry);
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
                            IS_LOADED.set(true);
                            fault = status;
                        }
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(GetLimitsRequest.getDefaultInstance());
        call.halfClose();
    }

    private static void after(Duration pause, Runnable work) {
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS).execute(work);
    }

    private ConnectFailed failed() {
        Status why = fault;
        if (why == null) {
            return new ConnectFailed(address.url(), "no answer within " + time.toMillis() + " ms", null);
        }
        return new ConnectFailed(address.url(), Failures.detailsOf(why), why.getCause());
    }
}
