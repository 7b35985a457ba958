package edgehill

import (
	"context"
	"iter"
	"strings"
	"sync"

	"google.golang.org/grpc"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// EnrolOption says who is enrolled: [WithName], [WithRating], [WithAccountID], [WithHouseBot], [WithRequestID].
type EnrolOption interface {
	set(*settings)
	enrol()
}

// EntrantOption is an option of [Client.EnrolEntrant] alone.
type EntrantOption struct{ setter }

func (EntrantOption) enrol() {}

// WithName names the entrant, in 1 to 200 bytes; without it, the account's id or the house bot's name.
func WithName(name string) EntrantOption {
	return EntrantOption{func(s *settings) { s.entrantName = name }}
}

// WithRating gives the rating to seed the entrant by, which those who look after the competition alone may give.
func WithRating(rating int32) EntrantOption {
	return EntrantOption{func(s *settings) { s.rating = &rating }}
}

// AccountIDOption names an account, for [Client.EnrolEntrant] and [Referee.ReplaceMatchPlayer].
type AccountIDOption struct{ setter }

func (AccountIDOption) enrol()   {}
func (AccountIDOption) replace() {}

// WithAccountID enrols this account instead of the client's own, or has it alone take a seat in the place of another player.
func WithAccountID(id string) AccountIDOption {
	return AccountIDOption{func(s *settings) { s.accountID = id }}
}

// WithHouseBot enrols a house bot instead of an account.
func WithHouseBot(name string) EntrantOption {
	return EntrantOption{func(s *settings) { s.houseBot = name }}
}

// CreateCompetition makes a competition, in which entrants may enrol. For referees.
func (c *Client) CreateCompetition(
	ctx context.Context, terms *v1.CompetitionSettings, options ...ChangeOption,
) (*v1.Competition, error) {
	request := &v1.CreateCompetitionRequest{RequestId: c.requestID(options), Settings: terms}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.CreateCompetition, request)
	return competition(answer, err)
}

// Competition gets a competition with its entrants.
func (c *Client) Competition(ctx context.Context, id string) (*v1.GetCompetitionResponse, error) {
	request := &v1.GetCompetitionRequest{CompetitionId: id}
	return call(ctx, c.connection, c.key, c.connection.competitions.GetCompetition, request)
}

// Competitions lists the competitions of the server in a phase, or in all (unspecified); last made first.
func (c *Client) Competitions(ctx context.Context, phase v1.CompetitionPhase) ([]*v1.Competition, error) {
	return paged(func(token string) ([]*v1.Competition, string, error) {
		request := &v1.ListCompetitionsRequest{Phase: phase, PageToken: token}
		page, err := call(ctx, c.connection, c.key, c.connection.competitions.ListCompetitions, request)
		return page.GetCompetitions(), page.GetNextPageToken(), err
	})
}

// EnrolEntrant enrols the client's own account; those who look after the competition enrol other accounts and house bots, and
// give ratings.
func (c *Client) EnrolEntrant(ctx context.Context, id string, options ...EnrolOption) (*v1.Entrant, error) {
	said := gathered(options)
	request := &v1.EnrolEntrantRequest{
		RequestId:     c.ids.next(said.requestID),
		CompetitionId: id,
		Name:          said.entrantName,
		Rating:        said.rating,
		AccountId:     said.accountID,
		HouseBot:      said.houseBot,
	}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.EnrolEntrant, request)
	return entrant(answer, err)
}

// WithdrawEntrant lets an entrant leave, by its number.
func (c *Client) WithdrawEntrant(
	ctx context.Context, id string, number uint32, options ...ChangeOption,
) (*v1.Entrant, error) {
	request := &v1.WithdrawEntrantRequest{RequestId: c.requestID(options), CompetitionId: id, Entrant: number}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.WithdrawEntrant, request)
	return entrant(answer, err)
}

// DisqualifyEntrant sends an entrant away, by its number; the evidence, of 1 to 4,000 bytes, is for everybody to see.
func (c *Client) DisqualifyEntrant(
	ctx context.Context, id string, number uint32, evidence string, options ...ChangeOption,
) (*v1.Entrant, error) {
	request := &v1.DisqualifyEntrantRequest{
		RequestId: c.requestID(options), CompetitionId: id, Entrant: number, Evidence: evidence,
	}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.DisqualifyEntrant, request)
	return entrant(answer, err)
}

// StartCompetition ends enrolment, and begins to play.
func (c *Client) StartCompetition(ctx context.Context, id string, options ...ChangeOption) (*v1.Competition, error) {
	request := &v1.StartCompetitionRequest{RequestId: c.requestID(options), CompetitionId: id}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.StartCompetition, request)
	return competition(answer, err)
}

// CancelCompetition calls a competition off; the reason, of 0 to 200 bytes, is for everybody to see.
func (c *Client) CancelCompetition(
	ctx context.Context, id, reason string, options ...ChangeOption,
) (*v1.Competition, error) {
	request := &v1.CancelCompetitionRequest{RequestId: c.requestID(options), CompetitionId: id, Reason: reason}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.CancelCompetition, request)
	return competition(answer, err)
}

// VoidCompetitionMatch takes a match back by its place, such as 2.5.1, to be played again (replay) or not; the evidence, of 1 to
// 4,000 bytes, is for everybody to see.
func (c *Client) VoidCompetitionMatch(
	ctx context.Context, id, slot, evidence string, replay bool, options ...ChangeOption,
) (*v1.Competition, error) {
	request := &v1.VoidCompetitionMatchRequest{
		RequestId: c.requestID(options), CompetitionId: id, Slot: slot, Replay: replay, Evidence: evidence,
	}
	answer, err := call(ctx, c.connection, c.key, c.connection.competitions.VoidCompetitionMatch, request)
	return competition(answer, err)
}

// Standings gets the standings as they are now, with the matches of one entrant against each other; 0: of none.
func (c *Client) Standings(ctx context.Context, id string, crossTableOf uint32) (*v1.GetStandingsResponse, error) {
	request := &v1.GetStandingsRequest{CompetitionId: id, CrossTableOf: crossTableOf}
	return call(ctx, c.connection, c.key, c.connection.competitions.GetStandings, request)
}

// Encounters lists the encounters of a round, from 1, or of all for 0.
func (c *Client) Encounters(ctx context.Context, id string, round uint32) ([]*v1.Encounter, error) {
	return paged(func(token string) ([]*v1.Encounter, string, error) {
		request := &v1.ListEncountersRequest{CompetitionId: id, Round: round, PageToken: token}
		page, err := call(ctx, c.connection, c.key, c.connection.competitions.ListEncounters, request)
		return page.GetEncounters(), page.GetNextPageToken(), err
	})
}

// ExportCompetition gets a competition as a page, a table or a document.
func (c *Client) ExportCompetition(ctx context.Context, id string, form v1.CompetitionExport) (string, error) {
	return attempt(ctx, c.connection, c.key, func(ctx context.Context) (string, error) {
		request := &v1.ExportCompetitionRequest{CompetitionId: id, Form: form}
		parts, err := c.connection.competitions.ExportCompetition(ctx, request)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		for part, err := range received(parts) {
			if err != nil {
				return "", err
			}
			text.WriteString(part.GetChunk())
		}
		return text.String(), nil
	})
}

// CompetitionWatch is the stream of a competition's events, in order and without a gap, until it ends.
type CompetitionWatch struct {
	connection *connection
	key        string
	session    *competitionSession
}

// WatchCompetition streams the events of a competition behind a number; 0: all. Nothing is asked before they are read.
func (c *Client) WatchCompetition(id string, afterEvent uint64) *CompetitionWatch {
	session := &competitionSession{id: id, after: afterEvent}
	return &CompetitionWatch{connection: c.connection, key: c.key, session: session}
}

// Responses returns events with the competition after them, until it has ended; one loop at a time may read. An error is the last
// thing that comes. Another loop goes on behind the last event.
func (w *CompetitionWatch) Responses(ctx context.Context) iter.Seq2[*v1.WatchCompetitionResponse, error] {
	return resumed(ctx, w.connection, w.key, w.session)
}

// LastEvent returns the number of the last event that was taken from the stream.
func (w *CompetitionWatch) LastEvent() uint64 {
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	return w.session.after
}

type competitionSession struct {
	id    string
	mu    sync.Mutex
	after uint64
}

func (s *competitionSession) open(
	ctx context.Context, c *connection,
) (grpc.ServerStreamingClient[v1.WatchCompetitionResponse], error) {
	s.mu.Lock()
	request := &v1.WatchCompetitionRequest{CompetitionId: s.id, AfterEvent: s.after}
	s.mu.Unlock()
	return c.competitions.WatchCompetition(ctx, request)
}

func (s *competitionSession) take(response *v1.WatchCompetitionResponse) (*v1.WatchCompetitionResponse, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, event := range response.GetEvents() {
		s.after = max(s.after, event.GetNumber())
	}
	return response, true
}

func (s *competitionSession) isOver() bool   { return false }
func (s *competitionSession) endedBy() error { return nil }

func (c *Client) requestID(options []ChangeOption) string {
	return c.ids.next(gathered(options).requestID)
}

func competition(answer interface{ GetCompetition() *v1.Competition }, err error) (*v1.Competition, error) {
	if err == nil && answer.GetCompetition() == nil {
		err = incomplete("the competition")
	}
	return answer.GetCompetition(), err
}

func entrant(answer interface{ GetEntrant() *v1.Entrant }, err error) (*v1.Entrant, error) {
	if err == nil && answer.GetEntrant() == nil {
		err = incomplete("the entrant")
	}
	return answer.GetEntrant(), err
}
