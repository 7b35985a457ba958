package edgehill_test

import (
	"slices"
	"testing"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

func TestARefusedCallLeavesThePrompt(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	session := client.PlaySeats()
	mine := session.Open(north)
	events := pull(t, session.Events(ctx))
	until := func(is func(*edgehill.PlayEvent) bool) *edgehill.PlayEvent {
		t.Helper()
		for {
			if event := events.one(); is(event) {
				return event
			}
		}
	}
	card := until(func(event *edgehill.PlayEvent) bool { return event.Legal != nil }).Legal.Ids[0]
	twice := ok(mine.Apply(edgehill.IDs(card, card)))(t)
	event := until(func(event *edgehill.PlayEvent) bool { return event.Refused != nil })
	equal(t, []any{event.RequestID, event.Legal.Ids[0]}, []any{twice, card})
	answers := func(id string) func(*edgehill.PlayEvent) bool {
		return func(event *edgehill.PlayEvent) bool { return event.RequestID == id }
	}
	equal(t, until(answers(ok(mine.Apply(edgehill.IDs(card)))(t))).ApplyResult.Actions, 1)
	equal(t, until(answers(ok(mine.Undo())(t))).ApplyResult.Actions, 1)
	ok(mine.OfferDraw(edgehill.WithRequestID("offer")))(t)
	until(answers("offer"))
	equal(t, mine.Now().State.DrawOffers, []uint32{0})
	ok(south.DeclineDraw(ctx))(t)
	until(func(event *edgehill.PlayEvent) bool { return len(event.Now.State.DrawOffers) == 0 })
	pass := &v1.StandingPass{Window: "interception", Scope: v1.PassScope_PASS_SCOPE_ALWAYS}
	until(answers(ok(mine.SetStandingPasses([]*v1.StandingPass{pass}))(t)))
	equal(t, ok(north.View(ctx))(t).StandingPasses[0].Window, "interception")
	for _, call := range []func() (string, error){
		func() (string, error) { return mine.AcceptDraw() },
		func() (string, error) { return mine.DeclineDraw() },
		func() (string, error) { return mine.OfferAdjournment(3_600_000_000_000) },
		func() (string, error) { return mine.AcceptAdjournment(edgehill.WithAdjournFor(60_000_000_000)) },
		func() (string, error) { return mine.DeclineAdjournment() },
		func() (string, error) { return mine.Resume() },
	} {
		// There is nothing of the kind in this match.
		if event := until(answers(ok(call())(t))); event.Refused == nil || event.Legal == nil {
			t.Fatal(event)
		}
	}
	ok(0, mine.Close())(t)
	event = until(func(event *edgehill.PlayEvent) bool { return event.Closed })
	if event.Refused != nil {
		t.Fatal(event.Refused)
	}
	ok(0, events.err())(t)
}

func TestASeatIsTakenOver(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, _ := bothSeats(t, client)
	first, second := client.PlaySeats(), client.PlaySeats()
	first.Open(north)
	news := pull(t, first.Events(ctx))
	news.one()
	mine := second.Open(north)
	pull(t, second.Events(ctx)).one()
	var end *edgehill.PlayEvent
	for event, err, isThere := news.next(); isThere; event, err, isThere = news.next() {
		end = ok(event, err)(t)
	}
	equal(t, end.Closed, true)
	equal(t, end.Refused.Reason(), v1.ErrorReason_ERROR_REASON_OPENED_ELSEWHERE)
	equal(t, mine.Closed(), false)
}

func TestASeatResigns(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, _ := bothSeats(t, client)
	session := client.PlaySeats()
	mine := session.Open(north, edgehill.WithIncludeText(), edgehill.WithOmitEvents())
	ok(mine.Resign())(t)
	equal(t, last(t, all(t, session.Events(ctx))).Closed, true)
	equal(t, mine.Now().State.Result.Termination, v1.Termination_TERMINATION_RESIGNATION)
	if mine.Now().View != nil {
		t.Fatal("no view was to be kept")
	}
}

// More seats and calls at once than a caller may make wait their turn on one stream.
func TestACallerThatIsTooFast(t *testing.T) {
	t.Parallel()
	const matches = 12
	slow := startServer(t, "EDGEHILL_CAPACITY__CALLS_PER_SECOND=40", "EDGEHILL_CAPACITY__CALLS_BURST=5")
	client := connect(t, slow.address)
	session, seats := client.PlaySeats(), []*edgehill.Seat{}
	var played []*edgehill.PlayedSeat
	for range matches {
		north, south := bothSeats(t, client)
		seats = append(seats, north, south)
	}
	for _, seat := range seats {
		played = append(played, session.Open(seat))
	}
	var acted []uint32
	events := pull(t, session.Events(t.Context()))
	for len(acted) < matches {
		event := events.one()
		if event.Refused != nil {
			t.Fatal(event.Refused)
		}
		channel := event.Seat.Channel()
		if event.Legal != nil && !slices.Contains(acted, channel) {
			ok(event.Seat.Apply(edgehill.IDs(event.Legal.Ids[0])))(t)
		}
		if event.ApplyResult != nil && !slices.Contains(acted, channel) {
			acted = append(acted, channel)
		}
	}
	// The call that opens the stream may come too fast as well.
	if session.Connections() > 3 {
		t.Fatal(session.Connections())
	}
	for slices.ContainsFunc(played, func(seat *edgehill.PlayedSeat) bool { return seat.Now().Number == nil }) {
		events.one()
	}
	for place, seat := range played {
		number, _ := seats[place].Number()
		equal(t, *seat.Now().Number, number)
	}
}
