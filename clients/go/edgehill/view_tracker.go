package edgehill

import (
	"fmt"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// ViewTracker has the match as an observer has it, kept up to date by any updates of theirs: answers of calls, [Watch],
// [PlaySession].
//
// The zero value has no view. Without a view it keeps the rest: an update with a view gives one, and so does Look.
type ViewTracker struct {
	// View is the view after the last update, another one after each change. nil: there is none, or it could not be folded.
	View *v1.View
	// Seq is the number of the last event: what [WithExpectedSeq] takes.
	Seq uint64
	// Status is the stage of the match's life.
	Status v1.MatchStatus
	// ToAct is true if the seat is to act.
	ToAct bool
	// State is the match's state, as far as it was sent: streams send it, answers of calls do not.
	State *v1.MatchState
}

// Look takes a view that was asked for.
func (t *ViewTracker) Look(seen *v1.GetViewResponse) {
	t.State = seen.GetMatch().GetState()
	t.Status = t.State.GetStatus()
	t.Begin(seen.GetView(), seen.GetSeq())
}

// Begin goes on from a view, and the number of the last event that is in it.
func (t *ViewTracker) Begin(view *v1.View, seq uint64) {
	t.View = view
	t.Seq = seq
}

// Fold takes an update: a view or a state replaces the one before, events are folded over the view.
//
// Events that the view has already are passed over. The errors are [ErrSequenceGap] for events that are missing and
// [ErrUnknownChange] for one that this client does not know, both [ErrFold]; the view is gone then, and Look brings a new one.
func (t *ViewTracker) Fold(update *v1.SeatUpdate) error {
	if update.GetState() != nil {
		t.State = update.GetState()
	}
	if update.GetSeq() < t.Seq {
		return nil
	}
	t.Status = update.GetStatus()
	t.ToAct = update.GetToAct()
	switch {
	case update.GetView() != nil:
		t.Begin(update.GetView(), update.GetSeq())
	case t.View == nil:
		t.Seq = update.GetSeq()
	default:
		if err := t.foldEvents(update); err != nil {
			t.Begin(nil, update.GetSeq())
			return err
		}
	}
	return nil
}

func (t *ViewTracker) foldEvents(update *v1.SeatUpdate) error {
	for _, event := range update.GetEvents() {
		if event.GetSeq() <= t.Seq {
			continue
		}
		if event.GetSeq() != t.Seq+1 {
			return fmt.Errorf("%w: the view is at event %d, and %d comes next", ErrSequenceGap, t.Seq, event.GetSeq())
		}
		view, err := Fold(t.View, event)
		if err != nil {
			return err
		}
		t.View, t.Seq = view, event.GetSeq()
	}
	if update.GetSeq() != t.Seq {
		return fmt.Errorf("%w: the view is at event %d, and the update at %d lacks some",
			ErrSequenceGap, t.Seq, update.GetSeq())
	}
	return nil
}
