package edgehill

import (
	"context"
	"fmt"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Seat is a seat of a match, by its token. The holder of the token plays the seat, so it is a secret.
//
// Each call that changes something takes a new request id and keeps it in every repetition. Errors are those of [Client].
type Seat struct {
	connection *connection
	matchID    string
	token      string
	joined     *v1.JoinMatchResponse
	entropy    []byte
	ids        *requestIDs
}

func newSeat(c *connection, matchID, token string, joined *v1.JoinMatchResponse, entropy []byte) *Seat {
	return &Seat{
		connection: c, matchID: matchID, token: token, joined: joined, entropy: entropy, ids: newRequestIDs(),
	}
}

// MatchID returns the match's id.
func (s *Seat) MatchID() string { return s.matchID }

// Token returns the secret that plays the seat.
func (s *Seat) Token() string { return s.token }

// Joined returns the answer to [Client.Join]; nil for a seat that was taken up by its token alone.
func (s *Seat) Joined() *v1.JoinMatchResponse { return s.joined }

// Entropy returns the entropy that [Client.Join] gave for the dice; empty: none.
func (s *Seat) Entropy() []byte { return s.entropy }

// Number returns the seat's number, from 0; false for a seat that was taken up by its token alone.
func (s *Seat) Number() (uint32, bool) { return s.joined.GetSeat(), s.joined != nil }

// String names the seat without its token.
func (s *Seat) String() string {
	if number, known := s.Number(); known {
		return fmt.Sprintf("seat %d of match %s", number, s.matchID)
	}
	return "a seat of match " + s.matchID
}

// ViewOption says which view is asked for: [WithAtSeq], [WithIncludeText].
type ViewOption interface {
	set(*settings)
	view()
}

// MomentOption is a moment of a match.
type MomentOption struct{ setter }

func (MomentOption) view() {}

// WithAtSeq asks for the view at a number: 0 is the beginning, and the only one that servers show beside the present.
func WithAtSeq(seq uint64) MomentOption {
	return MomentOption{func(s *settings) { s.atSeq = &seq }}
}

// LegalOption says which legal actions are listed: [WithDetail], [WithVerbs], [WithRefs].
type LegalOption interface {
	set(*settings)
	legal()
}

// DetailOption is the detail of legal actions that are listed.
type DetailOption struct{ setter }

func (DetailOption) legal() {}

// WithDetail asks for each legal action in this detail; without it, for its id.
func WithDetail(detail v1.LegalDetail) DetailOption {
	return DetailOption{func(s *settings) { s.detail = detail }}
}

// PromptOption is the detail of legal actions in prompts.
type PromptOption struct{ setter }

func (PromptOption) seatWatch() {}
func (PromptOption) open()      {}

// WithLegal asks for legal actions in this detail, whenever the seat comes to be to act. Without it [Seat.WatchMatch] has none, and
// [PlaySession.Open] ids.
func WithLegal(detail v1.LegalDetail) PromptOption {
	return PromptOption{func(s *settings) { s.detail = detail }}
}

// FilterOption is a filter of legal actions.
type FilterOption struct{ setter }

func (FilterOption) legal() {}

// WithVerbs lists the actions of these verbs only.
func WithVerbs(verbs ...string) FilterOption {
	return FilterOption{func(s *settings) { s.verbs = verbs }}
}

// WithRefs lists only the actions about all of these things.
func WithRefs(refs ...*v1.Ref) FilterOption {
	return FilterOption{func(s *settings) { s.refs = refs }}
}

// Get gets the match's config and state, with the last number of this seat's sequence.
func (s *Seat) Get(ctx context.Context) (*v1.Match, error) {
	request := &v1.GetMatchRequest{MatchId: s.matchID}
	answer, err := call(ctx, s.connection, s.token, s.connection.matches.GetMatch, request)
	return whole(answer.GetMatch(), err)
}

// View gets the view of the seat, now or at the beginning of the match.
func (s *Seat) View(ctx context.Context, options ...ViewOption) (*v1.GetViewResponse, error) {
	said := gathered(options)
	request := &v1.GetViewRequest{MatchId: s.matchID, AtSeq: said.atSeq, IncludeText: said.includeText}
	return looked(call(ctx, s.connection, s.token, s.connection.matches.GetView, request))
}

// SpectatorView gets the view of a spectator, which a player may see, too.
func (s *Seat) SpectatorView(ctx context.Context, options ...ViewOption) (*v1.GetViewResponse, error) {
	said := gathered(options)
	request := &v1.GetViewRequest{
		MatchId: s.matchID, AtSeq: said.atSeq, IncludeText: said.includeText, Observer: &v1.Observer{},
	}
	return looked(call(ctx, s.connection, s.token, s.connection.matches.GetView, request))
}

// Receipt gets the server's signed word for all that it has published to the seat: the hash of a [Transcript] of it.
func (s *Seat) Receipt(ctx context.Context) (*v1.Receipt, error) {
	return receipt(ctx, s.connection, s.token, s.matchID)
}

// Legal lists the actions that the seat may take now; none if it is not to act.
func (s *Seat) Legal(ctx context.Context, options ...LegalOption) (*v1.ListLegalActionsResponse, error) {
	said := gathered(options)
	request := &v1.ListLegalActionsRequest{
		MatchId: s.matchID, Detail: said.detail, Verbs: said.verbs, Refs: said.refs,
	}
	answer, err := call(ctx, s.connection, s.token, s.connection.matches.ListLegalActions, request)
	if err == nil && answer.LegalActions == nil {
		answer.LegalActions = &v1.LegalActions{}
	}
	return answer, err
}

// Explain tells why the seat may not take an action now: [ActionID], [Notation] or [Structure].
func (s *Seat) Explain(ctx context.Context, action *v1.Action) (*v1.ExplainActionResponse, error) {
	request := &v1.ExplainActionRequest{MatchId: s.matchID, Action: action}
	return call(ctx, s.connection, s.token, s.connection.matches.ExplainAction, request)
}

// WatchMatch streams the seat's updates as they come: after a cursor or, without one, from the present view on. Nothing is
// asked before its updates are read.
func (s *Seat) WatchMatch(options ...SeatWatchOption) *Watch {
	said := &settings{}
	for _, option := range options {
		option.set(said)
	}
	return newWatch(s.connection, s.token, s.matchID, said)
}
