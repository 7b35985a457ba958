package dev.edgehill;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One connection of a stream: messages are read one by one by a thread that waits for them.
 *
 * <p>One thread sends at a time; {@link #cancel} may be called by any.
 */
final class OpenStream<Q, R> {
    /** The messages that may wait here unread; the rest waits with the server. */
    private static final int AHEAD = 4;

    private final ClientCall<Q, R> call;
    private final BlockingQueue<Item<R>> items = new LinkedBlockingQueue<>();

    /**
     * Something that a stream has brought.
     *
     * @param message the message; null at the end
     * @param failure the reason of the end; null if the server has ended the stream in order
     * @param at the moment at which it came, of {@link System#nanoTime}
     */
    record Item<R>(R message, EdgehillException failure, long at) {}

    OpenStream(ClientCall<Q, R> call, Metadata headers) {
        this.call = call;
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(R message) {
                        items.add(new Item<>(message, null, System.nanoTime()));
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        EdgehillException failure = status.isOk() ? null : Failures.of(status, trailers);
                        items.add(new Item<>(null, failure, System.nanoTime()));
                    }
                },
                headers);
        call.request(AHEAD);
    }

    void send(Q message) {
        call.sendMessage(message);
    }

    /** Sends the only message. */
    void sendAll(Q message) {
        call.sendMessage(message);
        call.halfClose();
    }

    /** Waits for the next message, or for the end. */
    Item<R> take() throws InterruptedException {
        Item<R> item = items.take();
        if (item.message() != null) {
            call.request(1);
        }
        return item;
    }

    /** Ends it; a thread that waits is told. */
    void cancel() {
        call.cancel("the stream is closed", null);
    }
}
