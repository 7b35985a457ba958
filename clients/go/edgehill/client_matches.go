package edgehill

import (
	"context"
	"iter"
	"slices"
	"strings"

	v1 "edgehill.dev/gen/edgehill/v1"
	"google.golang.org/protobuf/proto"

	"edgehill.dev/dice"
)

// JoinOption says how [Client.Join] takes a seat: [WithSeat], [WithInvitation], [WithPlayer], [WithEntropy], [WithResponse],
// [WithRequestID].
type JoinOption interface {
	set(*settings)
	join()
}

// SeatTakingOption is an option of [Client.Join] alone.
type SeatTakingOption struct{ setter }

func (SeatTakingOption) join() {}

// WithInvitation gives the seat's invitation.
func WithInvitation(invitation string) SeatTakingOption {
	return SeatTakingOption{func(s *settings) { s.invitation = invitation }}
}

// PlayerOption is the name of a player, for [Client.Join] and [Referee.ReplaceMatchPlayer].
type PlayerOption struct{ setter }

func (PlayerOption) join()    {}
func (PlayerOption) replace() {}

// WithPlayer gives the player's name for others, in 0 to 64 bytes.
func WithPlayer(name string) PlayerOption {
	return PlayerOption{func(s *settings) { s.player = name }}
}

// WithEntropy gives the 32 bytes for the dice; without it they are drawn. Empty: none are given.
func WithEntropy(entropy []byte) SeatTakingOption {
	return SeatTakingOption{func(s *settings) { s.entropy, s.hasEntropy = entropy, true }}
}

// AbortOption says how [Client.Abort] takes a match back: [WithCreatorToken], [WithRequestID].
type AbortOption interface {
	set(*settings)
	abort()
}

// CreatorOption is the creator's proof.
type CreatorOption struct{ setter }

func (CreatorOption) abort() {}

// WithCreatorToken gives the token that [Client.Create] gave; the account that made the match does not need it.
func WithCreatorToken(token string) CreatorOption {
	return CreatorOption{func(s *settings) { s.creatorToken = token }}
}

// Create makes a match. Keep Match.Config: after the match its dice are verified against it.
func (c *Client) Create(ctx context.Context, game string, options ...CreateOption) (*v1.CreateMatchResponse, error) {
	said := gathered(options)
	request := &v1.CreateMatchRequest{
		RequestId:      c.ids.next(said.requestID),
		ClientSecret:   c.clientSecret,
		Game:           game,
		Rules:          said.rules,
		Scenario:       said.scenario,
		Options:        said.options,
		Seats:          said.seats,
		PositionJson:   said.positionJSON,
		EntropyMode:    said.entropyMode,
		Clock:          said.clock,
		SpectatorDelay: said.spectatorDelay,
	}
	if said.seedGroup != nil {
		request.Seed = &v1.CreateMatchRequest_Group{Group: said.seedGroup}
	} else if said.chosenSeed != nil {
		request.Seed = &v1.CreateMatchRequest_ChosenSeed{ChosenSeed: said.chosenSeed}
	}
	return withMatch(call(ctx, c.connection, c.key, c.connection.matches.CreateMatch, request))
}

// CreateAll makes several matches, each as [MatchPlan] gives it: all of them or none. They come in the order in which they were
// named.
func (c *Client) CreateAll(
	ctx context.Context, plans []*v1.MatchPlan, options ...CreateAllOption,
) ([]*v1.CreateMatchResponse, error) {
	said := gathered(options)
	request := &v1.CreateMatchesRequest{
		RequestId: c.ids.next(said.requestID), ClientSecret: c.clientSecret, Matches: plans, Groups: said.groups,
	}
	made, err := call(ctx, c.connection, c.key, c.connection.matches.CreateMatches, request)
	if err != nil {
		return nil, err
	}
	for _, created := range made.GetCreated() {
		if _, err := whole(created.GetMatch(), nil); err != nil {
			return nil, err
		}
	}
	return made.GetCreated(), nil
}

// Abort takes a match back before it has begun.
func (c *Client) Abort(ctx context.Context, matchID string, options ...AbortOption) (*v1.Match, error) {
	said := gathered(options)
	request := &v1.AbortMatchRequest{
		MatchId: matchID, RequestId: c.ids.next(said.requestID), CreatorToken: said.creatorToken,
	}
	answer, err := call(ctx, c.connection, c.key, c.connection.matches.AbortMatch, request)
	return whole(answer.GetMatch(), err)
}

// Join takes a seat: [WithSeat]'s, the invitation's, or the first that is open.
//
// Entropy is made here, after the match's commitment was seen, so that no host can choose the dice. Where seats commit to it
// (COMMIT_REVEAL), [Seat.RevealEntropy] is due once all have joined, and an invitation's seat has to be named. In a seed
// group an entrant gives the same entropy in all its matches.
func (c *Client) Join(ctx context.Context, matchID string, options ...JoinOption) (*Seat, error) {
	said := gathered(options)
	match, err := c.Get(ctx, matchID)
	if err != nil {
		return nil, err
	}
	entropy, source := said.entropy, match.GetConfig().GetDice()
	switch {
	case match.GetState().GetStatus() == v1.MatchStatus_MATCH_STATUS_RUNNING:
		entropy = nil // of a seat that was another player's the part in the dice stays
	case !said.hasEntropy && source.GetOrigin() != v1.SeedOrigin_SEED_ORIGIN_CHOSEN:
		entropy = randomBytes(32)
	}
	request := &v1.JoinMatchRequest{
		MatchId:         matchID,
		RequestId:       c.ids.next(said.requestID),
		ClientSecret:    c.clientSecret,
		Seat:            said.seat,
		Invitation:      said.invitation,
		Player:          said.player,
		ResponseOptions: said.response,
	}
	if len(entropy) > 0 && source.GetEntropyMode() == v1.EntropyMode_ENTROPY_MODE_COMMIT_REVEAL {
		if request.Seat == nil {
			if request.Seat, err = firstOpen(match.GetState(), said.invitation); err != nil {
				return nil, err
			}
		}
		request.EntropyCommitment = dice.EntropyCommitment(matchID, request.GetSeat(), entropy)
	} else {
		request.Entropy = entropy
	}
	joined, err := call(ctx, c.connection, c.key, c.connection.matches.JoinMatch, request)
	if err != nil {
		return nil, err
	}
	if checkToken(joined.GetSeatToken()) != nil {
		return nil, incomplete("the seat's token")
	}
	return newSeat(c.connection, matchID, joined.GetSeatToken(), joined, entropy), nil
}

// Seat returns a seat that was taken before, by its token. The error is [InvalidOption] for a token that is none.
func (c *Client) Seat(matchID, token string) (*Seat, error) {
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return newSeat(c.connection, matchID, token, nil, nil), nil
}

// Get gets a match's config and state.
func (c *Client) Get(ctx context.Context, matchID string) (*v1.Match, error) {
	request := &v1.GetMatchRequest{MatchId: matchID}
	answer, err := call(ctx, c.connection, c.key, c.connection.matches.GetMatch, request)
	return whole(answer.GetMatch(), err)
}

// Matches lists matches, newest first: those that satisfy all of the query, of which nil asks for all. Each page is asked for
// when it is needed. An error is the last thing that comes.
func (c *Client) Matches(ctx context.Context, query *v1.ListMatchesRequest) iter.Seq2[*v1.Match, error] {
	return func(yield func(*v1.Match, error) bool) {
		request := &v1.ListMatchesRequest{}
		proto.Merge(request, query)
		for {
			page, err := call(ctx, c.connection, c.key, c.connection.matches.ListMatches, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, match := range page.GetMatches() {
				if !yield(whole(match, nil)) {
					return
				}
			}
			if page.GetNextPageToken() == "" {
				return
			}
			request.PageToken = page.GetNextPageToken()
		}
	}
}

// View gets the view of a spectator. A seat's view is [Seat.View].
func (c *Client) View(ctx context.Context, matchID string, options ...ViewOption) (*v1.GetViewResponse, error) {
	said := gathered(options)
	request := &v1.GetViewRequest{MatchId: matchID, AtSeq: said.atSeq, IncludeText: said.includeText}
	return looked(call(ctx, c.connection, c.key, c.connection.matches.GetView, request))
}

// Receipt gets the server's signed word for all that it has published to spectators: the hash of a [Transcript] of it.
func (c *Client) Receipt(ctx context.Context, matchID string) (*v1.Receipt, error) {
	return receipt(ctx, c.connection, c.key, matchID)
}

// ExportedRecord is the record of a match, as the server gives it.
type ExportedRecord struct {
	// Text is that of the .edg file.
	Text string
	// Complete is true if the match is finished.
	Complete bool
}

// Record gets the record of a match that is finished, whole; of a running one it is the referee's.
func (c *Client) Record(ctx context.Context, matchID string) (*ExportedRecord, error) {
	return attempt(ctx, c.connection, c.key, func(ctx context.Context) (*ExportedRecord, error) {
		parts, err := c.connection.matches.ExportRecord(ctx, &v1.ExportRecordRequest{MatchId: matchID})
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		record := &ExportedRecord{}
		for part, err := range received(parts) {
			if err != nil {
				return nil, err
			}
			text.WriteString(part.GetText())
			record.Complete = record.Complete || part.GetComplete()
		}
		record.Text = text.String()
		return record, nil
	})
}

// firstOpen returns the first seat that is open to anyone; the entropy commitment is made for it.
func firstOpen(state *v1.MatchState, invitation string) (*uint32, error) {
	open := slices.IndexFunc(state.GetSeats(), func(seat *v1.SeatState) bool {
		return seat.GetKind() == v1.SeatKind_SEAT_KIND_OPEN && !seat.GetJoined()
	})
	if invitation != "" || open < 0 {
		return nil, &InvalidOption{Message: "an entropy commitment is made for one seat: name it with WithSeat"}
	}
	number := uint32(open)
	return &number, nil
}
