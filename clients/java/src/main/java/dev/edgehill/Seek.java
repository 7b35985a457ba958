package dev.edgehill;

import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.PairedSeat;
import dev.edgehill.v1.SeekCount;
import dev.edgehill.v1.SeekMatchRequest;
import dev.edgehill.v1.SeekMatchResponse;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The number of those who seek, until the seek is paired or closed; {@link #result} is the seat then.
 *
 * <p>The seek is open while it is iterated or waited for. A lost connection is opened again with the same request id: nobody
 * is paired twice, and who was paired meanwhile has their seat. {@link #close} takes the seek back.
 */
public final class Seek extends ResumedStream<SeekCount> {
    private final Session session;

    Seek(Connection connection, Optional<String> token, SeekMatchRequest request) {
        this(connection, token, new Session(request));
    }

    private Seek(Connection connection, Optional<String> token, Session session) {
        super(new StreamReader<>(connection, session, token));
        this.session = session;
    }

    /** Returns the seat, for {@link Client#join}, once the seek was paired. */
    public Optional<PairedSeat> result() {
        return Optional.ofNullable(session.result);
    }

    /**
     * Waits until the seek is paired.
     *
     * @throws Refused SEEK_EXPIRED if nobody comes in time
     * @throws CallFailed {@code CANCELLED} if the seek is closed
     */
    public PairedSeat paired() {
        while (hasNext()) {
            next();
        }
        return result().orElseThrow(() -> new CallFailed(Status.Code.CANCELLED, "the seek is closed", null));
    }

    private static final class Session implements StreamSession<SeekMatchRequest, SeekMatchResponse, SeekCount> {
        /** Longer than any server lets somebody seek: a year. */
        private static final long LONGEST_SECONDS = TimeUnit.DAYS.toSeconds(365);

        private final SeekMatchRequest request;
        private OptionalLong ends = OptionalLong.empty();
        private volatile PairedSeat result;

        Session(SeekMatchRequest request) {
            this.request = request;
        }

        @Override
        public MethodDescriptor<SeekMatchRequest, SeekMatchResponse> method() {
            return MatchServiceGrpc.getSeekMatchMethod();
        }

        /** The same request each time, for as much time as is left. */
        @Override
        public SeekMatchRequest request() {
            if (!request.hasWait()) {
                return request;
            }
            long now = System.nanoTime();
            if (ends.isEmpty()) {
                long seconds = Math.min(request.getWait().getSeconds(), LONGEST_SECONDS);
                ends = OptionalLong.of(now
                        + TimeUnit.SECONDS.toNanos(seconds)
                        + request.getWait().getNanos());
                return request;
            }
            long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(ends.getAsLong() - now));
            return request.toBuilder()
                    .setWait(Durations.of(Duration.ofMillis(left)))
                    .build();
        }

        @Override
        public Optional<SeekCount> take(SeekMatchResponse response) {
            if (response.hasPaired()) {
                result = response.getPaired();
            }
            return response.hasSeeking() ? Optional.of(response.getSeeking()) : Optional.empty();
        }

        @Override
        public boolean isOver() {
            return result != null;
        }

        @Override
        public Optional<EdgehillException> endedBy() {
            return Optional.of(new CallFailed(Status.Code.UNAVAILABLE, "the stream ended before the pairing", null));
        }
    }
}
