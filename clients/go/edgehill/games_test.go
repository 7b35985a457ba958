package edgehill_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// short has options that keep a game of bots short.
var short = map[string]map[string]any{"english-civil-war-iia": {"max_seasons": 2}}

// follower plays at random, and keeps all events and the view that the stream kept for it.
type follower struct {
	*edgehill.RandomBot
	events []*v1.Event
	end    edgehill.BotSeat
}

func (f *follower) OmitEvents() bool { return false }

func (f *follower) OnEvent(_ edgehill.BotSeat, event *v1.Event) { f.events = append(f.events, event) }

func (f *follower) OnFinished(seat edgehill.BotSeat) { f.end = seat }

type played struct {
	config *v1.MatchConfig
	seats  []*edgehill.Seat
	bots   []*follower
}

// play plays a match of a game to its end over one stream, a bot at each seat.
func play(t *testing.T, client *edgehill.Client, game string, mode v1.EntropyMode) *played {
	t.Helper()
	ctx := t.Context()
	created := ok(client.Create(ctx, game, edgehill.WithOptions(short[game]), edgehill.WithEntropyMode(mode)))(t)
	match := &played{config: created.Match.Config}
	bots := map[*edgehill.Seat]edgehill.Bot{}
	for number := range created.Match.State.Seats {
		name := edgehill.WithPlayer([]string{"Ann", "Jörg"}[number])
		seat := ok(client.Join(ctx, match.config.MatchId, name))(t)
		bot := &follower{RandomBot: edgehill.NewSeededRandomBot(uint64(number))}
		match.seats, match.bots, bots[seat] = append(match.seats, seat), append(match.bots, bot), bot
	}
	reports := ok(edgehill.RunBots(ctx, client, bots))(t)
	for number, seat := range match.seats {
		report := reports[seat]
		equal(t, report.MatchID, match.config.MatchId)
		equal(t, int(report.Seat), number)
		equal(t, report.Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
		sameMessage(t, report.Result, match.bots[number].end.State.Result)
		if report.Actions == 0 || !strings.Contains(report.String(), report.Result.Code) {
			t.Fatal(report)
		}
	}
	return match
}

func (p *played) entropies() map[uint32][]byte {
	entropies := map[uint32][]byte{}
	for number, seat := range p.seats {
		entropies[uint32(number)] = seat.Entropy()
	}
	return entropies
}

// folds asserts the law: the view at the start with all events folded over it is the view now, as a message.
func folds(t *testing.T, start, now *v1.GetViewResponse, watch *edgehill.Watch) {
	t.Helper()
	var tracker edgehill.ViewTracker
	tracker.Look(start)
	next := uint64(1)
	for update, err := range watch.Updates(t.Context()) {
		ok(update, err)(t)
		ok(0, tracker.Fold(update))(t)
		for _, event := range update.Events {
			equal(t, event.Seq, next)
			next++
		}
	}
	equal(t, tracker.Seq, now.Seq)
	equal(t, next, now.Seq+1)
	sameMessage(t, tracker.View, now.View)
}

func TestBotsPlayEveryGame(t *testing.T) {
	t.Parallel()
	client := sharedClient(t)
	for _, game := range ok(client.Games(t.Context()))(t) {
		t.Run(game.Id, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			match := play(t, client, game.Id, v1.EntropyMode_ENTROPY_MODE_OPEN)
			id, atStart := match.config.MatchId, edgehill.WithAtSeq(0)
			state := ok(client.Get(ctx, id))(t).State
			var events []*v1.Event
			for number, seat := range match.seats {
				end := match.bots[number].end
				now := ok(seat.View(ctx))(t)
				sameMessage(t, end.State.Result, state.Result)
				sameMessage(t, end.View, now.View)
				folds(t, ok(seat.View(ctx, atStart))(t), now, seat.WatchMatch(edgehill.WithAfterSeq(0)))
				events = append(events, match.bots[number].events...)
			}
			now := ok(client.View(ctx, id))(t)
			folds(t, ok(client.View(ctx, id, atStart))(t), now, client.WatchMatch(id, edgehill.WithAfterSeq(0)))

			record := ok(client.Record(ctx, id))(t)
			equal(t, record.Complete, true)
			keys := edgehill.WithSigningKeys(ok(client.SigningKey(ctx))(t))
			unchecked := ok(edgehill.VerifyRecord(record.Text, keys))(t).Unchecked
			equal(t, len(unchecked), 2)
			if unchecked[edgehill.PartRules] == "" || unchecked[edgehill.PartSeed] == "" {
				t.Fatal(unchecked)
			}
			check := ok(edgehill.VerifyDice(match.config, state, record.Text, edgehill.WithEntropies(match.entropies()),
				edgehill.WithEvents(events...), keys))(t)
			equal(t, check.Rolls, len(regexp.MustCompile(`(?m)^dice \d`).FindAllString(record.Text, -1)))
		})
	}
}

func TestEveryDieOfASkirmishIsDrawnAgainAndNoOtherOne(t *testing.T) {
	t.Parallel()
	client, ctx := sharedClient(t), t.Context()
	rolls := regexp.MustCompile(`(?m)^dice 3/`)
	// The bots reveal their entropy, too. A match may end before there were two rolls.
	var match *played
	var text string
	for len(rolls.FindAllString(text, -1)) < 2 {
		match = play(t, client, "skirmish", v1.EntropyMode_ENTROPY_MODE_COMMIT_REVEAL)
		text = ok(client.Record(ctx, match.config.MatchId))(t).Text
	}
	state := ok(client.Get(ctx, match.config.MatchId))(t).State
	var cards []string
	for _, card := range ok(client.Game(ctx, "skirmish"))(t).Cards {
		cards = append(cards, card.Id)
	}
	// The stretches of the deck: six cards of dawn, and six of dusk.
	bags := edgehill.WithBags(map[uint32][]string{0: cards[:6], 1: append(make([]string, 6), cards[6:]...)})
	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAllString(text, -1)) }
	for _, bot := range match.bots {
		check := ok(edgehill.VerifyDice(match.config, state, text, bags,
			edgehill.WithEntropies(match.entropies()), edgehill.WithEvents(bot.events...)))(t)
		equal(t, check.Draws, count(`(?m)^draw [01]/`))
		equal(t, check.Rolls, count(`(?m)^dice \d`))
		// The back that is meant among several is a choice among those that the rules know.
		equal(t, len(check.Unchecked), count(`(?m)^draw 3/`))
	}

	refuses := func(words, forged string, options ...edgehill.VerifyDiceOption) {
		t.Helper()
		says(t, errorOf(edgehill.VerifyDice(match.config, state, forged, options...)), words)
	}
	other := proto.CloneOf(match.config)
	other.Dice.Commitment = make([]byte, 32)
	says(t, errorOf(edgehill.VerifyDice(other, state, text)), "commitment")
	refuses("entropy of seat 1", text, edgehill.WithEntropies(map[uint32][]byte{1: make([]byte, 32)}))
	refuses("draw 0/0", text, edgehill.WithBags(map[uint32][]string{0: cards[6:]}))
	refuses("the digest of the text", strings.Replace(text, "game skirmish", "game chess", 1))
	refuses("the commitment", resealed(strings.Replace(text, "game skirmish", "game chess", 1)))
	refuses("the names", resealed(strings.Replace(text, "Ann", "Annx", 1)))
	line := regexp.MustCompile(`(?m)^dice (\d+/\d+): (\d)`).FindStringSubmatch(text)
	face := line[2][0]%6 + '1'
	changed := line[0][:len(line[0])-1] + string(face)
	refuses("the dice "+line[1], resealed(strings.Replace(text, line[0], changed, 1)))
	whole := regexp.MustCompile(`(?m)^dice \d.*\n`).FindString(text)
	refuses("the number of the dice", resealed(strings.Replace(text, whole, "", 1)))
	unseen := &v1.Event{Seq: 7, ChanceRef: &v1.ChanceRef{Stream: 3, N: 999}}
	refuses("draw 3/999", text, edgehill.WithEvents(unseen))
	refuses("found none", text, edgehill.WithEntropies(map[uint32][]byte{9: make([]byte, 32)}))
	refuses("the dice", text, edgehill.WithSides(1000))
}

func TestOfARunningMatchThereIsNoDieToCheck(t *testing.T) {
	created := ok(sharedClient(t).Create(t.Context(), "skirmish"))(t)
	example := recordVectors(t)[0].Text
	says(t, errorOf(edgehill.VerifyDice(created.Match.Config, created.Match.State, example)), "the seed is not revealed")
}

func TestManyMatchesAtOnce(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	bots := map[*edgehill.Seat]edgehill.Bot{}
	for range 3 {
		north, south := bothSeats(t, client)
		bots[north], bots[south] = &chooser{random: edgehill.NewRandomBot()}, edgehill.NewRandomBot()
	}
	reports := ok(edgehill.RunBots(ctx, client, bots))(t)
	equal(t, len(reports), 6)
	for seat, report := range reports {
		number, _ := seat.Number()
		equal(t, fmt.Sprint(report.MatchID, report.Seat), fmt.Sprint(seat.MatchID(), number))
		equal(t, report.Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
		sameMessage(t, report.Result, ok(seat.Get(ctx))(t).State.Result)
	}
}

// gate opens when so many have come.
type gate struct {
	mu   sync.Mutex
	left int
	open chan struct{}
}

func (g *gate) arrive() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left--; g.left == 0 {
		close(g.open)
	}
}
