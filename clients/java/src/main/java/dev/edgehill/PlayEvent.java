package dev.edgehill;

import dev.edgehill.v1.ApplyResult;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.LegalActions;
import java.util.List;
import java.util.Optional;

/**
 * The news for a seat.
 *
 * @param seat the seat whose news it is
 * @param events the events published to it, in order; folded into {@link PlayedSeat#view} already
 * @param legal the prompt: the seat is to act, and these are the legal actions. Empty: nothing is asked of it now
 * @param applyResult the result of a call of it that took actions, or took them back
 * @param refused the refusal of a call or, with {@code closed}, of the seat: it was not opened, or the server has closed it
 * @param closed true if it is closed, and this is its last news: the match has ended, it was closed here, or see
 *     {@code refused}
 * @param requestId the call that this answers; empty for all that comes by itself
 */
public record PlayEvent(
        PlayedSeat seat,
        List<Event> events,
        Optional<LegalActions> legal,
        Optional<ApplyResult> applyResult,
        Optional<Refused> refused,
        boolean closed,
        String requestId) {}
