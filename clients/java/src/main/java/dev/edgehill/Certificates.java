package dev.edgehill;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The certificates that a client trusts and shows, each the content of a PEM file; null where there is none.
 *
 * @param ca the authorities that the server's certificate may be of, instead of those that Java knows
 * @param cert the client's own certificate
 * @param certKey the private key of {@code cert}, in PKCS #8
 */
record Certificates(String ca, String cert, String certKey) {
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    private static final String PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----";

    /** Returns what gRPC needs; refuses certificates that are none, or that lack their key, or that go with no TLS. */
    ChannelCredentials credentials(ServerAddress address) {
        if ((cert == null) != (certKey == null)) {
            throw new InvalidOption("a certificate goes with its key: cert and certKey");
        }
        check("ca", ca, CERTIFICATE, "certificate in PEM");
        check("cert", cert, CERTIFICATE, "certificate in PEM");
        check("certKey", certKey, PRIVATE_KEY, "private key in PEM, as PKCS #8");
        if (!address.isSecure()) {
            if (ca != null || cert != null) {
                throw new InvalidOption("certificates go with https://");
            }
            return InsecureChannelCredentials.create();
        }
        try {
            TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
            if (ca != null) {
                tls.trustManager(stream(ca));
            }
            if (cert != null) {
                tls.keyManager(stream(cert), stream(certKey));
            }
            return tls.build();
        } catch (IOException unreadable) {
            throw new InvalidOption("the certificates can't be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static void check(String name, String pem, String begin, String expected) {
        if (pem != null && !pem.contains(begin)) {
            throw new InvalidOption(name + " holds no " + expected);
        }
    }

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
