package dev.edgehill;

import dev.edgehill.v1.AddMatchTimeRequest;
import dev.edgehill.v1.AdjournMatchRequest;
import dev.edgehill.v1.CorrectMatchResultRequest;
import dev.edgehill.v1.EndAdjournmentRequest;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.ReplaceMatchPlayerRequest;
import dev.edgehill.v1.ReplaceMatchPlayerResponse;
import dev.edgehill.v1.VoidMatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls of referees, on any match: time, players, adjournments, results. They wait for their answers as those of
 * {@link Client} do.
 *
 * <p>Each needs the key of an account with the role {@code ACCOUNT_ROLE_REFEREE}, and ends with {@link Refused} without
 * it: NOT_ALLOWED, or BAD_TOKEN for a key that is none. Everybody sees what was done in {@code referee_acts} of the
 * match's state, with its reason, and it stands in the log of acts ({@link Admin#acts()}). A match takes at most 32
 * acts (LIMIT_REACHED); one that is to be voided can always be. All are refused with UNKNOWN_MATCH for a match that is
 * not there, and with INVALID_FIELD for what is out of bounds; those that need a match that is played with
 * MATCH_NOT_STARTED and MATCH_FINISHED.
 */
public final class Referee {
    private final AsyncReferee async;

    Referee(AsyncReferee async) {
        this.async = async;
    }

    /**
     * Adds whole milliseconds to a seat's clock, up to ten years: to its bank, if there is one, and to the limit of its
     * question or, without one, of its next. NO_CLOCKS for a match without.
     */
    public Match addMatchTime(String matchId, int seat, Duration added) {
        return Futures.await(async.addMatchTime(matchId, seat, added));
    }

    /** Adds time to a seat's clock, for a reason that everybody sees: 0 to 256 bytes. */
    public Match addMatchTime(String matchId, int seat, Duration added, Consumer<AddMatchTimeRequest.Builder> options) {
        return Futures.await(async.addMatchTime(matchId, seat, added, options));
    }

    /**
     * Takes a seat from its player, for another one to go on with: for {@link Client#join} with the answer's
     * invitation. The player's token is void at once, and their streams end; the clock runs on.
     */
    public ReplaceMatchPlayerResponse replaceMatchPlayer(String matchId, int seat) {
        return Futures.await(async.replaceMatchPlayer(matchId, seat));
    }

    /**
     * Takes a seat from its player, as the request says: for an account that alone may take it, without an invitation;
     * with the new player's name, in 0 to 64 bytes; for a reason that everybody sees, in 0 to 256. UNKNOWN_ACCOUNT for
     * an account that may not play.
     */
    public ReplaceMatchPlayerResponse replaceMatchPlayer(
            String matchId, int seat, Consumer<ReplaceMatchPlayerRequest.Builder> options) {
        return Futures.await(async.replaceMatchPlayer(matchId, seat, options));
    }

    /**
     * Adjourns a match with clocks for at most so long, in whole milliseconds, from a minute to 30 days: until a
     * referee ends that or its time is over. NO_CLOCKS for a match without, ADJOURNED for one that is adjourned
     * already.
     */
    public Match adjournMatch(String matchId, Duration adjournFor) {
        return Futures.await(async.adjournMatch(matchId, adjournFor));
    }

    /** Adjourns a match with clocks, for a reason that everybody sees: 0 to 256 bytes. */
    public Match adjournMatch(String matchId, Duration adjournFor, Consumer<AdjournMatchRequest.Builder> options) {
        return Futures.await(async.adjournMatch(matchId, adjournFor, options));
    }

    /**
     * Ends the adjournment of a match, whoever has adjourned it. The match goes on. NOT_ADJOURNED for one that is not.
     */
    public Match endAdjournment(String matchId) {
        return Futures.await(async.endAdjournment(matchId));
    }

    /** Ends the adjournment of a match, for a reason that everybody sees: 0 to 256 bytes. */
    public Match endAdjournment(String matchId, Consumer<EndAdjournmentRequest.Builder> options) {
        return Futures.await(async.endAdjournment(matchId, options));
    }

    /** Ends a match that is played; it does not count. The reason, of 1 to 256 bytes, is for everybody to see. */
    public Match voidMatch(String matchId, String reason) {
        return Futures.await(async.voidMatch(matchId, reason));
    }

    /** Ends a match that is played, with a request id of the caller's own. */
    public Match voidMatch(String matchId, String reason, Consumer<VoidMatchRequest.Builder> options) {
        return Futures.await(async.voidMatch(matchId, reason, options));
    }

    /**
     * Corrects the result of a match that is finished: what each seat gets, in seat order, from -1,000,000 to
     * 1,000,000. The result itself stays as it was, and the last correction holds ({@code corrected_returns} of the
     * state). The reason, of 1 to 256 bytes, is for everybody to see. MATCH_RUNNING for a match that is not finished.
     */
    public Match correctMatchResult(String matchId, List<Integer> returns, String reason) {
        return Futures.await(async.correctMatchResult(matchId, returns, reason));
    }

    /** Corrects the result of a match that is finished, with a request id of the caller's own. */
    public Match correctMatchResult(
            String matchId, List<Integer> returns, String reason, Consumer<CorrectMatchResultRequest.Builder> options) {
        return Futures.await(async.correctMatchResult(matchId, returns, reason, options));
    }
}
