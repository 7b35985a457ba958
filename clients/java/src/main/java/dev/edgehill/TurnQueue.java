package dev.edgehill;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Work of one bot, done in order and never two pieces at once, on whatever thread there is. */
final class TurnQueue implements Executor {
    private final Executor threads;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isRunning;

    TurnQueue(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable work) {
        synchronized (this) {
            waiting.add(work);
            if (isRunning) {
                return;
            }
            isRunning = true;
        }
        threads.execute(this::work);
    }

    private void work() {
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
            // An interrupt that came late was meant for what has just been given up.
            Thread.interrupted();
        }
    }

    private synchronized Runnable next() {
        Runnable next = waiting.poll();
        isRunning = next != null;
        return next;
    }
}
