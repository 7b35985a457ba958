package dev.edgehill;

import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream as a publisher: a thread of the executor iterates while the subscriber asks for more. */
final class StreamPublisher<T> implements Flow.Publisher<T> {
    private final ResumedStream<T> stream;
    private final Executor executor;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    StreamPublisher(ResumedStream<T> stream, Executor executor) {
        this.stream = stream;
        this.executor = executor;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        if (!isTaken.compareAndSet(false, true)) {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    // Nothing comes: it was refused.
                }

                @Override
                public void cancel() {
                    // There is nothing to end.
                }
            });
            subscriber.onError(new IllegalStateException("a stream has one subscriber"));
            return;
        }
        subscriber.onSubscribe(new Demand(subscriber));
    }

    private final class Demand implements Flow.Subscription {
        private final Flow.Subscriber<? super T> subscriber;
        private long asked;
        private boolean isRunning;
        private boolean isOver;

        Demand(Flow.Subscriber<? super T> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                if (end()) {
                    stream.close();
                    subscriber.onError(new IllegalArgumentException("a positive count is requested, found " + count));
                }
                return;
            }
            synchronized (this) {
                asked = asked + count < 0 ? Long.MAX_VALUE : asked + count;
                if (isRunning || isOver) {
                    return;
                }
                isRunning = true;
            }
            executor.execute(this::publish);
        }

        @Override
        public void cancel() {
            end();
            stream.close();
        }

        private void publish() {
            try {
                while (isWanted()) {
                    if (stream.hasNext()) {
                        subscriber.onNext(stream.next());
                    } else if (end()) {
                        subscriber.onComplete();
                    }
                }
            } catch (RuntimeException failure) {
                if (end()) {
                    stream.close();
                    subscriber.onError(failure);
                }
            }
        }

        private synchronized boolean isWanted() {
            if (isOver || asked == 0) {
                isRunning = false;
                return false;
            }
            asked -= 1;
            return true;
        }

        /** Ends the subscription; returns false if it has ended before. */
        private synchronized boolean end() {
            boolean wasOpen = !isOver;
            isOver = true;
            return wasOpen;
        }
    }
}
