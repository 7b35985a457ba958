package edgehill

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// UpdateOption says what is told of a change: [WithResponse], [WithRequestID].
type UpdateOption interface {
	set(*settings)
	update()
}

// ApplyOption says how actions are taken: [WithExpectedSeq], [WithKeepDraftActions], [WithUntilReveal], [WithResponse],
// [WithRequestID].
type ApplyOption interface {
	set(*settings)
	apply()
}

// UndoOption says how actions are taken back: [WithExpectedSeq], [WithKeepDraftActions], [WithResponse], [WithRequestID].
type UndoOption interface {
	set(*settings)
	undo()
}

// AdjournOption says how an adjournment is accepted: [WithAdjournFor], [WithRequestID].
type AdjournOption interface {
	set(*settings)
	adjourn()
}

// ResponseOption says which parts the answer of a change has.
type ResponseOption struct{ setter }

func (ResponseOption) join()   {}
func (ResponseOption) update() {}
func (ResponseOption) apply()  {}
func (ResponseOption) undo()   {}

// WithResponse asks for parts of the answer beside the least; [Full] has all.
func WithResponse(response *v1.ResponseOptions) ResponseOption {
	return ResponseOption{func(s *settings) { s.response = response }}
}

// Full returns the parts of a whole answer: view, legal actions and events.
func Full() *v1.ResponseOptions {
	return &v1.ResponseOptions{
		IncludeView: true, IncludeEvents: true, Legal: v1.LegalDetail_LEGAL_DETAIL_IDS,
	}
}

// DraftOption says on which draft a change rests.
type DraftOption struct{ setter }

func (DraftOption) apply()    {}
func (DraftOption) undo()     {}
func (DraftOption) sent()     {}
func (DraftOption) undoSent() {}

// WithExpectedSeq names the number of the last event that the decision rests on: refused with STALE_SEQUENCE if the seat has
// later ones.
func WithExpectedSeq(seq uint64) DraftOption {
	return DraftOption{func(s *settings) { s.expectedSeq = &seq }}
}

// WithKeepDraftActions keeps so many actions of the draft, the first ones; without it all stay, and an undo takes the last.
func WithKeepDraftActions(count uint32) DraftOption {
	return DraftOption{func(s *settings) { s.keepDraftActions = &count }}
}

// RevealOption says how far actions are taken.
type RevealOption struct{ setter }

func (RevealOption) apply() {}
func (RevealOption) sent()  {}

// WithUntilReveal takes the actions up to the first point where something is revealed, instead of all or none.
func WithUntilReveal() RevealOption {
	return RevealOption{func(s *settings) { s.untilReveal = true }}
}

// AdjournForOption is the longest time of an adjournment.
type AdjournForOption struct{ setter }

func (AdjournForOption) adjourn() {}

// WithAdjournFor names the longest time that an adjournment may last for this seat, from a minute to 30 days; the least that
// was named holds.
func WithAdjournFor(longest time.Duration) AdjournForOption {
	return AdjournForOption{func(s *settings) { s.adjournFor = longest }}
}

// Apply takes actions, as one: [IDs], [Entries], [Line], [Notations] or [Structures]. ApplyResult of the update says how many
// were taken.
func (s *Seat) Apply(ctx context.Context, actions *v1.ActionList, options ...ApplyOption) (*v1.SeatUpdate, error) {
	said := gathered(options)
	return updated(call(ctx, s.connection, s.token, s.connection.matches.ApplyActions, &v1.ApplyActionsRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response,
		Batch: batch(actions, said),
	}))
}

// Undo takes back the last action of the draft, or all but the first of [WithKeepDraftActions].
func (s *Seat) Undo(ctx context.Context, options ...UndoOption) (*v1.SeatUpdate, error) {
	said := gathered(options)
	return updated(call(ctx, s.connection, s.token, s.connection.matches.UndoActions, &v1.UndoActionsRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response,
		Span: &v1.UndoSpan{ExpectedSeq: said.expectedSeq, KeepDraftActions: said.keepDraftActions},
	}))
}

// Resign gives up. The match is finished.
func (s *Seat) Resign(ctx context.Context, options ...UpdateOption) (*v1.SeatUpdate, error) {
	said := gathered(options)
	return updated(call(ctx, s.connection, s.token, s.connection.matches.ResignMatch, &v1.ResignMatchRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response,
	}))
}

// Leave gives the seat back before the match has begun. Its token is void from then on.
func (s *Seat) Leave(ctx context.Context, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.LeaveMatch, &v1.LeaveMatchRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	})
}

// Rematch makes the match that follows this one, which is finished: the same players with their sides swapped.
//
// It is made once, whoever asks first. [Client.Join] takes the new seat by Match.Config.MatchId, Seat and Invitation.
func (s *Seat) Rematch(ctx context.Context, options ...ChangeOption) (*v1.RematchMatchResponse, error) {
	return withMatch(call(ctx, s.connection, s.token, s.connection.matches.RematchMatch, &v1.RematchMatchRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	}))
}

// OfferDraw offers a draw, until the seat's next action is final.
func (s *Seat) OfferDraw(ctx context.Context, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.OfferDraw, &v1.OfferDrawRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	})
}

// AcceptDraw accepts the draw that all other seats offer. The match is finished.
func (s *Seat) AcceptDraw(ctx context.Context, options ...UpdateOption) (*v1.SeatUpdate, error) {
	said := gathered(options)
	return updated(call(ctx, s.connection, s.token, s.connection.matches.AcceptDraw, &v1.AcceptDrawRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response,
	}))
}

// DeclineDraw declines the draw that other seats offer. Their offers lapse.
func (s *Seat) DeclineDraw(ctx context.Context, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.DeclineDraw, &v1.DeclineDrawRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	})
}

// OfferAdjournment offers to adjourn the match for at most so long, from a minute to 30 days, until the seat's next action is
// final. House bots agree at once.
func (s *Seat) OfferAdjournment(ctx context.Context, longest time.Duration, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.OfferAdjournment, &v1.OfferAdjournmentRequest{
		MatchId: s.matchID, RequestId: s.requestID(options), AdjournFor: durationpb.New(longest),
	})
}

// AcceptAdjournment accepts the adjournment that all other seats offer: no clock runs, and nobody is to act.
func (s *Seat) AcceptAdjournment(ctx context.Context, options ...AdjournOption) (*v1.Match, error) {
	said := gathered(options)
	return changed(ctx, s, s.connection.matches.AcceptAdjournment, &v1.AcceptAdjournmentRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), AdjournFor: optionalDuration(said.adjournFor),
	})
}

// DeclineAdjournment declines the adjournment that other seats offer. Their offers lapse.
func (s *Seat) DeclineAdjournment(ctx context.Context, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.DeclineAdjournment, &v1.DeclineAdjournmentRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	})
}

// Resume asks for the match, which the seats have adjourned, to go on. It does when every seat has asked.
func (s *Seat) Resume(ctx context.Context, options ...ChangeOption) (*v1.Match, error) {
	return changed(ctx, s, s.connection.matches.ResumeMatch, &v1.ResumeMatchRequest{
		MatchId: s.matchID, RequestId: s.requestID(options),
	})
}

// SetStandingPasses replaces the windows that the server declines for the seat; none takes all back.
func (s *Seat) SetStandingPasses(
	ctx context.Context, passes []*v1.StandingPass, options ...UpdateOption,
) (*v1.SeatUpdate, error) {
	said := gathered(options)
	return updated(call(ctx, s.connection, s.token, s.connection.matches.SetStandingPasses, &v1.SetStandingPassesRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response, StandingPasses: passes,
	}))
}

// RevealEntropy reveals the entropy that [Client.Join] has committed to: due once all have joined (COMMIT_REVEAL).
func (s *Seat) RevealEntropy(ctx context.Context, options ...UpdateOption) (*v1.RevealEntropyResponse, error) {
	said := gathered(options)
	return call(ctx, s.connection, s.token, s.connection.matches.RevealEntropy, &v1.RevealEntropyRequest{
		MatchId: s.matchID, RequestId: s.ids.next(said.requestID), ResponseOptions: said.response, Entropy: s.entropy,
	})
}

func (s *Seat) requestID(options []ChangeOption) string {
	return s.ids.next(gathered(options).requestID)
}

// changed makes a call that is answered with the match.
func changed[Q any, A interface{ GetMatch() *v1.Match }](
	ctx context.Context, s *Seat, method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q,
) (*v1.Match, error) {
	answer, err := call(ctx, s.connection, s.token, method, request)
	return whole(answer.GetMatch(), err)
}

// optionalDuration returns a time as the wire has it; 0 is none.
func optionalDuration(given time.Duration) *durationpb.Duration {
	if given == 0 {
		return nil
	}
	return durationpb.New(given)
}
