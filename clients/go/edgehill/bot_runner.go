package edgehill

import (
	"context"
	"errors"
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// stopped has the statuses at which nothing more is to be played, beside FINISHED.
var stopped = []v1.MatchStatus{
	v1.MatchStatus_MATCH_STATUS_UNPLAYABLE,
	v1.MatchStatus_MATCH_STATUS_QUARANTINED,
	v1.MatchStatus_MATCH_STATUS_ABORTED,
	v1.MatchStatus_MATCH_STATUS_EXPIRED,
}

// RunBot plays a seat until its match has ended. See [RunBots].
func RunBot(ctx context.Context, client *Client, seat *Seat, bot Bot) (*BotReport, error) {
	reports, err := RunBots(ctx, client, map[*Seat]Bot{seat: bot})
	if err != nil {
		return nil, err
	}
	return reports[seat], nil
}

// RunBots plays seats over one stream, of one match or of many, until all their matches have ended.
//
// Where seats commit to their entropy, it is revealed when all have joined. The errors are a bot's own, [Refused] where a bot
// chooses an action that is not legal or its seat was opened elsewhere, and those of all calls. It returns when the choices
// that are under way have returned, whose context has ended then.
func RunBots(ctx context.Context, client *Client, bots map[*Seat]Bot) (map[*Seat]*BotReport, error) {
	playing, giveUp := context.WithCancelCause(ctx)
	session := client.PlaySeats()
	players := make(map[*PlayedSeat]*player, len(bots))
	for seat, bot := range bots {
		opened := session.Open(seat, openOptions(bot)...)
		players[opened] = &player{seat: seat, bot: bot, played: opened, giveUp: giveUp}
	}
	err := playAll(playing, session, players)
	if fault := new(botFault); errors.As(context.Cause(playing), &fault) {
		err = fault.err // the bot's own error, and not that its playing was given up
	}
	giveUp(nil)
	for _, player := range players {
		player.stopChoosing()
	}
	for _, player := range players {
		player.choosing.Wait()
	}
	if err != nil {
		return nil, err
	}
	reports := make(map[*Seat]*BotReport, len(players))
	for _, player := range players {
		reports[player.seat] = player.report()
	}
	return reports, nil
}

// botFault is the error of a bot, as the cause for which all playing ends.
type botFault struct{ err error }

func (f *botFault) Error() string { return f.err.Error() }

func openOptions(bot Bot) []OpenOption {
	var options []OpenOption
	if detailed, ok := bot.(DetailBot); ok {
		options = append(options, WithLegal(detailed.Detail()))
	}
	if omitter, ok := bot.(EventOmitter); ok && omitter.OmitEvents() {
		options = append(options, WithOmitEvents())
	}
	return options
}

func playAll(ctx context.Context, session *PlaySession, players map[*PlayedSeat]*player) error {
	for event, err := range session.Events(ctx) {
		if err != nil {
			return err
		}
		player := players[event.Seat]
		if err := player.take(event); err != nil {
			return err
		}
		if err := player.revealEntropy(ctx, event.Now); err != nil {
			return err
		}
		if event.Legal != nil {
			player.beginChoosing(ctx, event.Now, event.Legal)
		}
	}
	return nil
}

// player is a bot at its seat.
type player struct {
	seat     *Seat
	bot      Bot
	played   *PlayedSeat
	giveUp   context.CancelCauseFunc
	choosing sync.WaitGroup

	place       BotSeat
	actions     int
	hasRevealed bool

	// mu guards the choice that is under way: a choice that is not needed any more is dropped.
	mu     sync.Mutex
	choice *choice
}

type choice struct {
	seq    uint64
	legal  *v1.LegalActions
	cancel context.CancelFunc
}

func (p *player) report() *BotReport {
	report := &BotReport{
		MatchID: p.seat.matchID,
		Status:  p.place.State.GetStatus(),
		Result:  p.place.State.GetResult(),
		Actions: p.actions,
	}
	if p.place.Number != nil {
		report.Seat = *p.place.Number
	}
	return report
}

// take takes news of the stream: the bot takes note of it, and so does the report. It returns the error that ends the play.
func (p *player) take(event *PlayEvent) error {
	p.place = event.Now
	if event.Refused != nil && (event.Closed || !slices.Contains(overtaken, event.Refused.Reason())) {
		return event.Refused
	}
	if observer, ok := p.bot.(EventObserver); ok {
		for _, seen := range event.Events {
			observer.OnEvent(event.Now, seen)
		}
	}
	p.actions += int(event.ApplyResult.GetActions())
	if event.Closed {
		p.stopChoosing()
		if observer, ok := p.bot.(EndObserver); ok {
			observer.OnFinished(event.Now)
		}
	} else if slices.Contains(stopped, event.Now.State.GetStatus()) {
		if err := event.Seat.Close(); err != nil && !errors.Is(err, ErrSeatClosed) {
			return err
		}
	}
	return nil
}

// revealEntropy reveals the seat's entropy, if it is to be revealed now; once, since a state may be late.
func (p *player) revealEntropy(ctx context.Context, place BotSeat) error {
	state := place.State
	if p.hasRevealed || len(p.seat.entropy) == 0 || place.Number == nil ||
		state.GetStatus() != v1.MatchStatus_MATCH_STATUS_REVEALING || int(*place.Number) >= len(state.GetSeats()) {
		return nil
	}
	if state.GetSeats()[*place.Number].GetEntropy() != v1.EntropyState_ENTROPY_STATE_COMMITTED {
		return nil
	}
	p.hasRevealed = true
	_, err := p.seat.RevealEntropy(ctx)
	return err
}

// beginChoosing has the bot choose, beside everything else.
func (p *player) beginChoosing(ctx context.Context, place BotSeat, legal *v1.LegalActions) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A stream that was opened again repeats the prompt that is thought about.
	if p.choice != nil && p.choice.seq == place.Seq && proto.Equal(p.choice.legal, legal) {
		return
	}
	// A choice for the same prompt may have been sent since the news of it came.
	if !p.played.isAsked(legal) {
		return
	}
	p.drop()
	asked, cancel := context.WithCancel(ctx)
	begun := &choice{seq: place.Seq, legal: legal, cancel: cancel}
	p.choice = begun
	p.choosing.Go(func() {
		defer cancel()
		actions, err := p.bot.Choose(asked, place, legal)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.choice != begun || asked.Err() != nil {
			return
		}
		p.choice = nil
		if err != nil {
			p.giveUp(&botFault{err: err})
			return
		}
		// A seat that was closed meanwhile takes no choice, as one whose match has ended.
		_, _ = p.played.Apply(actions)
	})
}

func (p *player) stopChoosing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
}

func (p *player) drop() {
	if p.choice != nil {
		p.choice.cancel()
		p.choice = nil
	}
}
