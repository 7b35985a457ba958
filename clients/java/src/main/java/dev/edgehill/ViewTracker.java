package dev.edgehill;

import dev.edgehill.v1.Event;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.View;
import java.util.Optional;

/**
 * The present view of an observer, from any updates of theirs: answers of calls, {@link Watch}, {@link PlaySession}.
 *
 * <p>Without a view it keeps the rest: an update with a view gives one, and so does {@link #look}. Views are immutable. Not
 * for several threads at once.
 */
public final class ViewTracker {
    private View view;
    private long seq;
    private MatchStatus status = MatchStatus.MATCH_STATUS_UNSPECIFIED;
    private boolean isToAct;
    private MatchState state;

    /** Begins without a view. */
    public ViewTracker() {}

    /** Begins with a view that was asked for. */
    public ViewTracker(GetViewResponse start) {
        look(start);
    }

    /** Returns the view after the last update. Empty: there is none, or it could not be folded. */
    public Optional<View> view() {
        return Optional.ofNullable(view);
    }

    /** Returns the number of the last event, which {@code expected_seq} takes. */
    public long seq() {
        return seq;
    }

    /** Returns the stage of the match's life. */
    public MatchStatus status() {
        return status;
    }

    /** Returns true if the seat is to act. */
    public boolean isToAct() {
        return isToAct;
    }

    /** Returns the match's state, as far as it was sent: streams send it, answers of calls do not. */
    public Optional<MatchState> state() {
        return Optional.ofNullable(state);
    }

    /** Takes a view that was asked for. */
    public void look(GetViewResponse given) {
        if (given.getMatch().hasState()) {
            state = given.getMatch().getState();
            status = state.getStatus();
        }
        begin(given.getView(), given.getSeq());
    }

    /** Goes on from a view, and the number of the last event that is in it. */
    public void begin(View from, long number) {
        view = from;
        seq = number;
    }

    /**
     * Takes an update: a view or a state replaces the one before, events are folded over the view. Events that the view has
     * already are passed over.
     *
     * @throws FoldFailed for events that are missing or that this client does not know; the view is gone then, and
     *     {@link #look} brings a new one
     */
    public void fold(SeatUpdate update) {
        if (update.hasState()) {
            state = update.getState();
        }
        if (update.getSeq() < seq) {
            return;
        }
        status = update.getStatus();
        isToAct = update.getToAct();
        if (update.hasView()) {
            begin(update.getView(), update.getSeq());
        } else if (view == null) {
            seq = update.getSeq();
        } else {
            foldEvents(update);
        }
    }

    private void foldEvents(SeatUpdate update) {
        try {
            View folded = view;
            long reached = seq;
            for (Event event : update.getEventsList()) {
                if (event.getSeq() <= reached) {
                    continue;
                }
                if (event.getSeq() != reached + 1) {
                    throw new SequenceGap(
                            "the view is at event " + reached + ", and " + event.getSeq() + " comes next");
                }
                folded = Fold.fold(folded, event);
                reached = event.getSeq();
            }
            if (update.getSeq() != reached) {
                throw new SequenceGap(
                        "the view is at event " + reached + ", and the update at " + update.getSeq() + " lacks some");
            }
            begin(folded, reached);
        } catch (FoldFailed failure) {
            begin(null, update.getSeq());
            throw failure;
        }
    }
}
