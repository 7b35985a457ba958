package dev.edgehill;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The failures of one call, or of a stream between two answers. Not for several threads at once. */
final class Outage {
    private final RetryPolicy policy;
    private final boolean isStream;
    private final LongSupplier now;
    private long began;
    private long last;
    private int failures;

    private Outage(RetryPolicy policy, boolean isStream, LongSupplier now) {
        this.policy = policy;
        this.isStream = isStream;
        this.now = now;
    }

    /** Returns the outage of one call, however long its attempts take. */
    static Outage ofCall(RetryPolicy policy, LongSupplier now) {
        return new Outage(policy, false, now);
    }

    /** Returns the outage of a stream: after a quiet time as long as the deadline it begins anew. */
    static Outage ofStream(RetryPolicy policy, LongSupplier now) {
        return new Outage(policy, true, now);
    }

    /** Returns the number of failures since it began. */
    int failures() {
        return failures;
    }

    /** Returns the time to wait before the next attempt; throws the error if there is to be none. */
    Duration pauseAfter(EdgehillException error) {
        long moment = now.getAsLong();
        boolean isQuiet = isStream && moment - last > policy.deadline().toNanos();
        if (failures == 0 || isQuiet) {
            failures = 0;
            began = moment;
        }
        failures += 1;
        last = moment;
        Duration atLeast = RetryPolicy.leastPause(error, failures).orElseThrow(() -> error);
        Duration pause = longer(atLeast, spread());
        Duration left = policy.deadline().minusNanos(moment - began);
        if (policy.deadline().isZero() || pause.compareTo(left) > 0) {
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
