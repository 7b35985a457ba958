package dev.edgehill;

import java.time.Duration;

/** Times of the wire as those of Java, and back. */
final class Durations {
    private Durations() {}

    static Duration of(com.google.protobuf.Duration wire) {
        return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
    }

    static com.google.protobuf.Duration of(Duration given) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(given.getSeconds())
                .setNanos(given.getNano())
                .build();
    }
}
