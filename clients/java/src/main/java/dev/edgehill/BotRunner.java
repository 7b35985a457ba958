package dev.edgehill;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Bots at the seats of matches, until the matches have ended. */
public final class BotRunner {
    private final PlaySession session;
    private final Map<PlayedSeat, BotPlayer> players = new LinkedHashMap<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private BotRunner(PlaySession session) {
        this.session = session;
    }

    /** Plays a seat until its match has ended, as {@link #run(Client, Map)}. */
    public static BotReport run(Client client, Seat seat, Bot bot) {
        return run(client, Map.of(seat, bot)).get(seat);
    }

    /**
     * Plays seats, of one match or of many, over one stream, until all their matches have ended. Where seats commit to their
     * entropy, it is revealed when all have joined. Bots choose on threads of their own, beside each other.
     *
     * @return a report for each seat
     * @throws Refused where a bot chooses an action that is not legal, or its seat was opened elsewhere
     * @throws CallFailed if the stream got no answer for as long as the {@link RetryPolicy} says, or the thread is interrupted
     * @throws BotFailed if a bot has thrown a checked exception; an unchecked one is thrown as it is
     */
    public static Map<Seat, BotReport> run(Client client, Map<Seat, Bot> bots) {
        ExecutorService threads = Executors.newCachedThreadPool(BotRunner::thread);
        try (PlaySession session = client.playSeats()) {
            BotRunner runner = new BotRunner(session);
            bots.forEach((seat, bot) -> runner.seat(seat, bot, threads));
            runner.play();
            threads.shutdown();
            awaitEnd(threads);
            runner.throwFailure();
            return runner.reports();
        } finally {
            threads.shutdownNow();
        }
    }

    private void seat(Seat seat, Bot bot, ExecutorService threads) {
        BotPlayer player = new BotPlayer(seat, bot, threads, this::fail);
        PlayedSeat played =
                session.open(seat.token(), open -> open.setLegal(bot.detail()).setOmitEvents(bot.omitEvents()));
        players.put(played, player);
    }

    private void play() {
        try {
            for (PlayEvent news : session) {
                players.get(news.seat()).take(news);
            }
        } finally {
            players.values().forEach(BotPlayer::stopChoosing);
            // A bot that has failed has closed the session: its reason comes before what that has led to.
            throwFailure();
        }
    }

    /** Ends the playing for a reason; the first one counts. */
    private void fail(Throwable reason) {
        if (failure.compareAndSet(null, reason)) {
            session.close();
        }
    }

    private void throwFailure() {
        Throwable reason = failure.get();
        if (reason instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (reason instanceof Error error) {
            throw error;
        }
        if (reason != null) {
            throw new BotFailed(reason);
        }
    }

    private Map<Seat, BotReport> reports() {
        Map<Seat, BotReport> reports = new LinkedHashMap<>();
        players.forEach((played, player) -> reports.put(player.seat(), player.report(played)));
        return reports;
    }

    /** Waits for the last words of the bots. */
    private static void awaitEnd(ExecutorService threads) {
        try {
            threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            throw Futures.interrupted(interrupted);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "edgehill-bot");
        thread.setDaemon(true);
        return thread;
    }
}
