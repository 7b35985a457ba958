package dev.edgehill;

import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.LegalDetail;

/**
 * A player: the choice is its own, everything else is the {@link BotRunner}'s.
 *
 * <p>The methods of a bot are called one after the other, never two at once, and on any thread: a bot that plays one seat needs
 * no locks. One that plays several does.
 */
@FunctionalInterface
public interface Bot {
    /**
     * Chooses what the seat does now: one of the legal actions, or several actions from there. It may wait for others, such as
     * a model's service; meanwhile other seats play on. Its thread is interrupted when the choice is not needed any more.
     *
     * @throws Exception whatever it likes: it ends the playing, and {@link BotRunner#run} throws it
     */
    ActionList choose(PlayedSeat seat, LegalActions legal) throws Exception;

    /** Returns the detail of each legal action that the bot is given. */
    default LegalDetail detail() {
        return LegalDetail.LEGAL_DETAIL_IDS;
    }

    /** Returns true if the bot goes by the legal actions alone: no events are sent, and no view is kept for it. */
    default boolean omitEvents() {
        return false;
    }

    /** Takes note of an event; {@link PlayedSeat#view} has it already. */
    default void onEvent(PlayedSeat seat, Event event) {}

    /** Takes note of the end; {@link PlayedSeat#state} has the result. */
    default void onFinished(PlayedSeat seat) {}
}
