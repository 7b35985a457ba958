package edgehill_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

func TestTimeThatIsLeftIsLessLater(t *testing.T) {
	left := func(seconds time.Duration) *v1.SeatUpdate {
		return &v1.SeatUpdate{TimeLeft: &v1.TimeLeft{Left: durationpb.New(seconds * time.Second)}}
	}
	for after, expected := range map[time.Duration]time.Duration{
		0: 10 * time.Second, 2250 * time.Millisecond: 7750 * time.Millisecond, 10 * time.Second: 0, time.Minute: 0,
	} {
		found, isAsked := edgehill.TimeLeftOf(left(10), after)
		equal(t, []any{found, isAsked}, []any{expected, true})
	}
	for _, update := range []*v1.SeatUpdate{{}, {TimeLeft: &v1.TimeLeft{}}} {
		if found, isAsked := edgehill.TimeLeftOf(update, 0); isAsked || found != 0 {
			t.Fatal(found)
		}
	}
}

func TestABotSeesTheTimeThatItHasLeftWhereThereAreClocks(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	bank := edgehill.WithClock(&v1.ClockConfig{Bank: durationpb.New(10 * time.Minute)})
	for _, options := range [][]edgehill.CreateOption{{bank}, nil} {
		hasClock := len(options) > 0
		id := ok(client.Create(ctx, "skirmish", options...))(t).Match.Config.MatchId
		random, bots := edgehill.NewSeededRandomBot(3), map[*edgehill.Seat]edgehill.Bot{}
		var mu sync.Mutex
		asked := 0
		for range 2 {
			bots[ok(client.Join(ctx, id))(t)] = edgehill.BotFunc(func(
				ctx context.Context, seat edgehill.BotSeat, legal *v1.LegalActions,
			) (*v1.ActionList, error) {
				mu.Lock()
				defer mu.Unlock()
				asked++
				first, isTold := seat.TimeLeft()
				second, _ := seat.TimeLeft()
				if isTold != hasClock || hasClock && (first > 10*time.Minute || first < 5*time.Minute || second > first) {
					t.Errorf("%v %v %v", isTold, first, second)
				}
				return random.Choose(ctx, seat, legal)
			})
		}
		ok(edgehill.RunBots(ctx, client, bots))(t)
		if asked == 0 {
			t.Fatal("nobody was asked")
		}
	}
}

func TestTheTimeForADecisionIsThereAsLongAsTheDecisionIs(t *testing.T) {
	timed := func() *v1.SeatUpdate {
		update := prompt()
		update.TimeLeft = &v1.TimeLeft{Left: durationpb.New(90 * time.Second)}
		return update
	}
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(timed(), "")
		c.update(taken(), c.request().RequestId)
		c.update(timed(), "")
		c.refusal(v1.ErrorReason_ERROR_REASON_ILLEGAL_ACTION, codes.InvalidArgument, c.request().RequestId)
		c.refusal(v1.ErrorReason_ERROR_REASON_NOT_YOUR_TURN, codes.FailedPrecondition, c.request().RequestId)
		c.update(timed(), "")
		c.closed(nil)
	}})
	session := client.PlaySeats()
	mine := session.Open(seat)
	var seen []bool
	for event, err := range session.Events(t.Context()) {
		left, isAsked := ok(event, err)(t).Now.TimeLeft()
		equal(t, left <= 90*time.Second, true)
		seen = append(seen, isAsked)
		if now, isAskedNow := mine.TimeLeft(); isAskedNow != isAsked || now > left {
			t.Fatal(now, left)
		}
		if len(seen) == 1 || len(seen) == 3 || len(seen) == 4 {
			ok(mine.Apply(edgehill.IDs(5)))(t)
		}
	}
	equal(t, seen, []bool{true, false, true, true, false, true, false})
}
