package dev.edgehill;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One connection to one server: calls are repeated as they are until they are answered or refused. */
final class Connection {
    private final ManagedChannel channel;
    private final ServerAddress address;
    private final RetryPolicy policy;
    private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private volatile boolean hasAnswered;

    Connection(ManagedChannel channel, ServerAddress address, RetryPolicy policy) {
        this.channel = channel;
        this.address = address;
        this.policy = policy;
    }

    ManagedChannel channel() {
        return channel;
    }

    RetryPolicy policy() {
        return policy;
    }

    /** Makes a call, and repeats it as long as the policy says. */
    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Optional<String> token) {
        return new RepeatedCall<>(this, () -> attempt(method, request, token, Connection::only)).start();
    }

    /** Makes a call that is answered by a stream, and returns all of it. */
    <Q, R> CompletableFuture<List<R>> collect(MethodDescriptor<Q, R> method, Q request, Optional<String> token) {
        return new RepeatedCall<>(this, () -> attempt(method, request, token, Function.identity())).start();
    }

    /** Opens a stream, which is not repeated here. */
    <Q, R> OpenStream<Q, R> open(MethodDescriptor<Q, R> method, Optional<String> token) {
        return new OpenStream<>(channel.newCall(method, CallOptions.DEFAULT), Tokens.headers(token));
    }

    /** Completes as soon as there was a connection; with {@link ConnectFailed} if there is none in time. */
    CompletableFuture<Void> connected() {
        if (isClosed) {
            return CompletableFuture.failedFuture(closedError());
        }
        if (hasAnswered) {
            return CompletableFuture.completedFuture(null);
        }
        return new FirstConnection(channel, address, policy.connect(), this::answered).start();
    }

    /** Takes note that there is a server. */
    void answered() {
        hasAnswered = true;
    }

    /** Has the channel connect at once: the pauses are those of the policy. */
    void connectAgain() {
        channel.resetConnectBackoff();
    }

    /** Has something end with the client; returns false if the client is closed already. */
    boolean endsWithClient(Runnable end) {
        ends.add(end);
        if (isClosed) {
            ends.remove(end);
            return false;
        }
        return true;
    }

    /** Takes back {@link #endsWithClient}. */
    void ended(Runnable end) {
        ends.remove(end);
    }

    /** Ends all calls and streams. */
    void close() {
        isClosed = true;
        for (Runnable end : ends) {
            end.run();
        }
        ends.clear();
        channel.shutdownNow();
    }

    boolean isClosed() {
        return isClosed;
    }

    CallFailed closedError() {
        return new CallFailed(Status.Code.CANCELLED, "the client is closed", null);
    }

    private static <R> R only(List<R> messages) {
        if (messages.size() != 1) {
            throw new CallFailed(Status.Code.INTERNAL, "one message was expected, found " + messages.size(), null);
        }
        return messages.get(0);
    }

    private <Q, R, T> CompletableFuture<T> attempt(
            MethodDescriptor<Q, R> method, Q request, Optional<String> token, Function<List<R>, T> answerOf) {
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(policy.attempt().toNanos(), TimeUnit.NANOSECONDS);
        ClientCall<Q, R> call = channel.newCall(method, options);
        CompletableFuture<T> answer = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    private final List<R> messages = new ArrayList<>();

                    @Override
                    public void onMessage(R message) {
                        messages.add(message);
                        call.request(1);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        try {
                            if (!status.isOk()) {
                                throw Failures.of(status, trailers);
                            }
                            answer.complete(answerOf.apply(messages));
                        } catch (EdgehillException failure) {
                            answer.completeExceptionally(failure);
                        }
                    }
                },
                Tokens.headers(token));
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        answer.whenComplete((given, fault) -> {
            if (answer.isCancelled()) {
                call.cancel("the caller has given the call up", null);
            }
        });
        return answer;
    }
}
