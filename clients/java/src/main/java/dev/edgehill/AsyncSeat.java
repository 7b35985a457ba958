package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.AcceptAdjournmentRequest;
import dev.edgehill.v1.AcceptAdjournmentResponse;
import dev.edgehill.v1.AcceptDrawRequest;
import dev.edgehill.v1.AcceptDrawResponse;
import dev.edgehill.v1.Action;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ApplyActionsRequest;
import dev.edgehill.v1.ApplyActionsResponse;
import dev.edgehill.v1.ApplyMode;
import dev.edgehill.v1.DeclineAdjournmentRequest;
import dev.edgehill.v1.DeclineAdjournmentResponse;
import dev.edgehill.v1.DeclineDrawRequest;
import dev.edgehill.v1.DeclineDrawResponse;
import dev.edgehill.v1.ExplainActionRequest;
import dev.edgehill.v1.ExplainActionResponse;
import dev.edgehill.v1.GetMatchRequest;
import dev.edgehill.v1.GetMatchResponse;
import dev.edgehill.v1.GetReceiptRequest;
import dev.edgehill.v1.GetReceiptResponse;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.JoinMatchResponse;
import dev.edgehill.v1.LeaveMatchRequest;
import dev.edgehill.v1.LeaveMatchResponse;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.ListLegalActionsRequest;
import dev.edgehill.v1.ListLegalActionsResponse;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.OfferAdjournmentRequest;
import dev.edgehill.v1.OfferAdjournmentResponse;
import dev.edgehill.v1.OfferDrawRequest;
import dev.edgehill.v1.OfferDrawResponse;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.RematchMatchRequest;
import dev.edgehill.v1.RematchMatchResponse;
import dev.edgehill.v1.ResignMatchRequest;
import dev.edgehill.v1.ResignMatchResponse;
import dev.edgehill.v1.ResumeMatchRequest;
import dev.edgehill.v1.ResumeMatchResponse;
import dev.edgehill.v1.RevealEntropyRequest;
import dev.edgehill.v1.RevealEntropyResponse;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.SetStandingPassesRequest;
import dev.edgehill.v1.SetStandingPassesResponse;
import dev.edgehill.v1.StandingPass;
import dev.edgehill.v1.UndoActionsRequest;
import dev.edgehill.v1.UndoActionsResponse;
import dev.edgehill.v1.UndoSpan;
import dev.edgehill.v1.WatchMatchRequest;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A seat of a match, by its token: the calls of {@link Seat}, each of which returns at once and completes with its answer, as
 * those of {@link AsyncClient} do.
 *
 * <p>Each call that changes something takes a new request id and keeps it in every repetition; the request's own
 * {@code request_id} is kept if it is set. Safe for any number of threads.
 */
public final class AsyncSeat {
    private final Connection connection;
    private final String matchId;
    private final String token;
    private final JoinMatchResponse joined;
    private final ByteString entropy;
    private final RequestIds ids = new RequestIds();

    AsyncSeat(Connection connection, String matchId, String token, JoinMatchResponse joined, ByteString entropy) {
        this.connection = connection;
        this.matchId = matchId;
        this.token = Tokens.checked(token);
        this.joined = joined;
        this.entropy = entropy;
    }

    /** Returns the id of the match. */
    public String matchId() {
        return matchId;
    }

    /** Returns the secret that plays the seat. */
    public String token() {
        return token;
    }

    /** Returns the answer to the call that took the seat. Empty for a seat that was taken up by its token alone. */
    public Optional<JoinMatchResponse> joined() {
        return Optional.ofNullable(joined);
    }

    /** Returns the seat's number, from 0. Empty for a seat that was taken up by its token alone. */
    public OptionalInt number() {
        return joined == null ? OptionalInt.empty() : OptionalInt.of(joined.getSeat());
    }

    /** Returns the entropy that was given for the dice. Empty: none. */
    public Optional<ByteString> entropy() {
        return entropy.isEmpty() ? Optional.empty() : Optional.of(entropy);
    }

    /** Gets the match's config and state, with the last number of this seat's sequence. */
    public CompletableFuture<Match> get() {
        GetMatchRequest request =
                GetMatchRequest.newBuilder().setMatchId(matchId).build();
        return Futures.map(call(MatchServiceGrpc.getGetMatchMethod(), request), GetMatchResponse::getMatch);
    }

    /** Gets the view of the seat now. */
    public CompletableFuture<GetViewResponse> view() {
        return view(request -> {});
    }

    /** Gets a view, as the request says: of the seat or of a spectator, now or at the beginning, with words. */
    public CompletableFuture<GetViewResponse> view(Consumer<GetViewRequest.Builder> options) {
        GetViewRequest.Builder request = GetViewRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        return call(MatchServiceGrpc.getGetViewMethod(), request.build());
    }

    /** Gets the server's signed word for all that it has published to the seat: the hash of a {@link Transcript} of it. */
    public CompletableFuture<Receipt> receipt() {
        GetReceiptRequest request =
                GetReceiptRequest.newBuilder().setMatchId(matchId).build();
        return Futures.map(call(MatchServiceGrpc.getGetReceiptMethod(), request), GetReceiptResponse::getReceipt);
    }

    /** Lists the ids of the actions that the seat may take now. */
    public CompletableFuture<ListLegalActionsResponse> legal() {
        return legal(request -> {});
    }

    /** Lists the actions that the seat may take now, as the request says: in which detail, of which verbs, about what. */
    public CompletableFuture<ListLegalActionsResponse> legal(Consumer<ListLegalActionsRequest.Builder> options) {
        ListLegalActionsRequest.Builder request =
                ListLegalActionsRequest.newBuilder().setMatchId(matchId).setDetail(LegalDetail.LEGAL_DETAIL_IDS);
        options.accept(request);
        return call(MatchServiceGrpc.getListLegalActionsMethod(), request.build());
    }

    /** Explains why the seat may not take an action now, which {@link Actions#action(String)} and its likes give. */
    public CompletableFuture<ExplainActionResponse> explain(Action action) {
        ExplainActionRequest request = ExplainActionRequest.newBuilder()
                .setMatchId(matchId)
                .setAction(action)
                .build();
        return call(MatchServiceGrpc.getExplainActionMethod(), request);
    }

    /** Takes actions, as one. {@code apply_result} of the update says how many were taken. */
    public CompletableFuture<SeatUpdate> apply(ActionList actions) {
        return apply(actions, request -> {});
    }

    /** Takes actions, as the request says: its batch has the number that the decision rests on, and what stays of a draft. */
    public CompletableFuture<SeatUpdate> apply(ActionList actions, Consumer<ApplyActionsRequest.Builder> options) {
        ApplyActionsRequest.Builder request = ApplyActionsRequest.newBuilder().setMatchId(matchId);
        request.getBatchBuilder().setActions(actions).setMode(ApplyMode.APPLY_MODE_ATOMIC);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getApplyActionsMethod(), request.build()), ApplyActionsResponse::getUpdate);
    }

    /** Takes back the last action of the draft. */
    public CompletableFuture<SeatUpdate> undo() {
        return undo(request -> {});
    }

    /** Takes back the end of the draft, as the request's span says. */
    public CompletableFuture<SeatUpdate> undo(Consumer<UndoActionsRequest.Builder> options) {
        UndoActionsRequest.Builder request =
                UndoActionsRequest.newBuilder().setMatchId(matchId).setSpan(UndoSpan.getDefaultInstance());
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getUndoActionsMethod(), request.build()), UndoActionsResponse::getUpdate);
    }

    /** Gives up. The match is finished. */
    public CompletableFuture<SeatUpdate> resign() {
        return resign(request -> {});
    }

    /** Gives up, with an answer as the request says. */
    public CompletableFuture<SeatUpdate> resign(Consumer<ResignMatchRequest.Builder> options) {
        ResignMatchRequest.Builder request = ResignMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getResignMatchMethod(), request.build()), ResignMatchResponse::getUpdate);
    }

    /** Gives the seat back before the match has begun. Its token is void from then on. */
    public CompletableFuture<Match> leave() {
        return leave(request -> {});
    }

    /** Gives the seat back, with a request id of the caller's own. */
    public CompletableFuture<Match> leave(Consumer<LeaveMatchRequest.Builder> options) {
        LeaveMatchRequest.Builder request = LeaveMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(call(MatchServiceGrpc.getLeaveMatchMethod(), request.build()), LeaveMatchResponse::getMatch);
    }

    /**
     * Makes the match that follows this one, which is finished: the same players with their sides swapped. It is made once,
     * whoever asks first; {@link AsyncClient#join} takes the new seat by its number and its invitation.
     */
    public CompletableFuture<RematchMatchResponse> rematch() {
        return rematch(request -> {});
    }

    /** Makes the match that follows this one, with a request id of the caller's own. */
    public CompletableFuture<RematchMatchResponse> rematch(Consumer<RematchMatchRequest.Builder> options) {
        RematchMatchRequest.Builder request = RematchMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(MatchServiceGrpc.getRematchMatchMethod(), request.build());
    }

    /** Offers a draw, until the seat's next action is final. */
    public CompletableFuture<Match> offerDraw() {
        return offerDraw(request -> {});
    }

    /** Offers a draw, with a request id of the caller's own. */
    public CompletableFuture<Match> offerDraw(Consumer<OfferDrawRequest.Builder> options) {
        OfferDrawRequest.Builder request = OfferDrawRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(call(MatchServiceGrpc.getOfferDrawMethod(), request.build()), OfferDrawResponse::getMatch);
    }

    /** Accepts the draw that all other seats offer. The match is finished. */
    public CompletableFuture<SeatUpdate> acceptDraw() {
        return acceptDraw(request -> {});
    }

    /** Accepts the draw, with an answer as the request says. */
    public CompletableFuture<SeatUpdate> acceptDraw(Consumer<AcceptDrawRequest.Builder> options) {
        AcceptDrawRequest.Builder request = AcceptDrawRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getAcceptDrawMethod(), request.build()), AcceptDrawResponse::getUpdate);
    }

    /** Declines the draw that other seats offer. Their offers lapse. */
    public CompletableFuture<Match> declineDraw() {
        return declineDraw(request -> {});
    }

    /** Declines the draw, with a request id of the caller's own. */
    public CompletableFuture<Match> declineDraw(Consumer<DeclineDrawRequest.Builder> options) {
        DeclineDrawRequest.Builder request = DeclineDrawRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getDeclineDrawMethod(), request.build()), DeclineDrawResponse::getMatch);
    }

    /**
     * Offers to adjourn the match, until the seat's next action is final: for at most so long, from a minute to 30 days. House
     * bots agree at once.
     */
    public CompletableFuture<Match> offerAdjournment(Duration adjournFor) {
        return offerAdjournment(adjournFor, request -> {});
    }

    /** Offers to adjourn the match, with a request id of the caller's own. */
    public CompletableFuture<Match> offerAdjournment(
            Duration adjournFor, Consumer<OfferAdjournmentRequest.Builder> options) {
        OfferAdjournmentRequest.Builder request =
                OfferAdjournmentRequest.newBuilder().setMatchId(matchId).setAdjournFor(Durations.of(adjournFor));
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getOfferAdjournmentMethod(), request.build()),
                OfferAdjournmentResponse::getMatch);
    }

    /** Accepts the adjournment that all other seats offer: no clock runs, and nobody is to act. */
    public CompletableFuture<Match> acceptAdjournment() {
        return acceptAdjournment(request -> {});
    }

    /** Accepts the adjournment, as the request says: with the longest time for this seat. The least that was named holds. */
    public CompletableFuture<Match> acceptAdjournment(Consumer<AcceptAdjournmentRequest.Builder> options) {
        AcceptAdjournmentRequest.Builder request =
                AcceptAdjournmentRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getAcceptAdjournmentMethod(), request.build()),
                AcceptAdjournmentResponse::getMatch);
    }

    /** Declines the adjournment that other seats offer. Their offers lapse. */
    public CompletableFuture<Match> declineAdjournment() {
        return declineAdjournment(request -> {});
    }

    /** Declines the adjournment, with a request id of the caller's own. */
    public CompletableFuture<Match> declineAdjournment(Consumer<DeclineAdjournmentRequest.Builder> options) {
        DeclineAdjournmentRequest.Builder request =
                DeclineAdjournmentRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getDeclineAdjournmentMethod(), request.build()),
                DeclineAdjournmentResponse::getMatch);
    }

    /** Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked. */
    public CompletableFuture<Match> resume() {
        return resume(request -> {});
    }

    /** Asks for the match to go on, with a request id of the caller's own. */
    public CompletableFuture<Match> resume(Consumer<ResumeMatchRequest.Builder> options) {
        ResumeMatchRequest.Builder request = ResumeMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getResumeMatchMethod(), request.build()), ResumeMatchResponse::getMatch);
    }

    /** Replaces the windows that the server declines for the seat; an empty list takes all back. */
    public CompletableFuture<SeatUpdate> setStandingPasses(List<StandingPass> standingPasses) {
        return setStandingPasses(standingPasses, request -> {});
    }

    /** Replaces the windows that the server declines for the seat, with an answer as the request says. */
    public CompletableFuture<SeatUpdate> setStandingPasses(
            List<StandingPass> standingPasses, Consumer<SetStandingPassesRequest.Builder> options) {
        SetStandingPassesRequest.Builder request =
                SetStandingPassesRequest.newBuilder().setMatchId(matchId).addAllStandingPasses(standingPasses);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getSetStandingPassesMethod(), request.build()),
                SetStandingPassesResponse::getUpdate);
    }

    /** Reveals the entropy that was committed to: due once all have joined (COMMIT_REVEAL). */
    public CompletableFuture<RevealEntropyResponse> revealEntropy() {
        return revealEntropy(request -> {});
    }

    /** Reveals the entropy that was committed to, with an answer as the request says. */
    public CompletableFuture<RevealEntropyResponse> revealEntropy(Consumer<RevealEntropyRequest.Builder> options) {
        RevealEntropyRequest.Builder request =
                RevealEntropyRequest.newBuilder().setMatchId(matchId).setEntropy(entropy);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(MatchServiceGrpc.getRevealEntropyMethod(), request.build());
    }

    /** Streams the seat's updates as they come, from the present view on. */
    public Watch watchMatch() {
        return watchMatch(request -> {});
    }

    /** Streams the seat's updates as the request says: after a cursor, and with its legal actions when it is to act. */
    public Watch watchMatch(Consumer<WatchMatchRequest.Builder> options) {
        WatchMatchRequest.Builder request = WatchMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        return new Watch(connection, Optional.of(token), request.build());
    }

    private <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        return connection.call(method, request, Optional.of(token));
    }
}
