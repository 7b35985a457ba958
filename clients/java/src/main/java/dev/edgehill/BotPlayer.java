package dev.edgehill;

import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.EntropyState;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A bot at its seat. The news come from one thread; the bot's methods are called on others. */
final class BotPlayer {
    /** The statuses at which nothing more is to be played, beside FINISHED. */
    private static final Set<MatchStatus> STOPPED = EnumSet.of(
            MatchStatus.MATCH_STATUS_UNPLAYABLE,
            MatchStatus.MATCH_STATUS_QUARANTINED,
            MatchStatus.MATCH_STATUS_ABORTED,
            MatchStatus.MATCH_STATUS_EXPIRED);

    private final Seat seat;
    private final Bot bot;
    private final TurnQueue turns;
    private final Consumer<Throwable> fail;
    private int actions;
    private boolean hasRevealed;
    private Optional<Choice> choice = Optional.empty();

    /** A choice that the bot is asked for. */
    private record Choice(long seq, LegalActions legal, AtomicBoolean isSettled, FutureTask<Void> task) {
        /** Settles it, for the one that comes first: the bot that has chosen, or the runner that gives it up. */
        boolean settle() {
            return isSettled.compareAndSet(false, true);
        }
    }

    BotPlayer(Seat seat, Bot bot, Executor threads, Consumer<Throwable> fail) {
        this.seat = seat;
        this.bot = bot;
        this.turns = new TurnQueue(threads);
        this.fail = fail;
    }

    Seat seat() {
        return seat;
    }

    BotReport report(PlayedSeat played) {
        MatchState state = played.state().orElse(MatchState.getDefaultInstance());
        return new BotReport(
                seat.matchId(),
                played.number().orElse(0),
                state.getStatus(),
                state.hasResult() ? Optional.of(state.getResult()) : Optional.empty(),
                actions);
    }

    /** Takes news: the bot takes note of it, and so does the report. Throws the end of the bot's play. */
    void take(PlayEvent news) {
        PlayedSeat played = news.seat();
        news.refused()
                .filter(refused -> news.closed() || !SeatProgress.OVERTAKEN.contains(refused.reason()))
                .ifPresent(refused -> {
                    throw refused;
                });
        for (Event event : news.events()) {
            after(() -> bot.onEvent(played, event));
        }
        actions += news.applyResult().map(result -> result.getActions()).orElse(0);
        if (news.closed()) {
            stopChoosing();
            after(() -> bot.onFinished(played));
        } else if (played.state()
                .map(state -> STOPPED.contains(state.getStatus()))
                .orElse(false)) {
            stopChoosing();
            played.close();
        } else {
            revealEntropy(played);
            news.legal().ifPresent(legal -> beginChoosing(played, legal));
        }
    }

    /** Has the bot give up a choice that is not needed any more. */
    void stopChoosing() {
        choice.filter(Choice::settle).ifPresent(begun -> begun.task().cancel(true));
        choice = Optional.empty();
    }

    /** Reveals the seat's entropy, if it is to be revealed now; once, since a state may be late. */
    private void revealEntropy(PlayedSeat played) {
        MatchState state = played.state().orElse(MatchState.getDefaultInstance());
        int number = played.number().orElse(-1);
        boolean isDue = !hasRevealed
                && seat.entropy().isPresent()
                && state.getStatus() == MatchStatus.MATCH_STATUS_REVEALING
                && number >= 0
                && number < state.getSeatsCount()
                && state.getSeats(number).getEntropy() == EntropyState.ENTROPY_STATE_COMMITTED;
        if (isDue) {
            hasRevealed = true;
            after(seat::revealEntropy);
        }
    }

    private void beginChoosing(PlayedSeat played, LegalActions legal) {
        long seq = played.seq();
        // A stream that was opened again repeats the prompt that is thought about.
        boolean isKnown = choice.filter(begun -> !begun.isSettled().get()
                        && begun.seq() == seq
                        && begun.legal().equals(legal))
                .isPresent();
        if (isKnown) {
            return;
        }
        stopChoosing();
        AtomicBoolean isSettled = new AtomicBoolean();
        Callable<Void> choosing = () -> {
            ActionList actions = bot.choose(played, legal);
            if (isSettled.compareAndSet(false, true)) {
                apply(played, actions);
            }
            return null;
        };
        FutureTask<Void> task = new FutureTask<>(choosing) {
            @Override
            protected void done() {
                if (!isCancelled()) {
                    failIfFailed(this);
                }
            }
        };
        choice = Optional.of(new Choice(seq, legal, isSettled, task));
        turns.execute(task);
    }

    private static void apply(PlayedSeat played, ActionList actions) {
        try {
            played.apply(actions);
        } catch (EdgehillException late) {
            // The match has ended meanwhile: nobody needs the choice.
            if (!played.isClosed()) {
                throw late;
            }
        }
    }

    /** Has something done after all that the bot was told before; a fault ends the playing. */
    private void after(Runnable work) {
        turns.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error fault) {
                fail.accept(fault);
            }
        });
    }

    private void failIfFailed(FutureTask<Void> task) {
        try {
            task.get();
        } catch (ExecutionException failed) {
            fail.accept(failed.getCause());
        } catch (InterruptedException impossible) {
            // It is done: there is nothing to wait for.
            fail.accept(impossible);
        }
    }
}
