package edgehill

import (
	"context"
	"fmt"
	"time"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// BotSeat is a seat as its bot sees it, at one moment.
type BotSeat struct {
	// Number is the seat's number in its match, from 0; nil: the server has not answered yet.
	Number *uint32
	// Config is the match's config; nil: the server has not answered yet.
	Config *v1.MatchConfig
	// State is the match's state; nil: the server has not answered yet.
	State *v1.MatchState
	// View is the view of the seat; nil before the match begins, and for a bot that omits events.
	View *v1.View
	// Seq is the number of the last event.
	Seq uint64

	deadline answerDeadline
}

// TimeLeft returns the time that is left for the decision that the seat is asked for, at least 0: what the server has told, less what
// has passed since it came, so that it is less with each call. False: nothing is asked of the seat, or no clock runs for it.
func (s BotSeat) TimeLeft() (time.Duration, bool) { return s.deadline.left(time.Now()) }

// Bot is a player: it says which actions its seat takes. It may implement [DetailBot], [EventOmitter], [EventObserver] and
// [EndObserver], too.
type Bot interface {
	// Choose returns what the seat does now: one of legal, or several actions from there. It may wait for others, such as a
	// model's service; meanwhile other seats play on. Choices for different seats are asked for at the same time, in
	// goroutines of their own. ctx ends when the choice is not needed any more, and the choice is then dropped. An error ends
	// RunBots.
	Choose(ctx context.Context, seat BotSeat, legal *v1.LegalActions) (*v1.ActionList, error)
}

// BotFunc is a Bot that is a function.
type BotFunc func(ctx context.Context, seat BotSeat, legal *v1.LegalActions) (*v1.ActionList, error)

// Choose calls the function.
func (f BotFunc) Choose(ctx context.Context, seat BotSeat, legal *v1.LegalActions) (*v1.ActionList, error) {
	return f(ctx, seat, legal)
}

// DetailBot is a Bot that is given legal actions in another detail than ids.
type DetailBot interface {
	// Detail returns the detail of each legal action that the bot is given.
	Detail() v1.LegalDetail
}

// EventOmitter is a Bot that goes by the legal actions alone: if OmitEvents returns true, no events are sent, and no view is
// kept for it.
type EventOmitter interface {
	// OmitEvents returns true if the bot needs neither events nor a view.
	OmitEvents() bool
}

// EventObserver is a Bot that takes note of events.
type EventObserver interface {
	// OnEvent takes note of an event; the seat's view has it already. It is called in the order of the events, perhaps while
	// Choose is under way.
	OnEvent(seat BotSeat, event *v1.Event)
}

// EndObserver is a Bot that takes note of the end.
type EndObserver interface {
	// OnFinished takes note of the end; the seat's state has the result.
	OnFinished(seat BotSeat)
}

// BotReport is the outcome for a bot.
type BotReport struct {
	// MatchID is the match.
	MatchID string
	// Seat is the bot's seat, from 0.
	Seat uint32
	// Status is the status of the match: finished, or stopped.
	Status v1.MatchStatus
	// Result is the result; nil if there is none.
	Result *v1.MatchResult
	// Actions is the number of actions that the bot took.
	Actions int
}

// String returns the outcome in one line.
func (r *BotReport) String() string {
	if r.Result == nil {
		return fmt.Sprintf("%d actions, %v", r.Actions, r.Status)
	}
	return fmt.Sprintf("%d actions, %s: %v", r.Actions, r.Result.GetCode(), r.Result.GetReturns())
}
