package dev.edgehill;

import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.WatchMatchRequest;
import dev.edgehill.v1.WatchMatchResponse;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.OptionalLong;

/** One observer's stream, over as many connections as it takes. */
final class WatchSession implements StreamSession<WatchMatchRequest, WatchMatchResponse, SeatUpdate> {
    private final WatchMatchRequest.Builder request;
    private MatchState state;
    private Prompt prompt;
    private volatile OptionalLong cursor;

    private record Prompt(long seq, LegalActions legal) {}

    WatchSession(WatchMatchRequest request) {
        this.request = request.toBuilder();
        this.cursor = request.hasAfterSeq() ? OptionalLong.of(request.getAfterSeq()) : OptionalLong.empty();
    }

    OptionalLong seq() {
        return cursor;
    }

    @Override
    public MethodDescriptor<WatchMatchRequest, WatchMatchResponse> method() {
        return MatchServiceGrpc.getWatchMatchMethod();
    }

    @Override
    public WatchMatchRequest request() {
        cursor.ifPresent(request::setAfterSeq);
        return request.build();
    }

    /** A connection begins with all that may be known: the part that the reader has is left out. */
    @Override
    public Optional<SeatUpdate> take(WatchMatchResponse response) {
        if (!response.hasUpdate()) {
            return Optional.empty();
        }
        SeatUpdate update = response.getUpdate();
        // Before the match has begun there is no number to go on from: a new connection is to bring the view.
        if (cursor.isPresent() || update.hasView() || update.getEventsCount() > 0) {
            cursor = OptionalLong.of(update.getSeq());
        }
        SeatUpdate.Builder news = update.toBuilder();
        if (update.hasState() && update.getState().equals(state)) {
            news.clearState();
        }
        Prompt asked = new Prompt(update.getSeq(), update.getLegalActions());
        if (update.hasLegalActions() && asked.equals(prompt)) {
            news.clearLegalActions();
        }
        boolean isPart = news.hasState() != update.hasState() || news.hasLegalActions() != update.hasLegalActions();
        if (update.hasState()) {
            state = update.getState();
        }
        if (update.hasLegalActions()) {
            prompt = asked;
        }
        boolean isEmpty = !news.hasView() && news.getEventsCount() == 0 && !news.hasState() && !news.hasLegalActions();
        return isPart && isEmpty ? Optional.empty() : Optional.of(news.build());
    }
}
