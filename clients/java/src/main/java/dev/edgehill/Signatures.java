package dev.edgehill;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Ed25519 signatures (RFC 8032). */
final class Signatures {
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;
    /** The header of an Ed25519 key in X.509. */
    private static final ByteString KEY_HEADER = Hashes.bytes("302a300506032b6570032100");

    private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    /** The ordinates of the eight points of small order: 0, 1, -1, and those of order 8. */
    private static final Set<BigInteger> SMALL_ORDER = Set.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            P.subtract(BigInteger.ONE),
            ordinate(Hashes.bytes("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
            ordinate(Hashes.bytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")));

    private Signatures() {}

    /** Returns public keys in hexadecimal digits. */
    static List<String> digits(Collection<ByteString> keys) {
        return keys.stream().map(Hashes::hex).toList();
    }

    /**
     * Returns true if the holder of a public key has signed a message. A key of small order signs nothing, nor does
     * one that is written in another way than its own.
     */
    static boolean hasSigned(ByteString key, ByteString message, ByteString signature) {
        if (key.size() != KEY_BYTES || signature.size() != SIGNATURE_BYTES) {
            return false;
        }
        if (isUnfit(key) || isUnfit(signature.substring(0, KEY_BYTES))) {
            return false;
        }
        try {
            byte[] encoded = KEY_HEADER.concat(key).toByteArray();
            PublicKey holder = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(holder);
            verifier.update(message.toByteArray());
            return verifier.verify(signature.toByteArray());
        } catch (GeneralSecurityException none) {
            // Bytes that are no key, or no signature.
            return false;
        }
    }

    private static boolean isUnfit(ByteString point) {
        BigInteger y = ordinate(point);
        return y.compareTo(P) >= 0 || SMALL_ORDER.contains(y);
    }

    /** Returns the ordinate of a point: 255 bits, least significant byte first, and the sign of the other one. */
    private static BigInteger ordinate(ByteString point) {
        byte[] bytes = new byte[KEY_BYTES];
        for (int place = 0; place < KEY_BYTES; place++) {
            bytes[KEY_BYTES - 1 - place] = point.byteAt(place);
        }
        return new BigInteger(1, bytes).clearBit(255);
    }
}
