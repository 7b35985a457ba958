package dev.edgehill;

import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.PlaySeatsRequest;
import dev.edgehill.v1.PlaySeatsResponse;
import dev.edgehill.v1.SeatUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The progress of one seat of a stream, without I/O: its view, and its calls that are not answered. Guarded by the session. */
final class SeatProgress {
    /** The refusals of a choice that something else came before, such as a resignation: the prompt is void. */
    static final Set<ErrorReason> OVERTAKEN = EnumSet.of(
            ErrorReason.ERROR_REASON_NOT_YOUR_TURN,
            ErrorReason.ERROR_REASON_MATCH_FINISHED,
            ErrorReason.ERROR_REASON_ADJOURNED);

    /** The refusals of what came behind an opening that was refused: it goes with the next one. */
    private static final Set<ErrorReason> BEHIND =
            EnumSet.of(ErrorReason.ERROR_REASON_RATE_LIMITED, ErrorReason.ERROR_REASON_UNKNOWN_CHANNEL);

    private final int channel;
    private final PlaySeatsRequest.Open opening;
    private final RequestIds ids = new RequestIds();
    private final ViewTracker tracker = new ViewTracker();
    private final Outage haste;
    private final AnswerDeadline deadline = new AnswerDeadline();
    private final List<PlaySeatsRequest> pending = new ArrayList<>();
    private OptionalLong cursor;
    private OptionalInt number = OptionalInt.empty();
    private Optional<MatchConfig> config = Optional.empty();
    private Optional<LegalActions> legal = Optional.empty();
    private boolean opensAgain;
    private boolean isClosed;

    /** The news of an update, and whether a view has to be asked for since the events do not give it. */
    record Updated(PlayEvent news, boolean isStale) {}

    SeatProgress(int channel, PlaySeatsRequest.Open opening, RetryPolicy policy) {
        this.channel = channel;
        boolean hasDetail = opening.getLegal() != LegalDetail.LEGAL_DETAIL_UNSPECIFIED;
        this.opening = hasDetail
                ? opening
                : opening.toBuilder().setLegal(LegalDetail.LEGAL_DETAIL_IDS).build();
        this.haste = Outage.ofStream(policy, System::nanoTime);
        this.cursor = opening.hasAfterSeq()
                ? OptionalLong.of(opening.getAfterSeq())
                : opening.getOmitEvents() ? OptionalLong.of(0) : OptionalLong.empty();
    }

    String token() {
        return opening.getSeatToken();
    }

    int channel() {
        return channel;
    }

    OptionalInt number() {
        return number;
    }

    Optional<MatchConfig> config() {
        return config;
    }

    Optional<LegalActions> legal() {
        return legal;
    }

    Optional<Duration> timeLeft() {
        return deadline.left(System.nanoTime());
    }

    ViewTracker tracker() {
        return tracker;
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean includesText() {
        return opening.getIncludeText();
    }

    /** Takes note of a call that is made. Empty: it goes with the next opening. */
    Optional<PlaySeatsRequest> call(PlaySeatsRequest.Builder given) {
        if (isClosed) {
            throw new EdgehillException("the seat is closed in this stream");
        }
        given.setChannel(channel);
        if (!given.hasClose()) {
            given.setRequestId(ids.orNext(given.getRequestId()));
        }
        PlaySeatsRequest request = given.build();
        pending.add(request);
        return opensAgain ? Optional.empty() : Optional.of(request);
    }

    /** Returns a new connection's first requests: the seat with its cursor, and the calls that were not answered. */
    List<PlaySeatsRequest> toSend() {
        if (isClosed) {
            return List.of();
        }
        PlaySeatsRequest.Open.Builder open = opening.toBuilder();
        cursor.ifPresent(open::setAfterSeq);
        List<PlaySeatsRequest> requests = new ArrayList<>();
        requests.add(
                PlaySeatsRequest.newBuilder().setChannel(channel).setOpen(open).build());
        requests.addAll(pending);
        return requests;
    }

    /** Returns true if the seat is to be closed. */
    boolean isClosing() {
        return pending.stream().anyMatch(PlaySeatsRequest::hasClose);
    }

    /** Returns true for the refusal of a call that came behind an opening which is made again, and goes with it. */
    boolean cameBehind(String requestId, Refused refused) {
        return !requestId.isEmpty() && opensAgain && BEHIND.contains(refused.reason());
    }

    /**
     * Returns the time after which something that came too fast is sent once more; empty if that can't be. Made again, a call
     * would come after those that were made after it: so only the last one is.
     */
    Optional<Duration> pauseBeforeAgain(String requestId, Refused refused) {
        boolean isLast = !pending.isEmpty()
                && pending.get(pending.size() - 1).getRequestId().equals(requestId);
        if (!requestId.isEmpty() && !isLast) {
            return Optional.empty();
        }
        try {
            Duration pause = haste.pauseAfter(refused);
            opensAgain |= requestId.isEmpty();
            return Optional.of(pause);
        } catch (EdgehillException last) {
            return Optional.empty();
        }
    }

    /** Returns the messages that are sent once more: the opening with all behind it, or the last call if it is pending still. */
    List<PlaySeatsRequest> again(String requestId) {
        if (requestId.isEmpty()) {
            return toSend();
        }
        return pending.stream()
                .filter(call -> call.getRequestId().equals(requestId))
                .toList();
    }

    void opened(PlaySeatsResponse.Opened opened) {
        haste.end();
        opensAgain = false;
        number = OptionalInt.of(opened.getSeat());
        config = Optional.of(opened.getMatch().getConfig());
        if (opened.hasView()) {
            tracker.begin(opened.getView(), opened.getMatch().getSeq());
            cursor = OptionalLong.of(opened.getMatch().getSeq());
        }
    }

    /** Takes an update that came at a moment of {@link System#nanoTime}. */
    Updated updated(PlayedSeat seat, String requestId, SeatUpdate update, long at) {
        deadline.take(update, at);
        boolean isStale = false;
        try {
            tracker.fold(update);
        } catch (FoldFailed failure) {
            isStale = true;
        }
        // Before the match has begun there is no number to go on from: a new connection is to bring the view.
        if (cursor.isPresent() || tracker.view().isPresent()) {
            cursor = OptionalLong.of(tracker.seq());
        }
        if (!requestId.isEmpty()) {
            answered(requestId);
            legal = Optional.empty();
        }
        // The seat is asked anew when the match goes on.
        if (update.getState().hasAdjournment()) {
            legal = Optional.empty();
        }
        if (update.hasLegalActions()) {
            legal = Optional.of(update.getLegalActions());
        }
        // While a call has no answer, a prompt may be out of date.
        boolean isAsked = update.hasLegalActions() && pending.isEmpty();
        PlayEvent news = new PlayEvent(
                seat,
                update.getEventsList(),
                isAsked ? legal : Optional.empty(),
                update.hasApplyResult() ? Optional.of(update.getApplyResult()) : Optional.empty(),
                Optional.empty(),
                false,
                requestId);
        return new Updated(news, isStale);
    }

    void looked(GetViewResponse found) {
        tracker.begin(found.getView(), found.getSeq());
        cursor = OptionalLong.of(found.getSeq());
    }

    /** Takes the refusal of a call: the prompt stands, unless something else came before. */
    PlayEvent refused(PlayedSeat seat, String requestId, Refused refused) {
        answered(requestId);
        if (OVERTAKEN.contains(refused.reason())) {
            legal = Optional.empty();
            deadline.clear();
        }
        Optional<LegalActions> asked = pending.isEmpty() ? legal : Optional.empty();
        return new PlayEvent(seat, List.of(), asked, Optional.empty(), Optional.of(refused), false, requestId);
    }

    PlayEvent ended(PlayedSeat seat, Optional<Refused> refused) {
        isClosed = true;
        legal = Optional.empty();
        deadline.clear();
        pending.clear();
        return new PlayEvent(seat, List.of(), Optional.empty(), Optional.empty(), refused, true, "");
    }

    private void answered(String requestId) {
        haste.end();
        for (int place = 0; place < pending.size(); place++) {
            if (pending.get(place).getRequestId().equals(requestId)) {
                pending.remove(place);
                return;
            }
        }
    }
}
