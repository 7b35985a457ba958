package edgehill_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// chooser takes whole actions, at random.
type chooser struct{ random *edgehill.RandomBot }

func (c *chooser) Detail() v1.LegalDetail { return v1.LegalDetail_LEGAL_DETAIL_FULL }

func (c *chooser) Choose(
	ctx context.Context, seat edgehill.BotSeat, legal *v1.LegalActions,
) (*v1.ActionList, error) {
	if seat.View == nil || seat.Config == nil || seat.Number == nil {
		return nil, errors.New("the seat is not whole")
	}
	list, err := c.random.Choose(ctx, seat, legal)
	if err != nil {
		return nil, err
	}
	id := list.GetIds().GetValues()[0]
	place := slices.IndexFunc(legal.Actions, func(action *v1.LegalAction) bool { return action.Id == id })
	return edgehill.Entries(legal.Actions[place]), nil
}

// never never chooses.
type never struct {
	asked   chan struct{}
	givenUp chan struct{}
}

func newNever() *never { return &never{asked: make(chan struct{}), givenUp: make(chan struct{})} }

func (n *never) Choose(ctx context.Context, _ edgehill.BotSeat, _ *v1.LegalActions) (*v1.ActionList, error) {
	close(n.asked)
	<-ctx.Done()
	close(n.givenUp)
	return nil, ctx.Err()
}

// runs runs a bot beside the test, which gets the outcome when it asks.
func runs(ctx context.Context, client *edgehill.Client, seat *edgehill.Seat, bot edgehill.Bot) func() (*edgehill.BotReport, error) {
	var report *edgehill.BotReport
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		report, err = edgehill.RunBot(ctx, client, seat, bot)
	}()
	return func() (*edgehill.BotReport, error) {
		<-done
		return report, err
	}
}

func TestAChoiceThatIsRefused(t *testing.T) {
	client := sharedClient(t)
	north, south := bothSeats(t, client)
	stubborn := edgehill.BotFunc(func(context.Context, edgehill.BotSeat, *v1.LegalActions) (*v1.ActionList, error) {
		return edgehill.IDs(4095), nil
	})
	_, err := edgehill.RunBots(t.Context(), client, map[*edgehill.Seat]edgehill.Bot{
		north: stubborn, south: edgehill.NewRandomBot(),
	})
	refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_ACTION, err)
}

func TestABotThatFails(t *testing.T) {
	client := sharedClient(t)
	north, south := bothSeats(t, client)
	fault := errors.New("no idea")
	broken := edgehill.BotFunc(func(context.Context, edgehill.BotSeat, *v1.LegalActions) (*v1.ActionList, error) {
		return nil, fault
	})
	_, err := edgehill.RunBots(t.Context(), client, map[*edgehill.Seat]edgehill.Bot{
		north: broken, south: edgehill.NewRandomBot(),
	})
	if err != fault { // it is the bot's own, as it is
		t.Fatalf("%v was expected: %v", fault, err)
	}
}

func TestAMatchThatIsTakenBack(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	created := ok(client.Create(ctx, "skirmish"))(t)
	seat := ok(client.Join(ctx, created.Match.Config.MatchId))(t)
	outcome := runs(ctx, client, seat, edgehill.NewRandomBot())
	ok(client.Abort(ctx, seat.MatchID(), edgehill.WithCreatorToken(created.CreatorToken)))(t)
	report := ok(outcome())(t)
	equal(t, report.Status, v1.MatchStatus_MATCH_STATUS_ABORTED)
	if report.Result != nil || report.String() != "0 actions, MATCH_STATUS_ABORTED" {
		t.Fatal(report)
	}
}

func TestPlayingIsGivenUp(t *testing.T) {
	client := sharedClient(t)
	north, _ := bothSeats(t, client)
	bot, reason := newNever(), errors.New("enough")
	ctx, giveUp := context.WithCancelCause(t.Context())
	outcome := runs(ctx, client, north, bot)
	<-bot.asked
	giveUp(reason)
	err := errorOf(outcome())
	is(t, err, reason)
	is(t, err, context.Canceled)
	<-bot.givenUp
}

func TestAChoiceIsGivenUpWhenTheMatchHasEnded(t *testing.T) {
	client := sharedClient(t)
	north, south := bothSeats(t, client)
	bot := newNever()
	outcome := runs(t.Context(), client, north, bot)
	<-bot.asked
	ok(south.Resign(t.Context()))(t)
	equal(t, ok(outcome())(t).Result.Termination, v1.Termination_TERMINATION_RESIGNATION)
	<-bot.givenUp
}

func TestChoicesAreAskedForAtTheSameTime(t *testing.T) {
	// All bots are asked before any has chosen: one after the other they would wait forever.
	client := sharedClient(t)
	first, _ := bothSeats(t, client)
	second, _ := bothSeats(t, client)
	both := &gate{left: 2, open: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	slow := edgehill.BotFunc(func(ctx context.Context, _ edgehill.BotSeat, _ *v1.LegalActions) (*v1.ActionList, error) {
		both.arrive()
		<-both.open
		cancel()
		return nil, ctx.Err()
	})
	_, err := edgehill.RunBots(ctx, client, map[*edgehill.Seat]edgehill.Bot{first: slow, second: slow})
	is(t, err, context.Canceled)
}

func TestASeatThatIsOpenedElsewhereEndsTheBot(t *testing.T) {
	client := sharedClient(t)
	north, _ := bothSeats(t, client)
	bot := newNever()
	outcome := runs(t.Context(), client, north, bot)
	<-bot.asked
	twin := client.PlaySeats()
	twin.Open(north)
	pull(t, twin.Events(t.Context())).one()
	refused(t, v1.ErrorReason_ERROR_REASON_OPENED_ELSEWHERE, errorOf(outcome()))
}

func TestEntropyIsRevealedWhenItIsDue(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	match := play(t, client, "skirmish", v1.EntropyMode_ENTROPY_MODE_COMMIT_REVEAL)
	state := ok(client.Get(ctx, match.config.MatchId))(t).State
	for number, seat := range state.Seats {
		equal(t, seat.Entropy, v1.EntropyState_ENTROPY_STATE_REVEALED)
		equal(t, state.Reveal.Entropies[number], match.seats[number].Entropy())
	}
}

func TestTheChoicesOfABotFollowFromItsSeed(t *testing.T) {
	legal := &v1.LegalActions{}
	for id := range uint32(100) {
		legal.Ids = append(legal.Ids, id)
	}
	choices := func(bot *edgehill.RandomBot) []uint32 {
		var made []uint32
		for range 200 {
			made = append(made, ok(bot.Choose(t.Context(), edgehill.BotSeat{}, legal))(t).GetIds().Values...)
		}
		return made
	}
	mine := choices(edgehill.NewSeededRandomBot(7))
	equal(t, mine, choices(edgehill.NewSeededRandomBot(7)))
	if slices.Equal(mine, choices(edgehill.NewSeededRandomBot(8))) {
		t.Fatal("every seed has the same choices")
	}
	slices.Sort(mine)
	if different := len(slices.Compact(mine)); different < 60 {
		t.Fatalf("%d actions of 100", different)
	}
	if errorOf(edgehill.NewRandomBot().Choose(t.Context(), edgehill.BotSeat{}, nil)) == nil {
		t.Fatal("there is nothing to choose")
	}
}
