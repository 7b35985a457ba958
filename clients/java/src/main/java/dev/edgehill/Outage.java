package dev.edgehill;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The failures of one call, or of a stream between two answers. After a quiet time as long as the deadline it begins anew.
 *
 * <p>Not for several threads at once.
 */
final class Outage {
    private final RetryPolicy policy;
    private final LongSupplier now;
    private long began;
    private long last;
    private int failures;

    Outage(RetryPolicy policy) {
        this(policy, System::nanoTime);
    }

    /** Begins without a failure; {@code now} is a clock in nanoseconds that never goes back. */
    Outage(RetryPolicy policy, LongSupplier now) {
        this.policy = policy;
        this.now = now;
    }

    /** Returns the number of failures since it began. */
    int failures() {
        return failures;
    }

    /** Returns the time to wait before the next attempt; throws the error if there is to be none. */
    Duration pauseAfter(EdgehillException error) {
        long moment = now.getAsLong();
        if (failures == 0 || moment - last > policy.deadline().toNanos()) {
            failures = 0;
            began = moment;
        }
        failures += 1;
        last = moment;
        Duration atLeast = RetryPolicy.leastPause(error, failures).orElseThrow(() -> error);
        Duration pause = longer(atLeast, spread());
        Duration left = policy.deadline().minusNanos(moment - began);
        if (pause.compareTo(left) > 0) {
            throw error;
        }
        return pause;
    }

    /** Ends it: there was an answer. */
    void end() {
        failures = 0;
    }

    /** Spread, so that the clients of a server that comes back don't all come back at once. */
    private Duration spread() {
        double grown = policy.pauseMin().toNanos() * Math.pow(2, Math.min(failures - 1, 30));
        double ceiling = Math.min(grown, policy.pauseMax().toNanos());
        return Duration.ofNanos((long) ((0.5 + ThreadLocalRandom.current().nextDouble() / 2) * ceiling));
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) < 0 ? right : left;
    }
}
