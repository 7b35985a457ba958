package dev.edgehill;

import dev.edgehill.v1.ActionBatch;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ApplyMode;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.PlaySeatsRequest;
import dev.edgehill.v1.StandingPass;
import dev.edgehill.v1.UndoSpan;
import dev.edgehill.v1.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A seat that is open in a {@link PlaySession}: the view of it, its prompt, and its calls.
 *
 * <p>Each call returns its request id at once; the answer comes as {@link PlayEvent}. It is sent again with its id when the
 * stream was lost before the answer. Calls throw {@link EdgehillException} once the seat is closed. Safe for any number of
 * threads: what it tells is of the last news that the session has handed out, or newer.
 */
public final class PlayedSeat {
    private final PlaySession session;
    private final SeatProgress progress;

    PlayedSeat(PlaySession session, SeatProgress progress) {
        this.session = session;
        this.progress = progress;
    }

    /** Returns the seat's token. */
    public String token() {
        return progress.token();
    }

    /** Returns its number in the stream, from 1. */
    public int channel() {
        return progress.channel();
    }

    /** Returns the seat's number in its match, from 0. Empty: the server has not answered yet. */
    public OptionalInt number() {
        synchronized (session.lock()) {
            return progress.number();
        }
    }

    /** Returns the match's config. Empty: the server has not answered yet. */
    public Optional<MatchConfig> config() {
        synchronized (session.lock()) {
            return progress.config();
        }
    }

    /** Returns the match's state. Empty: the server has not answered yet. */
    public Optional<MatchState> state() {
        synchronized (session.lock()) {
            return progress.tracker().state();
        }
    }

    /** Returns the view of the seat. Empty before the match begins, or where no events are sent. */
    public Optional<View> view() {
        synchronized (session.lock()) {
            return progress.tracker().view();
        }
    }

    /** Returns the number of the last event. */
    public long seq() {
        synchronized (session.lock()) {
            return progress.tracker().seq();
        }
    }

    /** Returns the legal actions of the prompt that is outstanding. Empty: nothing is asked of the seat. */
    public Optional<LegalActions> legal() {
        synchronized (session.lock()) {
            return progress.legal();
        }
    }

    /**
     * Returns the time that is left for the decision that the seat is asked for, at least zero: what the server has told, less
     * what has passed since it came, so that it is less with each call. Empty: nothing is asked of the seat, or no clock runs
     * for it.
     */
    public Optional<Duration> timeLeft() {
        synchronized (session.lock()) {
            return progress.timeLeft();
        }
    }

    /** Returns true if it was closed. */
    public boolean isClosed() {
        synchronized (session.lock()) {
            return progress.isClosed();
        }
    }

    /** Takes actions, as {@link Seat#apply(ActionList)}. */
    public String apply(ActionList actions) {
        return apply(ActionBatch.newBuilder()
                .setActions(actions)
                .setMode(ApplyMode.APPLY_MODE_ATOMIC)
                .build());
    }

    /** Takes actions, with the number that the decision rests on, or with what stays of the draft. */
    public String apply(ActionBatch batch) {
        return call(request -> request.setApply(batch));
    }

    /** Takes back the last action of the draft. */
    public String undo() {
        return undo(UndoSpan.getDefaultInstance());
    }

    /** Takes back the end of the draft. */
    public String undo(UndoSpan span) {
        return call(request -> request.setUndo(span));
    }

    /** Gives up. The match is finished. */
    public String resign() {
        return call(request -> request.setResign(PlaySeatsRequest.Resign.getDefaultInstance()));
    }

    /** Offers a draw, until the seat's next action is final. */
    public String offerDraw() {
        return call(request -> request.setOfferDraw(PlaySeatsRequest.OfferDraw.getDefaultInstance()));
    }

    /** Accepts the draw that all other seats offer. The match is finished. */
    public String acceptDraw() {
        return call(request -> request.setAcceptDraw(PlaySeatsRequest.AcceptDraw.getDefaultInstance()));
    }

    /** Declines the draw that other seats offer. Their offers lapse. */
    public String declineDraw() {
        return call(request -> request.setDeclineDraw(PlaySeatsRequest.DeclineDraw.getDefaultInstance()));
    }

    /** Offers to adjourn the match for at most so long, until the seat's next action is final. */
    public String offerAdjournment(Duration adjournFor) {
        return call(request -> request.getOfferAdjournmentBuilder().setAdjournFor(Durations.of(adjournFor)));
    }

    /** Accepts the adjournment that all other seats offer. */
    public String acceptAdjournment() {
        return call(request -> request.setAcceptAdjournment(PlaySeatsRequest.AcceptAdjournment.getDefaultInstance()));
    }

    /** Accepts the adjournment that all other seats offer, for at most so long; the least that was named holds. */
    public String acceptAdjournment(Duration adjournFor) {
        return call(request -> request.getAcceptAdjournmentBuilder().setAdjournFor(Durations.of(adjournFor)));
    }

    /** Declines the adjournment that other seats offer. Their offers lapse. */
    public String declineAdjournment() {
        return call(request -> request.setDeclineAdjournment(PlaySeatsRequest.DeclineAdjournment.getDefaultInstance()));
    }

    /** Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked. */
    public String resume() {
        return call(request -> request.setResume(PlaySeatsRequest.Resume.getDefaultInstance()));
    }

    /** Replaces the windows that the server declines for the seat; an empty list takes all back. */
    public String setStandingPasses(List<StandingPass> standingPasses) {
        return call(request -> request.getSetStandingPassesBuilder().addAllStandingPasses(standingPasses));
    }

    /**
     * Makes a call that is set in the request, with the request id that is set there or, without one, the next of the seat's.
     *
     * @throws IllegalArgumentException for a request that has no call, or opens or closes the seat
     */
    public String call(Consumer<PlaySeatsRequest.Builder> call) {
        PlaySeatsRequest.Builder request = PlaySeatsRequest.newBuilder();
        call.accept(request);
        switch (request.getCallCase()) {
            case CALL_NOT_SET, OPEN, CLOSE ->
                throw new IllegalArgumentException(
                        "a call of a seat that is open was expected, found " + request.getCallCase());
            default -> {
                return session.send(progress, request);
            }
        }
    }

    /** Closes the seat here. It keeps its place, its draft and its token. */
    public void close() {
        session.send(progress, PlaySeatsRequest.newBuilder().setClose(PlaySeatsRequest.Close.getDefaultInstance()));
    }
}
