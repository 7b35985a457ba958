package dev.edgehill;

import dev.edgehill.v1.SeatUpdate;
import java.time.Duration;
import java.util.Optional;

/** The moment until which a seat may answer its question, by this machine's own clock; kept up to date by its updates. */
final class AnswerDeadline {
    private Optional<Told> told = Optional.empty();

    /** The time that was left at a moment of {@link System#nanoTime}. */
    private record Told(Duration left, long at) {}

    /** Takes an update that came at a moment of {@link System#nanoTime}: it says all that there is to know. */
    void take(SeatUpdate update, long at) {
        boolean isTold = update.getTimeLeft().hasLeft();
        told = isTold ? Optional.of(new Told(Durations.of(update.getTimeLeft().getLeft()), at)) : Optional.empty();
    }

    /** Takes note that nothing is asked of the seat. */
    void clear() {
        told = Optional.empty();
    }

    /** Returns the time that is left, at least zero. Empty: nothing is asked of the seat, or no clock runs for it. */
    Optional<Duration> left(long now) {
        return told.map(deadline -> {
            Duration left = deadline.left().minusNanos(now - deadline.at());
            return left.isNegative() ? Duration.ZERO : left;
        });
    }
}
