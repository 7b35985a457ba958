package dev.edgehill;

import com.google.protobuf.ByteString;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Request ids that no other run of a program uses: a random prefix and a counter. */
final class RequestIds {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String prefix = HexFormat.of().formatHex(random(8).toByteArray());
    private final AtomicLong count = new AtomicLong();

    /** Returns the id that was given or, without one, the next of its own. */
    String orNext(String given) {
        return given.isEmpty() ? prefix + "-" + count.incrementAndGet() : given;
    }

    /** Returns so many bytes from the platform's own source of randomness. */
    static ByteString random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }
}
