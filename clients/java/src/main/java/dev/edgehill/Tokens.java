package dev.edgehill;

import io.grpc.Metadata;
import java.util.Optional;
import java.util.regex.Pattern;

/** Keys of accounts and tokens of seats, as headers. */
final class Tokens {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private Tokens() {}

    /** Returns a key or token, if it is one that a header takes. */
    static String checked(String token) {
        if (!TOKEN.matcher(token).matches()) {
            // The text stays out of the message: it may be a secret with a line feed at its end.
            throw new InvalidOption("a key or token is printable ASCII without blanks, at least one character");
        }
        return token;
    }

    /** Returns the headers that name a call's caller. */
    static Metadata headers(Optional<String> token) {
        Metadata headers = new Metadata();
        token.ifPresent(given -> headers.put(AUTHORIZATION, "Bearer " + given));
        return headers;
    }
}
