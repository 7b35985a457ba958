package dev.edgehill;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.edgehill.v1.Refusal;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;

/** Statuses of gRPC as errors of this package. */
final class Failures {
    private Failures() {}

    /** Returns the error for a status that a server or the connection has given. */
    static EdgehillException of(Status status, Metadata trailers) {
        return refusalOf(status, trailers)
                .<EdgehillException>map(Refused::new)
                .orElseGet(() -> new CallFailed(status.getCode(), detailsOf(status), status.getCause()));
    }

    static Optional<EdgehillException> of(Throwable thrown) {
        if (thrown instanceof EdgehillException own) {
            return Optional.of(own);
        }
        if (thrown instanceof StatusRuntimeException failed) {
            return Optional.of(of(failed.getStatus(), failed.getTrailers()));
        }
        if (thrown instanceof StatusException failed) {
            return Optional.of(of(failed.getStatus(), failed.getTrailers()));
        }
        return Optional.empty();
    }

    /** Returns the words of the deepest cause: where a connection is refused the status says no more than UNAVAILABLE. */
    static String detailsOf(Status status) {
        Throwable deepest = status.getCause();
        while (deepest != null && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String said = status.getDescription();
        if (deepest == null) {
            return said == null ? "no details" : said;
        }
        String cause = deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
        return said == null || said.startsWith("io exception") ? cause : said + ": " + cause;
    }

    private static Optional<Refusal> refusalOf(Status status, Metadata trailers) {
        if (trailers == null) {
            return Optional.empty();
        }
        try {
            com.google.rpc.Status whole = StatusProto.fromStatusAndTrailers(status, trailers);
            for (var detail : whole.getDetailsList()) {
                if (detail.is(Refusal.class)) {
                    return Optional.of(detail.unpack(Refusal.class));
                }
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            // Details that are none are those of something else than an Edgehill; the status stands.
            return Optional.empty();
        }
        return Optional.empty();
    }
}
