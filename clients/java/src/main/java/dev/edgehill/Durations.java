package dev.edgehill;

import java.time.Duration;

/** Times of the wire as those of Java, and back. */
final class Durations {
    private Durations() {}

    static Duration of(com.google.protobuf.Duration wire) {
        // A server may send any numbers: those that no time has are as long as a time can be.
        long bound = Long.MAX_VALUE / 2;
        return Duration.ofSeconds(Math.max(-bound, Math.min(bound, wire.getSeconds())), wire.getNanos());
    }

    static com.google.protobuf.Duration of(Duration given) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(given.getSeconds())
                .setNanos(given.getNano())
                .build();
    }
}
