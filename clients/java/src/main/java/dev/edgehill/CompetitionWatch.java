package dev.edgehill;

import dev.edgehill.v1.CompetitionServiceGrpc;
import dev.edgehill.v1.WatchCompetitionRequest;
import dev.edgehill.v1.WatchCompetitionResponse;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * The events of a competition as they come, with the competition after them; the end of the competition is its end.
 *
 * <p>A lost connection is opened again behind the last event that was taken: nothing is missed, and nothing comes twice.
 */
public final class CompetitionWatch extends ResumedStream<WatchCompetitionResponse> {
    private final Session session;

    CompetitionWatch(Connection connection, Optional<String> token, String competitionId, long afterEvent) {
        this(connection, token, new Session(competitionId, afterEvent));
    }

    private CompetitionWatch(Connection connection, Optional<String> token, Session session) {
        super(new StreamReader<>(connection, session, token));
        this.session = session;
    }

    /** Returns the number of the last event that was taken from the stream; 0: there is none yet. */
    public long lastEvent() {
        return session.lastEvent;
    }

    private static final class Session
            implements StreamSession<WatchCompetitionRequest, WatchCompetitionResponse, WatchCompetitionResponse> {
        private final String competitionId;
        private volatile long lastEvent;

        Session(String competitionId, long afterEvent) {
            this.competitionId = competitionId;
            this.lastEvent = afterEvent;
        }

        @Override
        public MethodDescriptor<WatchCompetitionRequest, WatchCompetitionResponse> method() {
            return CompetitionServiceGrpc.getWatchCompetitionMethod();
        }

        @Override
        public WatchCompetitionRequest request() {
            return WatchCompetitionRequest.newBuilder()
                    .setCompetitionId(competitionId)
                    .setAfterEvent(lastEvent)
                    .build();
        }

        @Override
        public Optional<WatchCompetitionResponse> take(WatchCompetitionResponse response) {
            int count = response.getEventsCount();
            if (count > 0) {
                lastEvent = response.getEvents(count - 1).getNumber();
            }
            return Optional.of(response);
        }
    }
}
