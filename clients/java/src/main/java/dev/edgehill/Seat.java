package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.AcceptAdjournmentRequest;
import dev.edgehill.v1.AcceptDrawRequest;
import dev.edgehill.v1.Action;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ApplyActionsRequest;
import dev.edgehill.v1.DeclineAdjournmentRequest;
import dev.edgehill.v1.DeclineDrawRequest;
import dev.edgehill.v1.ExplainActionResponse;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.JoinMatchResponse;
import dev.edgehill.v1.LeaveMatchRequest;
import dev.edgehill.v1.ListLegalActionsRequest;
import dev.edgehill.v1.ListLegalActionsResponse;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.OfferAdjournmentRequest;
import dev.edgehill.v1.OfferDrawRequest;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.RematchMatchRequest;
import dev.edgehill.v1.RematchMatchResponse;
import dev.edgehill.v1.ResignMatchRequest;
import dev.edgehill.v1.ResumeMatchRequest;
import dev.edgehill.v1.RevealEntropyRequest;
import dev.edgehill.v1.RevealEntropyResponse;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.SetStandingPassesRequest;
import dev.edgehill.v1.StandingPass;
import dev.edgehill.v1.UndoActionsRequest;
import dev.edgehill.v1.WatchMatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A seat of a match, by its token. The holder of the token plays the seat, so it is a secret.
 *
 * <p>Each call waits for its answer, as those of {@link Client} do. Each that changes something takes a new request id and
 * keeps it in every repetition; a {@code request_id} that the caller sets in the request is kept. Safe for any number of
 * threads.
 */
public final class Seat {
    private final AsyncSeat async;

    Seat(AsyncSeat async) {
        this.async = async;
    }

    /** Returns the same seat with calls that return at once. */
    public AsyncSeat async() {
        return async;
    }

    /** Returns the id of the match. */
    public String matchId() {
        return async.matchId();
    }

    /** Returns the secret that plays the seat. */
    public String token() {
        return async.token();
    }

    /** Returns the answer to the call that took the seat. Empty for a seat that was taken up by its token alone. */
    public Optional<JoinMatchResponse> joined() {
        return async.joined();
    }

    /** Returns the seat's number, from 0. Empty for a seat that was taken up by its token alone. */
    public OptionalInt number() {
        return async.number();
    }

    /** Returns the entropy that was given for the dice. Empty: none. */
    public Optional<ByteString> entropy() {
        return async.entropy();
    }

    /** Gets the match's config and state, with the last number of this seat's sequence. */
    public Match get() {
        return Futures.await(async.get());
    }

    /** Gets the view of the seat now. */
    public GetViewResponse view() {
        return Futures.await(async.view());
    }

    /** Gets a view, as the request says: of the seat or of a spectator, now or at the beginning, with words. */
    public GetViewResponse view(Consumer<GetViewRequest.Builder> options) {
        return Futures.await(async.view(options));
    }

    /** Gets the server's signed word for all that it has published to the seat: the hash of a {@link Transcript} of it. */
    public Receipt receipt() {
        return Futures.await(async.receipt());
    }

    /** Lists the ids of the actions that the seat may take now. */
    public ListLegalActionsResponse legal() {
        return Futures.await(async.legal());
    }

    /** Lists the actions that the seat may take now, as the request says: in which detail, of which verbs, about what. */
    public ListLegalActionsResponse legal(Consumer<ListLegalActionsRequest.Builder> options) {
        return Futures.await(async.legal(options));
    }

    /** Explains why the seat may not take an action now, which {@link Actions#action(String)} and its likes give. */
    public ExplainActionResponse explain(Action action) {
        return Futures.await(async.explain(action));
    }

    /** Takes actions, as one. {@code apply_result} of the update says how many were taken. */
    public SeatUpdate apply(ActionList actions) {
        return Futures.await(async.apply(actions));
    }

    /** Takes actions, as the request says: its batch has the number that the decision rests on, and what stays of a draft. */
    public SeatUpdate apply(ActionList actions, Consumer<ApplyActionsRequest.Builder> options) {
        return Futures.await(async.apply(actions, options));
    }

    /** Takes back the last action of the draft. */
    public SeatUpdate undo() {
        return Futures.await(async.undo());
    }

    /** Takes back the end of the draft, as the request's span says. */
    public SeatUpdate undo(Consumer<UndoActionsRequest.Builder> options) {
        return Futures.await(async.undo(options));
    }

    /** Gives up. The match is finished. */
    public SeatUpdate resign() {
        return Futures.await(async.resign());
    }

    /** Gives up, with an answer as the request says. */
    public SeatUpdate resign(Consumer<ResignMatchRequest.Builder> options) {
        return Futures.await(async.resign(options));
    }

    /** Gives the seat back before the match has begun. Its token is void from then on. */
    public Match leave() {
        return Futures.await(async.leave());
    }

    /** Gives the seat back, with a request id of the caller's own. */
    public Match leave(Consumer<LeaveMatchRequest.Builder> options) {
        return Futures.await(async.leave(options));
    }

    /**
     * Makes the match that follows this one, which is finished: the same players with their sides swapped. It is made once,
     * whoever asks first; {@link Client#join} takes the new seat by its number and its invitation.
     */
    public RematchMatchResponse rematch() {
        return Futures.await(async.rematch());
    }

    /** Makes the match that follows this one, with a request id of the caller's own. */
    public RematchMatchResponse rematch(Consumer<RematchMatchRequest.Builder> options) {
        return Futures.await(async.rematch(options));
    }

    /** Offers a draw, until the seat's next action is final. */
    public Match offerDraw() {
        return Futures.await(async.offerDraw());
    }

    /** Offers a draw, with a request id of the caller's own. */
    public Match offerDraw(Consumer<OfferDrawRequest.Builder> options) {
        return Futures.await(async.offerDraw(options));
    }

    /** Accepts the draw that all other seats offer. The match is finished. */
    public SeatUpdate acceptDraw() {
        return Futures.await(async.acceptDraw());
    }

    /** Accepts the draw, with an answer as the request says. */
    public SeatUpdate acceptDraw(Consumer<AcceptDrawRequest.Builder> options) {
        return Futures.await(async.acceptDraw(options));
    }

    /** Declines the draw that other seats offer. Their offers lapse. */
    public Match declineDraw() {
        return Futures.await(async.declineDraw());
    }

    /** Declines the draw, with a request id of the caller's own. */
    public Match declineDraw(Consumer<DeclineDrawRequest.Builder> options) {
        return Futures.await(async.declineDraw(options));
    }

    /**
     * Offers to adjourn the match, until the seat's next action is final: for at most so long, from a minute to 30 days. House
     * bots agree at once.
     */
    public Match offerAdjournment(Duration adjournFor) {
        return Futures.await(async.offerAdjournment(adjournFor));
    }

    /** Offers to adjourn the match, with a request id of the caller's own. */
    public Match offerAdjournment(Duration adjournFor, Consumer<OfferAdjournmentRequest.Builder> options) {
        return Futures.await(async.offerAdjournment(adjournFor, options));
    }

    /** Accepts the adjournment that all other seats offer: no clock runs, and nobody is to act. */
    public Match acceptAdjournment() {
        return Futures.await(async.acceptAdjournment());
    }

    /** Accepts the adjournment, as the request says: with the longest time for this seat. The least that was named holds. */
    public Match acceptAdjournment(Consumer<AcceptAdjournmentRequest.Builder> options) {
        return Futures.await(async.acceptAdjournment(options));
    }

    /** Declines the adjournment that other seats offer. Their offers lapse. */
    public Match declineAdjournment() {
        return Futures.await(async.declineAdjournment());
    }

    /** Declines the adjournment, with a request id of the caller's own. */
    public Match declineAdjournment(Consumer<DeclineAdjournmentRequest.Builder> options) {
        return Futures.await(async.declineAdjournment(options));
    }

    /** Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked. */
    public Match resume() {
        return Futures.await(async.resume());
    }

    /** Asks for the match to go on, with a request id of the caller's own. */
    public Match resume(Consumer<ResumeMatchRequest.Builder> options) {
        return Futures.await(async.resume(options));
    }

    /** Replaces the windows that the server declines for the seat; an empty list takes all back. */
    public SeatUpdate setStandingPasses(List<StandingPass> standingPasses) {
        return Futures.await(async.setStandingPasses(standingPasses));
    }

    /** Replaces the windows that the server declines for the seat, with an answer as the request says. */
    public SeatUpdate setStandingPasses(
            List<StandingPass> standingPasses, Consumer<SetStandingPassesRequest.Builder> options) {
        return Futures.await(async.setStandingPasses(standingPasses, options));
    }

    /** Reveals the entropy that was committed to: due once all have joined (COMMIT_REVEAL). */
    public RevealEntropyResponse revealEntropy() {
        return Futures.await(async.revealEntropy());
    }

    /** Reveals the entropy that was committed to, with an answer as the request says. */
    public RevealEntropyResponse revealEntropy(Consumer<RevealEntropyRequest.Builder> options) {
        return Futures.await(async.revealEntropy(options));
    }

    /** Streams the seat's updates as they come, from the present view on. */
    public Watch watchMatch() {
        return async.watchMatch();
    }

    /** Streams the seat's updates as the request says: after a cursor, and with its legal actions when it is to act. */
    public Watch watchMatch(Consumer<WatchMatchRequest.Builder> options) {
        return async.watchMatch(options);
    }
}
