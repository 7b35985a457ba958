package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.Collectors;

/** Comparisons whose failure tells both sides. */
final class Expected {
    private Expected() {}

    /** Throws {@link Unverified} unless both are the same. Bytes are shown as hexadecimal digits. */
    static void same(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new Unverified(what + ": expected " + shown(expected) + ", found " + shown(found));
        }
    }

    private static String shown(Object value) {
        if (value instanceof ByteString bytes) {
            return bytes.isEmpty() ? "none" : Hashes.hex(bytes);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Expected::shown).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String text ? RecordText.quote(text) : String.valueOf(value);
    }
}
