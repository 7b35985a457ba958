package dev.edgehill;

import com.google.protobuf.ByteString;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The bytes of ChaCha20 (RFC 8439) for one chance event, from its first one on. Not for several threads at once. */
public final class KeyStream {
    private static final int BLOCK_BYTES = 64;
    private static final byte[] ZEROS = new byte[BLOCK_BYTES];

    private final Cipher cipher;
    private byte[] block = {};
    private int next;

    KeyStream(ByteString seed, long stream, long n) {
        byte[] nonce =
                Dice.le32(0).concat(Dice.le32(stream)).concat(Dice.le32(n)).toByteArray();
        try {
            cipher = Cipher.getInstance("ChaCha20");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(seed.toByteArray(), "ChaCha20"),
                    new ChaCha20ParameterSpec(nonce, 0));
        } catch (GeneralSecurityException wrong) {
            throw new IllegalArgumentException("a seed has 32 bytes, found " + seed.size(), wrong);
        }
    }

    /** Returns the next byte, from 0 to 255. */
    public int nextByte() {
        if (next == block.length) {
            block = cipher.update(ZEROS);
            next = 0;
        }
        return Byte.toUnsignedInt(block[next++]);
    }

    /** Returns the next 8 bytes as a number without a sign, least significant byte first. */
    public long nextLong() {
        long number = 0;
        for (int place = 0; place < Long.SIZE; place += Byte.SIZE) {
            number |= (long) nextByte() << place;
        }
        return number;
    }
}
