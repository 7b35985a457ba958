package edgehill_test

import (
	"fmt"
	"testing"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// forms has the forms in which the sessions of clients/conformance take an action.
var forms = map[string]func(*v1.LegalAction) *v1.ActionList{
	"id":    func(action *v1.LegalAction) *v1.ActionList { return edgehill.IDs(action.Id) },
	"entry": func(action *v1.LegalAction) *v1.ActionList { return edgehill.Entries(action) },
	"structure": func(action *v1.LegalAction) *v1.ActionList {
		return edgehill.Structures(&v1.ActionStructure{Verb: action.Verb, Refs: action.Refs})
	},
	"notation": func(action *v1.LegalAction) *v1.ActionList { return edgehill.Notations(action.Notation) },
	"line":     func(action *v1.LegalAction) *v1.ActionList { return edgehill.Line(action.Notation) },
}

// observer sees a match from its beginning on: a seat, or a spectator.
type observer struct {
	t       testing.TB
	client  *edgehill.Client
	matchID string
	// number is the seat's; nil for a spectator.
	number *uint32
	// seat is nil for a spectator.
	seat *edgehill.Seat
	// watched has the view of the beginning, with what was watched folded over it, and nothing else.
	watched edgehill.ViewTracker
	// player is the tracker of a player, who looks once, and then folds the answers of their calls; nil before they act. What
	// others did between two answers comes from the stream.
	player *edgehill.ViewTracker
	// events are all that was watched, in order.
	events []*v1.Event
	stream *pulled[*v1.SeatUpdate]
}

func (o *observer) String() string {
	if o.number == nil {
		return "the spectator"
	}
	return fmt.Sprint("seat ", *o.number)
}

func (o *observer) look(options ...edgehill.ViewOption) *v1.GetViewResponse {
	o.t.Helper()
	if o.seat == nil {
		return ok(o.client.View(o.t.Context(), o.matchID, options...))(o.t)
	}
	return ok(o.seat.View(o.t.Context(), options...))(o.t)
}

func (o *observer) receipt() *v1.Receipt {
	o.t.Helper()
	if o.seat == nil {
		return ok(o.client.Receipt(o.t.Context(), o.matchID))(o.t)
	}
	return ok(o.seat.Receipt(o.t.Context()))(o.t)
}

func (o *observer) take(update *v1.SeatUpdate) {
	o.t.Helper()
	o.events = append(o.events, update.Events...)
	ok(0, o.watched.Fold(update))(o.t)
	if o.player != nil {
		ok(0, o.player.Fold(update))(o.t)
	}
}

// follow reads what comes, up to an event.
func (o *observer) follow(seq uint64) {
	o.t.Helper()
	for o.watched.Seq < seq {
		o.take(o.stream.one())
	}
}

// followToTheEnd reads what comes until the match is over. It asserts that the numbers have no gap, and that what was watched,
// and what a player has folded, comes to the view now.
func (o *observer) followToTheEnd() {
	o.t.Helper()
	for {
		update, err, isThere := o.stream.next()
		if err != nil {
			o.t.Fatalf("%v: %v", o, err)
		}
		if !isThere {
			break
		}
		o.take(update)
	}
	now := o.look()
	for i, event := range o.events {
		equal(o.t, fmt.Sprint(o, event.Seq), fmt.Sprint(o, i+1))
	}
	equal(o.t, fmt.Sprint(o, len(o.events)), fmt.Sprint(o, now.Seq))
	trackers := []*edgehill.ViewTracker{&o.watched}
	if o.player != nil {
		trackers = append(trackers, o.player)
	}
	for _, tracker := range trackers {
		equal(o.t, fmt.Sprint(o, tracker.Seq, tracker.Status), fmt.Sprint(o, now.Seq, now.Match.State.Status))
		sameMessage(o.t, tracker.View, now.View)
	}
}

// act has a player make a call at a number, and fold its answer.
func (o *observer) act(seq uint64, call func() (*v1.SeatUpdate, error)) {
	o.t.Helper()
	if o.player == nil {
		o.player = &edgehill.ViewTracker{}
		o.player.Look(o.look())
	}
	o.follow(seq)
	equal(o.t, fmt.Sprint(o, o.player.Seq), fmt.Sprint(o, seq))
	answer := ok(call())(o.t)
	ok(0, o.player.Fold(answer))(o.t)
	equal(o.t, fmt.Sprint(o, o.player.Seq), fmt.Sprint(o, answer.Seq))
}

// table is a match for the sessions of clients/conformance: all seats are taken, and every observer follows it.
type table struct {
	t      testing.TB
	client *edgehill.Client
	// made is the match, as it was told when it was made.
	made  *v1.CreateMatchResponse
	seats []*edgehill.Seat
	// observers are those of the seats, in their order.
	observers []*observer
	spectator *observer
}

// seated makes a match of a game, and seats everybody.
func seated(t testing.TB, client *edgehill.Client, game string) *table {
	t.Helper()
	ctx := t.Context()
	made := &table{t: t, client: client, made: ok(client.Create(ctx, game))(t)}
	for number := range made.made.Match.State.Seats {
		player := edgehill.WithPlayer(fmt.Sprint("player ", number))
		made.seats = append(made.seats, ok(client.Join(ctx, made.matchID(), player))(t))
	}
	for place, seat := range made.seats {
		number, isKnown := seat.Number()
		equal(t, []any{number, isKnown}, []any{uint32(place), true})
		stream := seat.WatchMatch(edgehill.WithAfterSeq(0))
		made.observers = append(made.observers, made.observed(&observer{number: &number, seat: seat}, stream))
	}
	made.spectator = made.observed(&observer{}, client.WatchMatch(made.matchID(), edgehill.WithAfterSeq(0)))
	return made
}

func (m *table) observed(o *observer, stream *edgehill.Watch) *observer {
	m.t.Helper()
	o.t, o.client, o.matchID = m.t, m.client, m.matchID()
	o.watched.Look(o.look(edgehill.WithAtSeq(0)))
	o.stream = pull(m.t, stream.Updates(m.t.Context()))
	return o
}

func (m *table) matchID() string { return m.made.Match.Config.MatchId }

// everybody returns the observers: seats and spectator.
func (m *table) everybody() []*observer {
	return append(m.observers[:len(m.observers):len(m.observers)], m.spectator)
}

// two returns both seats of a game for two.
func (m *table) two() (north, south *edgehill.Seat) {
	m.t.Helper()
	equal(m.t, len(m.seats), 2)
	return m.seats[0], m.seats[1]
}

// next returns the first seat that is to act, with its full list, or seat 0 with an empty one if nobody is; false if the match is
// over.
func (m *table) next() (of *observer, listed *v1.ListLegalActionsResponse, isThere bool) {
	m.t.Helper()
	ctx := m.t.Context()
	if ok(m.client.Get(ctx, m.matchID()))(m.t).State.Status == v1.MatchStatus_MATCH_STATUS_FINISHED {
		return nil, nil, false
	}
	for place := len(m.seats) - 1; place >= 0; place-- {
		full := ok(m.seats[place].Legal(ctx, edgehill.WithDetail(v1.LegalDetail_LEGAL_DETAIL_FULL)))(m.t)
		if place == 0 && of == nil || len(full.LegalActions.Actions) > 0 {
			of, listed = m.observers[place], full
		}
	}
	return of, listed, true
}

// decide takes the choice at a decision, from 0; false if the match is over.
func (m *table) decide(decision int, form string) bool {
	m.t.Helper()
	of, listed, isThere := m.next()
	if !isThere {
		return false
	}
	actions, inForm := listed.LegalActions.Actions, forms[form]
	if len(actions) == 0 || inForm == nil {
		m.t.Fatalf("nobody is to act, or there is no form %q", form)
	}
	action := inForm(actions[7*decision%len(actions)])
	of.act(listed.Seq, func() (*v1.SeatUpdate, error) {
		return of.seat.Apply(m.t.Context(), action, edgehill.WithExpectedSeq(listed.Seq), withEvents)
	})
	return true
}

// withEvents asks for the events of an answer.
var withEvents = edgehill.WithResponse(&v1.ResponseOptions{IncludeEvents: true})

// play takes the choice so many times, or to the end of the match.
func (m *table) play(decisions int, form string) {
	m.t.Helper()
	for decision := range decisions {
		if !m.decide(decision, form) {
			return
		}
	}
}

// end has the seat that would be next give up, unless the match is over.
func (m *table) end() {
	m.t.Helper()
	if of, listed, isThere := m.next(); isThere {
		of.act(listed.Seq, func() (*v1.SeatUpdate, error) { return of.seat.Resign(m.t.Context(), withEvents) })
	}
}

// followToTheEnd has everybody follow the match to its end.
func (m *table) followToTheEnd() {
	m.t.Helper()
	for _, o := range m.everybody() {
		o.followToTheEnd()
	}
}
