package dev.edgehill;

import dev.edgehill.v1.AddMatchTimeRequest;
import dev.edgehill.v1.AddMatchTimeResponse;
import dev.edgehill.v1.AdjournMatchRequest;
import dev.edgehill.v1.AdjournMatchResponse;
import dev.edgehill.v1.CorrectMatchResultRequest;
import dev.edgehill.v1.CorrectMatchResultResponse;
import dev.edgehill.v1.EndAdjournmentRequest;
import dev.edgehill.v1.EndAdjournmentResponse;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.RefereeServiceGrpc;
import dev.edgehill.v1.ReplaceMatchPlayerRequest;
import dev.edgehill.v1.ReplaceMatchPlayerResponse;
import dev.edgehill.v1.VoidMatchRequest;
import dev.edgehill.v1.VoidMatchResponse;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The calls of referees: those of {@link Referee}, each of which returns at once, as those of {@link AsyncClient} do.
 *
 * <p>Each needs the key of an account with the role {@code ACCOUNT_ROLE_REFEREE}, and ends with {@link Refused} without
 * it: NOT_ALLOWED, or BAD_TOKEN for a key that is none. Everybody sees what was done in {@code referee_acts} of the
 * match's state, with its reason, and it stands in the log of acts ({@link Admin#acts()}). A match takes at most 32
 * acts (LIMIT_REACHED); one that is to be voided can always be. All are refused with UNKNOWN_MATCH for a match that is
 * not there, and with INVALID_FIELD for what is out of bounds; those that need a match that is played with
 * MATCH_NOT_STARTED and MATCH_FINISHED.
 */
public final class AsyncReferee {
    private final Connection connection;
    private final Optional<String> key;
    private final RequestIds ids;

    AsyncReferee(Connection connection, Optional<String> key, RequestIds ids) {
        this.connection = connection;
        this.key = key;
        this.ids = ids;
    }

    /**
     * Adds whole milliseconds to a seat's clock, up to ten years: to its bank, if there is one, and to the limit of its
     * question or, without one, of its next. NO_CLOCKS for a match without.
     */
    public CompletableFuture<Match> addMatchTime(String matchId, int seat, Duration added) {
        return addMatchTime(matchId, seat, added, request -> {});
    }

    /** Adds time to a seat's clock, for a reason that everybody sees: 0 to 256 bytes. */
    public CompletableFuture<Match> addMatchTime(
            String matchId, int seat, Duration added, Consumer<AddMatchTimeRequest.Builder> options) {
        AddMatchTimeRequest.Builder request = AddMatchTimeRequest.newBuilder()
                .setMatchId(matchId)
                .setSeat(seat)
                .setAdded(Durations.of(added));
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(RefereeServiceGrpc.getAddMatchTimeMethod(), request.build()), AddMatchTimeResponse::getMatch);
    }

    /**
     * Takes a seat from its player, for another one to go on with: for {@link Client#join} with the answer's
     * invitation. The player's token is void at once, and their streams end; the clock runs on.
     */
    public CompletableFuture<ReplaceMatchPlayerResponse> replaceMatchPlayer(String matchId, int seat) {
        return replaceMatchPlayer(matchId, seat, request -> {});
    }

    /**
     * Takes a seat from its player, as the request says: for an account that alone may take it, without an invitation;
     * with the new player's name, in 0 to 64 bytes; for a reason that everybody sees, in 0 to 256. UNKNOWN_ACCOUNT for
     * an account that may not play.
     */
    public CompletableFuture<ReplaceMatchPlayerResponse> replaceMatchPlayer(
            String matchId, int seat, Consumer<ReplaceMatchPlayerRequest.Builder> options) {
        ReplaceMatchPlayerRequest.Builder request =
                ReplaceMatchPlayerRequest.newBuilder().setMatchId(matchId).setSeat(seat);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(RefereeServiceGrpc.getReplaceMatchPlayerMethod(), request.build());
    }

    /**
     * Adjourns a match with clocks for at most so long, in whole milliseconds, from a minute to 30 days: until a
     * referee ends that or its time is over. NO_CLOCKS for a match without, ADJOURNED for one that is adjourned
     * already.
     */
    public CompletableFuture<Match> adjournMatch(String matchId, Duration adjournFor) {
        return adjournMatch(matchId, adjournFor, request -> {});
    }

    /** Adjourns a match with clocks, for a reason that everybody sees: 0 to 256 bytes. */
    public CompletableFuture<Match> adjournMatch(
            String matchId, Duration adjournFor, Consumer<AdjournMatchRequest.Builder> options) {
        AdjournMatchRequest.Builder request =
                AdjournMatchRequest.newBuilder().setMatchId(matchId).setAdjournFor(Durations.of(adjournFor));
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(RefereeServiceGrpc.getAdjournMatchMethod(), request.build()), AdjournMatchResponse::getMatch);
    }

    /**
     * Ends the adjournment of a match, whoever has adjourned it. The match goes on. NOT_ADJOURNED for one that is not.
     */
    public CompletableFuture<Match> endAdjournment(String matchId) {
        return endAdjournment(matchId, request -> {});
    }

    /** Ends the adjournment of a match, for a reason that everybody sees: 0 to 256 bytes. */
    public CompletableFuture<Match> endAdjournment(String matchId, Consumer<EndAdjournmentRequest.Builder> options) {
        EndAdjournmentRequest.Builder request =
                EndAdjournmentRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(RefereeServiceGrpc.getEndAdjournmentMethod(), request.build()), EndAdjournmentResponse::getMatch);
    }

    /** Ends a match that is played; it does not count. The reason, of 1 to 256 bytes, is for everybody to see. */
    public CompletableFuture<Match> voidMatch(String matchId, String reason) {
        return voidMatch(matchId, reason, request -> {});
    }

    /** Ends a match that is played, with a request id of the caller's own. */
    public CompletableFuture<Match> voidMatch(
            String matchId, String reason, Consumer<VoidMatchRequest.Builder> options) {
        VoidMatchRequest.Builder request =
                VoidMatchRequest.newBuilder().setMatchId(matchId).setReason(reason);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(call(RefereeServiceGrpc.getVoidMatchMethod(), request.build()), VoidMatchResponse::getMatch);
    }

    /**
     * Corrects the result of a match that is finished: what each seat gets, in seat order, from -1,000,000 to
     * 1,000,000. The result itself stays as it was, and the last correction holds ({@code corrected_returns} of the
     * state). The reason, of 1 to 256 bytes, is for everybody to see. MATCH_RUNNING for a match that is not finished.
     */
    public CompletableFuture<Match> correctMatchResult(String matchId, List<Integer> returns, String reason) {
        return correctMatchResult(matchId, returns, reason, request -> {});
    }

    /** Corrects the result of a match that is finished, with a request id of the caller's own. */
    public CompletableFuture<Match> correctMatchResult(
            String matchId, List<Integer> returns, String reason, Consumer<CorrectMatchResultRequest.Builder> options) {
        CorrectMatchResultRequest.Builder request = CorrectMatchResultRequest.newBuilder()
                .setMatchId(matchId)
                .addAllReturns(returns)
                .setReason(reason);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(RefereeServiceGrpc.getCorrectMatchResultMethod(), request.build()),
                CorrectMatchResultResponse::getMatch);
    }

    private <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        return connection.call(method, request, key);
    }
}
