package edgehill

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Referee has the calls of referees, on any match: time, players, adjournments, results. [Client.Referee] gives it.
//
// Each needs the key of an account with the role referee, and is [Refused] without it: NOT_ALLOWED, or BAD_TOKEN for a key that is
// none. Everybody sees what was done in MatchState.referee_acts, with its reason, and it stands in the log of acts ([Admin.Acts]). A
// match takes at most 32 acts (LIMIT_REACHED); one that is to be voided can always be. All are refused with UNKNOWN_MATCH for a match
// that is not there, and with INVALID_FIELD for what is out of bounds; those that need a match that is played with MATCH_NOT_STARTED
// and MATCH_FINISHED.
type Referee struct{ client *Client }

// Referee returns the calls of referees, which need the key of one.
func (c *Client) Referee() *Referee { return &Referee{client: c} }

// ActOption says more of a referee's act: [WithReason], [WithRequestID].
type ActOption interface {
	set(*settings)
	act()
}

// ReplacementOption says who goes on in the place of a player: [WithAccountID], [WithPlayer], [WithReason], [WithRequestID].
type ReplacementOption interface {
	set(*settings)
	replace()
}

// ReasonOption is the reason of a referee's act.
type ReasonOption struct{ setter }

func (ReasonOption) act()     {}
func (ReasonOption) replace() {}

// WithReason gives the reason, which everybody sees: 0 to 256 bytes.
func WithReason(reason string) ReasonOption {
	return ReasonOption{func(s *settings) { s.reason = reason }}
}

// AddMatchTime adds whole milliseconds to a seat's clock, up to ten years: to its bank, if there is one, and to the limit of its
// question or, without one, of its next. NO_CLOCKS for a match without.
func (r *Referee) AddMatchTime(
	ctx context.Context, matchID string, seat uint32, added time.Duration, options ...ActOption,
) (*v1.Match, error) {
	said := gathered(options)
	request := &v1.AddMatchTimeRequest{
		MatchId:   matchID,
		RequestId: r.client.ids.next(said.requestID),
		Seat:      seat,
		Added:     durationpb.New(added),
		Reason:    said.reason,
	}
	answer, err := call(ctx, r.client.connection, r.client.key, r.client.connection.referee.AddMatchTime, request)
	return whole(answer.GetMatch(), err)
}

// ReplaceMatchPlayer takes a seat from its player, for another one to go on with: for [Client.Join] with the answer's invitation, or
// with the key of the account that [WithAccountID] names. The player's token is void at once, and their streams end; the clock runs
// on. UNKNOWN_ACCOUNT for an account that may not play.
func (r *Referee) ReplaceMatchPlayer(
	ctx context.Context, matchID string, seat uint32, options ...ReplacementOption,
) (*v1.ReplaceMatchPlayerResponse, error) {
	said := gathered(options)
	request := &v1.ReplaceMatchPlayerRequest{
		MatchId:   matchID,
		RequestId: r.client.ids.next(said.requestID),
		Seat:      seat,
		AccountId: said.accountID,
		Player:    said.player,
		Reason:    said.reason,
	}
	return withMatch(call(ctx, r.client.connection, r.client.key, r.client.connection.referee.ReplaceMatchPlayer, request))
}

// AdjournMatch adjourns a match with clocks for at most so long, in whole milliseconds, from a minute to 30 days: until a referee ends
// that or its time is over. NO_CLOCKS for a match without, ADJOURNED for one that is adjourned already.
func (r *Referee) AdjournMatch(
	ctx context.Context, matchID string, adjournFor time.Duration, options ...ActOption,
) (*v1.Match, error) {
	said := gathered(options)
	request := &v1.AdjournMatchRequest{
		MatchId:    matchID,
		RequestId:  r.client.ids.next(said.requestID),
		AdjournFor: durationpb.New(adjournFor),
		Reason:     said.reason,
	}
	answer, err := call(ctx, r.client.connection, r.client.key, r.client.connection.referee.AdjournMatch, request)
	return whole(answer.GetMatch(), err)
}

// EndAdjournment ends the adjournment of a match, whoever has adjourned it. The match goes on. NOT_ADJOURNED for one that is not.
func (r *Referee) EndAdjournment(ctx context.Context, matchID string, options ...ActOption) (*v1.Match, error) {
	said := gathered(options)
	request := &v1.EndAdjournmentRequest{
		MatchId: matchID, RequestId: r.client.ids.next(said.requestID), Reason: said.reason,
	}
	answer, err := call(ctx, r.client.connection, r.client.key, r.client.connection.referee.EndAdjournment, request)
	return whole(answer.GetMatch(), err)
}

// VoidMatch ends a match that is played; it does not count. The reason, of 1 to 256 bytes, is for everybody to see.
func (r *Referee) VoidMatch(ctx context.Context, matchID, reason string, options ...ChangeOption) (*v1.Match, error) {
	request := &v1.VoidMatchRequest{MatchId: matchID, RequestId: r.client.requestID(options), Reason: reason}
	answer, err := call(ctx, r.client.connection, r.client.key, r.client.connection.referee.VoidMatch, request)
	return whole(answer.GetMatch(), err)
}

// CorrectMatchResult corrects the result of a match that is finished: what each seat gets, in seat order, from -1,000,000 to
// 1,000,000. The result itself stays as it was, and the last correction holds (MatchState.corrected_returns). The reason, of 1 to 256
// bytes, is for everybody to see. MATCH_RUNNING for a match that is not finished.
func (r *Referee) CorrectMatchResult(
	ctx context.Context, matchID string, returns []int32, reason string, options ...ChangeOption,
) (*v1.Match, error) {
	request := &v1.CorrectMatchResultRequest{
		MatchId: matchID, RequestId: r.client.requestID(options), Returns: returns, Reason: reason,
	}
	answer, err := call(ctx, r.client.connection, r.client.key, r.client.connection.referee.CorrectMatchResult, request)
	return whole(answer.GetMatch(), err)
}
