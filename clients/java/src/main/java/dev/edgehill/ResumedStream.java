package dev.edgehill;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * An iterator of what a server sends, over as many connections as it takes.
 *
 * <p>One thread iterates, and waits; {@link #close} may be called by any, and ends an iteration that waits. Nothing is asked
 * for before the first {@link #hasNext}. A thread that is interrupted gets {@link CallFailed}, {@code CANCELLED}, and the
 * stream is closed.
 *
 * @param <T> the news
 */
public abstract class ResumedStream<T> implements Iterable<T>, Iterator<T>, AutoCloseable {
    private final StreamReader<?, ?, T> reader;
    private T ahead;

    ResumedStream(StreamReader<?, ?, T> reader) {
        this.reader = reader;
    }

    /** Returns itself: a stream is iterated over once. */
    @Override
    public Iterator<T> iterator() {
        return this;
    }

    /**
     * Waits for the next news; returns false at the end of the stream.
     *
     * @throws Refused if the server refuses the stream
     * @throws CallFailed if it got no answer for as long as the {@link RetryPolicy} says, or the client is closed
     */
    @Override
    public boolean hasNext() {
        if (ahead == null) {
            ahead = reader.next();
        }
        return ahead != null;
    }

    /** Returns the next news, as {@link #hasNext} waits for it; throws {@link NoSuchElementException} at the end. */
    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the stream has ended");
        }
        T next = ahead;
        ahead = null;
        return next;
    }

    /** Ends it. An iteration that waits ends as well. */
    @Override
    public void close() {
        reader.close();
    }

    /**
     * Returns the news as a publisher for one subscriber, instead of an iteration.
     *
     * @param executor runs the subscriber's methods, one at a time: it lends a thread as long as there is demand. Cancelling
     *     the subscription closes the stream
     */
    public Flow.Publisher<T> publisher(Executor executor) {
        return new StreamPublisher<>(this, executor);
    }
}
