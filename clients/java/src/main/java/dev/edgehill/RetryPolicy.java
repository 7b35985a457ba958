package dev.edgehill;

import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The times within which a client connects, and repeats what got no answer. Every call may be repeated: its request id makes
 * it happen once.
 *
 * @param connect for the first connection; then {@link ConnectFailed}. A connection that is lost later is a matter of
 *     {@code deadline}
 * @param deadline that a call or stream may go without an answer before its error is thrown; zero: nothing is repeated
 * @param attempt that one attempt of a call may take; streams have no such limit
 * @param pauseMin the longest pause before the first repetition; each further one is up to twice as long
 * @param pauseMax the longest pause of all, except where the server names one
 */
public record RetryPolicy(Duration connect, Duration deadline, Duration attempt, Duration pauseMin, Duration pauseMax) {
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** The times of a client that is given none: 1.5 s, 60 s, 30 s, 50 ms, 2 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            Duration.ofMillis(1500),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofMillis(50),
            Duration.ofSeconds(2));

    private static final Set<Status.Code> AGAIN = EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);
    private static final Set<Status.Code> ONCE_MORE =
            EnumSet.of(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.CANCELLED);

    /** Makes a policy; throws {@link IllegalArgumentException} for a time below zero or above ten years. */
    public RetryPolicy {
        for (Duration time : new Duration[] {connect, deadline, attempt, pauseMin, pauseMax}) {
            if (time.isNegative() || time.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("a time of a RetryPolicy is from zero to ten years, found " + time);
            }
        }
    }

    /** Returns this policy with another time for the first connection. */
    public RetryPolicy withConnect(Duration time) {
        return new RetryPolicy(time, deadline, attempt, pauseMin, pauseMax);
    }

    /** Returns this policy with another time that a call may go without an answer. */
    public RetryPolicy withDeadline(Duration time) {
        return new RetryPolicy(connect, time, attempt, pauseMin, pauseMax);
    }

    /** Returns this policy with another time for one attempt. */
    public RetryPolicy withAttempt(Duration time) {
        return new RetryPolicy(connect, deadline, time, pauseMin, pauseMax);
    }

    /** Returns this policy with other bounds for pauses. */
    public RetryPolicy withPauses(Duration min, Duration max) {
        return new RetryPolicy(connect, deadline, attempt, min, max);
    }

    /**
     * Returns the least pause before a call that has failed so many times in a row is repeated. Empty: to repeat it is of no
     * use (docs/errors.md).
     */
    public static Optional<Duration> leastPause(EdgehillException error, int failures) {
        if (error instanceof Refused refused) {
            return switch (refused.code()) {
                case RESOURCE_EXHAUSTED -> refused.retryAfter();
                case UNAVAILABLE -> Optional.of(refused.retryAfter().orElse(Duration.ZERO));
                case INTERNAL -> once(failures);
                default -> Optional.empty();
            };
        }
        if (!(error instanceof CallFailed failed)) {
            return Optional.empty();
        }
        if (AGAIN.contains(failed.code())) {
            return Optional.of(Duration.ZERO);
        }
        return ONCE_MORE.contains(failed.code()) ? once(failures) : Optional.empty();
    }

    private static Optional<Duration> once(int failures) {
        return failures == 1 ? Optional.of(Duration.ZERO) : Optional.empty();
    }
}
