package edgehill_test

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// behind is a server of its own for a test, behind a relay.
type behind struct {
	t      *testing.T
	server *server
	relay  *relay
	client *edgehill.Client
}

func startBehind(t *testing.T) *behind {
	t.Helper()
	started := startServer(t)
	relay := startRelay(t, started.address)
	return &behind{t: t, server: started, relay: relay, client: connect(t, relay.address())}
}

// restart kills the server, and starts it again over the same store.
func (b *behind) restart() {
	b.t.Helper()
	b.server.kill()
	ok(0, b.server.start())(b.t)
	b.relay.moveTo(b.server.address)
}

// whileAnswersAreLost makes a call whose answer is lost. The server is killed when until has seen, by a way of its own, that the call
// went through, and is started again; then the call's repetition gets an answer.
func whileAnswersAreLost[A any](b *behind, call func() (A, error), until func(direct *edgehill.Client)) A {
	b.t.Helper()
	b.relay.loseAnswers()
	var answer A
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		answer, err = call()
	}()
	until(connect(b.t, b.server.address))
	b.restart()
	<-done
	return ok(answer, err)(b.t)
}

func TestApplyHappensOnce(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	north, _ := bothSeats(t, behind.client)
	seq, action := ok(north.View(ctx))(t).Seq, firstLegal(t, north)
	answer := whileAnswersAreLost(behind,
		func() (*v1.SeatUpdate, error) { return north.Apply(ctx, edgehill.IDs(action)) },
		func(direct *edgehill.Client) {
			seat := ok(direct.Seat(north.MatchID(), north.Token()))(t)
			for update, err := range seat.WatchMatch(edgehill.WithAfterSeq(seq)).Updates(ctx) {
				if len(ok(update, err)(t).Events) > 0 {
					return
				}
			}
		})
	equal(t, answer.ApplyResult.Actions, 1)
	now := ok(north.View(ctx))(t)
	equal(t, []any{now.Seq, now.View.Draft}, []any{seq + 1, []uint32{action}})
	// With an id of its own it would have been refused: a card is picked already.
	refused(t, v1.ErrorReason_ERROR_REASON_ILLEGAL_ACTION, errorOf(north.Apply(ctx, edgehill.IDs(action))))
}

func TestCreateHappensOnce(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	made := whileAnswersAreLost(behind,
		func() (*v1.CreateMatchResponse, error) { return behind.client.Create(ctx, "skirmish") },
		func(direct *edgehill.Client) {
			for len(all(t, direct.Matches(ctx, nil))) == 0 {
			}
		})
	listed := all(t, behind.client.Matches(ctx, nil))
	equal(t, len(listed), 1)
	equal(t, listed[0].Config.MatchId, made.Match.Config.MatchId)
}

func TestAWatchGoesOnBehindACutWithoutAGapOrARepetition(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	north, south := bothSeats(t, behind.client)
	var tracker edgehill.ViewTracker
	var seen, prompts []uint64
	var states []*v1.MatchState
	stream := north.WatchMatch(edgehill.WithLegal(v1.LegalDetail_LEGAL_DETAIL_IDS))
	watch := pull(t, stream.Updates(ctx))
	take := func(update *v1.SeatUpdate) {
		ok(0, tracker.Fold(update))(t)
		for _, event := range update.Events {
			seen = append(seen, event.Seq)
		}
		if update.State != nil {
			states = append(states, update.State)
		}
		if update.LegalActions != nil {
			prompts = append(prompts, update.Seq)
		}
	}
	follow := func(seq uint64) {
		for tracker.Seq < seq {
			take(watch.one())
		}
	}
	for tracker.View == nil || len(prompts) == 0 {
		take(watch.one())
	}
	first, legal := tracker.Seq, ok(north.Legal(ctx))(t)
	equal(t, prompts, []uint64{legal.Seq})
	ok(north.Apply(ctx, edgehill.IDs(legal.LegalActions.Ids[0])))(t)
	follow(ok(north.View(ctx))(t).Seq)
	behind.restart()
	// The new connection begins with a prompt and a state that were handed out before.
	ok(north.Apply(ctx, edgehill.Line("done")))(t)
	notations := edgehill.WithDetail(v1.LegalDetail_LEGAL_DETAIL_NOTATION)
	card := ok(south.Legal(ctx, notations))(t).LegalActions.Notations[0]
	behind.relay.cut()
	ok(south.Apply(ctx, edgehill.Line(card+"; done")))(t)
	now := ok(north.View(ctx))(t)
	follow(now.Seq)
	for place, seq := range seen {
		equal(t, seq, first+uint64(place)+1)
	}
	equal(t, len(seen), int(now.Seq-first))
	sameMessage(t, tracker.View, now.View)

	// It says so when the match is finished, and ends.
	ok(south.Resign(ctx))(t)
	for {
		update, err, isThere := watch.next()
		if !isThere {
			break
		}
		take(ok(update, err)(t))
	}
	cursor, _ := stream.Seq()
	equal(t, cursor, ok(north.View(ctx))(t).Seq)
	equal(t, last(t, states).Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
	slices.Sort(prompts)
	equal(t, len(slices.Compact(slices.Clone(prompts))), len(prompts)) // no prompt comes twice
}

func TestAWatchGoesOnBehindAServerThatStopsInOrder(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	north, _ := bothSeats(t, behind.client)
	stream := north.WatchMatch()
	for update, err := range stream.Updates(ctx) {
		if ok(update, err)(t).View != nil {
			break
		}
	}
	behind.server.stop()
	ok(0, behind.server.start())(t)
	behind.relay.moveTo(behind.server.address)
	ok(north.Apply(ctx, edgehill.IDs(firstLegal(t, north))))(t)
	// Another loop goes on at the cursor of the one that was left.
	for update, err := range stream.Updates(ctx) {
		if events := ok(update, err)(t).Events; len(events) > 0 {
			equal(t, len(events), 1)
			equal(t, events[0].Seq, ok(north.View(ctx))(t).Seq)
			break
		}
	}
}

func TestAWatchThatBeginsBeforeTheMatchHasItsViewFromALaterConnection(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	id := ok(behind.client.Create(ctx, "skirmish"))(t).Match.Config.MatchId
	stream := behind.client.WatchMatch(id)
	watch := pull(t, stream.Updates(ctx))
	var tracker edgehill.ViewTracker
	ok(0, tracker.Fold(watch.one()))(t)
	if _, isThere := stream.Seq(); isThere || tracker.View != nil {
		t.Fatal("the match has begun")
	}
	behind.restart()
	north := ok(behind.client.Join(ctx, id))(t)
	ok(behind.client.Join(ctx, id))(t)
	ok(north.Resign(ctx))(t)
	for update, err, isThere := watch.next(); isThere; update, err, isThere = watch.next() {
		ok(0, tracker.Fold(ok(update, err)(t)))(t)
	}
	sameMessage(t, tracker.View, ok(behind.client.View(ctx, id))(t).View)
	equal(t, tracker.State.Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
}

func TestSeatsGoOnThroughAServerThatIsKilledWithEveryTenthCallUnderWay(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	north, south := bothSeats(t, behind.client)
	seats, seen := []*edgehill.Seat{north, south}, map[uint32][]uint64{}
	session, bot := behind.client.PlaySeats(), edgehill.NewSeededRandomBot(3)
	played := []*edgehill.PlayedSeat{session.Open(north), session.Open(south)}
	calls := 0
	for event, err := range session.Events(ctx) {
		ok(event, err)(t)
		if event.Refused != nil {
			t.Fatal(event.Refused)
		}
		for _, published := range event.Events {
			seen[event.Seat.Channel()] = append(seen[event.Seat.Channel()], published.Seq)
		}
		if event.Legal == nil {
			continue
		}
		calls++
		if calls%10 == 0 {
			behind.relay.loseAnswers()
		}
		ok(event.Seat.Apply(ok(bot.Choose(ctx, event.Now, event.Legal))(t)))(t)
		if calls%10 == 0 {
			behind.restart()
		}
	}
	if calls < 15 || session.Connections() < 2 {
		t.Fatalf("%d calls, %d connections", calls, session.Connections())
	}
	for place, seat := range seats {
		mine, now := played[place].Now(), ok(seat.View(ctx))(t)
		sameMessage(t, mine.View, now.View)
		equal(t, mine.State.Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
		numbers := seen[played[place].Channel()]
		for i, seq := range numbers {
			equal(t, seq, now.Seq-uint64(len(numbers)-i)+1)
		}
	}
}

func TestASeatThatIsOpenedBeforeTheMatchHasItsViewFromALaterConnection(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	id := ok(behind.client.Create(ctx, "skirmish"))(t).Match.Config.MatchId
	north := ok(behind.client.Join(ctx, id))(t)
	session := behind.client.PlaySeats()
	mine := session.Open(north)
	events := pull(t, session.Events(ctx))
	first := events.one()
	equal(t, first.Now.State.Status, v1.MatchStatus_MATCH_STATUS_WAITING)
	if first.Now.View != nil {
		t.Fatal("the match has begun")
	}
	behind.restart()
	south := ok(behind.client.Join(ctx, id))(t)
	for mine.Legal() == nil {
		events.one()
	}
	sameMessage(t, mine.Now().View, ok(north.View(ctx))(t).View)
	ok(south.Resign(ctx))(t)
	ok(0, events.err())(t)
	equal(t, mine.Closed(), true)
	equal(t, mine.Now().State.Result.Termination, v1.Termination_TERMINATION_RESIGNATION)
	is(t, errorOf(mine.Resign()), edgehill.ErrSeatClosed)
	is(t, mine.Close(), edgehill.ErrSeatClosed)
}

func TestRepetitionEnds(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	north, _ := bothSeats(t, behind.client)
	hasty := edgehill.DefaultRetry()
	hasty.Deadline = 0
	client := connect(t, behind.relay.address(), edgehill.WithRetry(hasty))
	behind.server.kill()
	behind.relay.cut()
	session := client.PlaySeats()
	session.Open(north)
	for _, err := range []error{
		errorOf(client.Games(ctx)),
		pull(t, client.WatchMatch(north.MatchID()).Updates(ctx)).err(),
		pull(t, session.Events(ctx)).err(),
	} {
		failed[*edgehill.CallFailed](t, err)
	}
}

func TestAClientThatIsClosed(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	client := behind.client
	north, _ := bothSeats(t, client)
	watch, session := pull(t, north.WatchMatch().Updates(ctx)), client.PlaySeats()
	session.Open(north)
	events := pull(t, session.Events(ctx))
	for watch.one().View == nil {
	}
	events.one()
	client.Close()
	client.Close()
	is(t, watch.err(), edgehill.ErrClosed)
	is(t, events.err(), edgehill.ErrClosed)
	is(t, errorOf(client.Games(ctx)), edgehill.ErrClosed)
	_, err := v1.NewAdminServiceClient(client.Conn()).ListAccounts(ctx, &v1.ListAccountsRequest{})
	is(t, err, edgehill.ErrClosed)
	_, err = v1.NewMatchServiceClient(client.Conn()).WatchMatch(ctx, &v1.WatchMatchRequest{})
	is(t, err, edgehill.ErrClosed)
}

func TestASessionThatIsClosed(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, _ := bothSeats(t, client)
	session := client.PlaySeats()
	session.Open(north)
	events := pull(t, session.Events(ctx))
	events.one()
	is(t, pull(t, session.Events(ctx)).err(), edgehill.ErrSessionBusy)
	session.Close()
	ok(0, events.err())(t)
	equal(t, len(all(t, session.Events(ctx))), 0)
}

func TestALoopThatIsLeftGoesOn(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	session := client.PlaySeats()
	mine := session.Open(north)
	for event, err := range session.Events(ctx) {
		if ok(event, err)(t).Legal != nil {
			break
		}
	}
	id := ok(mine.Apply(edgehill.IDs(mine.Legal().Ids[0])))(t) // it goes with the next connection
	for event, err := range session.Events(ctx) {
		if ok(event, err)(t).RequestID == id {
			equal(t, event.ApplyResult.Actions, 1)
			break
		}
	}
	ok(south.Resign(ctx))(t)
	equal(t, last(t, all(t, session.Events(ctx))).Closed, true)
	equal(t, session.Connections(), 3)
}

func TestAServerThatIsNoneOrSilentIsToldSoon(t *testing.T) {
	silent := ok(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = silent.Close() })
	free := ok(net.Listen("tcp", "127.0.0.1:0"))(t)
	absent := free.Addr().String()
	ok(0, free.Close())(t)
	retry := edgehill.DefaultRetry()
	retry.Connect = time.Second
	for address, words := range map[string]string{absent: "refused", silent.Addr().String(): "no answer within 1s"} {
		_, err := edgehill.Connect(t.Context(), address, edgehill.WithRetry(retry))
		found := failed[*edgehill.ConnectFailed](t, err)
		failed[*edgehill.CallFailed](t, err)
		equal(t, found.URL, "http://"+address)
		for _, part := range []string{"no server answers at http://" + address + ": ", words, "`make run`"} {
			if !strings.Contains(found.Error(), part) {
				t.Errorf("%q lacks %q", found, part)
			}
		}
	}
}

func TestAServerThatComesInTimeIsFound(t *testing.T) {
	t.Parallel()
	behind := startBehind(t)
	behind.server.kill()
	behind.relay.cut()
	retry := edgehill.DefaultRetry()
	retry.Connect = time.Minute
	found := make(chan error)
	go func() {
		client, err := edgehill.Connect(t.Context(), behind.relay.address(), edgehill.WithRetry(retry))
		if err == nil {
			client.Close()
		}
		found <- err
	}()
	ok(0, behind.server.start())(t)
	behind.relay.moveTo(behind.server.address)
	ok(0, <-found)(t)
	ok(behind.client.Games(t.Context()))(t)
}
