package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.ResponseOptions;
import java.util.Optional;
import java.util.OptionalInt;

/** The seat that is taken, for {@link Client#join}. Each setter returns the options themselves. */
public final class JoinOptions {
    private OptionalInt seat = OptionalInt.empty();
    private String invitation = "";
    private String player = "";
    private Optional<ByteString> entropy = Optional.empty();
    private ResponseOptions responseOptions = ResponseOptions.getDefaultInstance();
    private String requestId = "";

    JoinOptions() {}

    /** Names the seat, from 0; without it, the first open one or the invitation's is taken. */
    public JoinOptions setSeat(int number) {
        seat = OptionalInt.of(number);
        return this;
    }

    /** Sets the seat's invitation. */
    public JoinOptions setInvitation(String given) {
        invitation = given;
        return this;
    }

    /** Sets the player's name for others. */
    public JoinOptions setPlayer(String name) {
        player = name;
        return this;
    }

    /** Sets 32 bytes for the dice; without them they are drawn. Empty: none are given. */
    public JoinOptions setEntropy(ByteString given) {
        entropy = Optional.of(given);
        return this;
    }

    /** Sets the parts of the answer beside the least, such as {@link Responses#FULL}. */
    public JoinOptions setResponseOptions(ResponseOptions options) {
        responseOptions = options;
        return this;
    }

    /** Sets a request id of one's own. The same call with it happens once. */
    public JoinOptions setRequestId(String id) {
        requestId = id;
        return this;
    }

    OptionalInt seat() {
        return seat;
    }

    String invitation() {
        return invitation;
    }

    String player() {
        return player;
    }

    Optional<ByteString> entropy() {
        return entropy;
    }

    ResponseOptions responseOptions() {
        return responseOptions;
    }

    String requestId() {
        return requestId;
    }
}
