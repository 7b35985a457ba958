package dev.edgehill;

import com.google.protobuf.ByteString;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelRegistry;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A client in the making: {@link Client#builder}. Each method returns the builder itself. */
public final class ClientBuilder {
    // A connection that died without a word is noticed in half a minute, also by a client that only listens.
    private static final int PING_SECONDS = 20;
    private static final int PONG_SECONDS = 10;
    private static final int SECRET_BYTES = 32;

    private final String server;
    private Optional<String> key = Optional.empty();
    private Optional<ByteString> clientSecret = Optional.empty();
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private String ca;
    private String cert;
    private String certKey;

    ClientBuilder(String server) {
        this.server = server;
    }

    /** Sets an account's key, where the server asks for accounts. */
    public ClientBuilder key(String accountKey) {
        key = Optional.of(accountKey);
        return this;
    }

    /** Sets the times for connecting, and for repeating calls that got no answer. */
    public ClientBuilder retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    /**
     * Sets 32 bytes that tell this client's requests from others' where there are no accounts: who repeats a request with
     * them after a restart is given the same. Without them they are drawn.
     */
    public ClientBuilder clientSecret(ByteString secret) {
        clientSecret = Optional.of(secret);
        return this;
    }

    /** Sets the authorities that the server's certificate may be of, instead of those that Java knows: a PEM file's text. */
    public ClientBuilder ca(String pem) {
        ca = pem;
        return this;
    }

    /** Sets the client's own certificate, for a server that asks for one: a PEM file's text. */
    public ClientBuilder cert(String pem) {
        cert = pem;
        return this;
    }

    /** Sets the private key of the client's own certificate: a PEM file's text, in PKCS #8. */
    public ClientBuilder certKey(String pem) {
        certKey = pem;
        return this;
    }

    /**
     * Returns the client. Nothing is sent before its first call.
     *
     * @throws InvalidOption for an address, a key or a certificate that is none
     */
    public Client build() {
        ServerAddress address = ServerAddress.read(server);
        key.ifPresent(Tokens::checked);
        ChannelCredentials credentials = new Certificates(ca, cert, certKey).credentials(address);
        Connection connection = new Connection(channel(address, credentials), address, retry);
        return new Client(
                new AsyncClient(connection, key, clientSecret.orElseGet(() -> RequestIds.random(SECRET_BYTES))));
    }

    private static ManagedChannel channel(ServerAddress address, ChannelCredentials credentials) {
        try {
            return Grpc.newChannelBuilderForAddress(address.host(), address.port(), credentials)
                    .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                    .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
                    .disableRetry()
                    .build();
        } catch (IllegalArgumentException | ManagedChannelRegistry.ProviderNotFoundException unfit) {
            if (!address.isSecure()) {
                throw unfit;
            }
            throw new InvalidOption("the certificates can't be used: " + unfit.getMessage(), unfit);
        }
    }
}
