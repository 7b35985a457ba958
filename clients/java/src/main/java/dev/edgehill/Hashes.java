package dev.edgehill;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over parts, and bytes as lower-case hexadecimal digits. */
final class Hashes {
    private Hashes() {}

    /** Returns the hash of the parts, one after the other. */
    static ByteString sha256(ByteString... parts) {
        MessageDigest digest = algorithm();
        for (ByteString part : parts) {
            digest.update(part.asReadOnlyByteBuffer());
        }
        return ByteString.copyFrom(digest.digest());
    }

    static ByteString sha256(String text) {
        return sha256(utf8(text));
    }

    static ByteString utf8(String text) {
        return ByteString.copyFrom(text, StandardCharsets.UTF_8);
    }

    static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /** Returns the bytes of digits; throws {@link IllegalArgumentException} for a text that is none. */
    static ByteString bytes(String digits) {
        return ByteString.copyFrom(HexFormat.of().parseHex(digits));
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            // Every platform of Java has it.
            throw new IllegalStateException(impossible);
        }
    }
}
