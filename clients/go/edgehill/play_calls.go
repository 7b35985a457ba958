package edgehill

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// SentOption says how actions are taken on a stream: [WithExpectedSeq], [WithKeepDraftActions], [WithUntilReveal],
// [WithRequestID].
type SentOption interface {
	set(*settings)
	sent()
}

// SentUndoOption says how actions are taken back on a stream: [WithExpectedSeq], [WithKeepDraftActions], [WithRequestID].
type SentUndoOption interface {
	set(*settings)
	undoSent()
}

// Apply takes actions, as [Seat.Apply]. As all calls here it returns its request id at once, and the answer comes as a
// [PlayEvent]; it is sent again with its id when the stream was lost before the answer. The error of all is [ErrSeatClosed].
func (s *PlayedSeat) Apply(actions *v1.ActionList, options ...SentOption) (string, error) {
	said := gathered(options)
	return s.call(said.requestID, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Apply{Apply: batch(actions, said)}})
}

// Undo takes back the last action of the draft, or all but the first of [WithKeepDraftActions].
func (s *PlayedSeat) Undo(options ...SentUndoOption) (string, error) {
	said := gathered(options)
	span := &v1.UndoSpan{ExpectedSeq: said.expectedSeq, KeepDraftActions: said.keepDraftActions}
	return s.call(said.requestID, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Undo{Undo: span}})
}

// Resign gives up. The match is finished.
func (s *PlayedSeat) Resign(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Resign_{
		Resign: &v1.PlaySeatsRequest_Resign{},
	}})
}

// OfferDraw offers a draw, until the seat's next action is final.
func (s *PlayedSeat) OfferDraw(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_OfferDraw_{
		OfferDraw: &v1.PlaySeatsRequest_OfferDraw{},
	}})
}

// AcceptDraw accepts the draw that all other seats offer. The match is finished.
func (s *PlayedSeat) AcceptDraw(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_AcceptDraw_{
		AcceptDraw: &v1.PlaySeatsRequest_AcceptDraw{},
	}})
}

// DeclineDraw declines the draw that other seats offer. Their offers lapse.
func (s *PlayedSeat) DeclineDraw(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_DeclineDraw_{
		DeclineDraw: &v1.PlaySeatsRequest_DeclineDraw{},
	}})
}

// OfferAdjournment offers to adjourn the match for at most so long, until the seat's next action is final.
func (s *PlayedSeat) OfferAdjournment(longest time.Duration, options ...ChangeOption) (string, error) {
	offer := &v1.PlaySeatsRequest_OfferAdjournment{AdjournFor: durationpb.New(longest)}
	return s.change(options, &v1.PlaySeatsRequest{
		Call: &v1.PlaySeatsRequest_OfferAdjournment_{OfferAdjournment: offer},
	})
}

// AcceptAdjournment accepts the adjournment that all other seats offer, as [Seat.AcceptAdjournment].
func (s *PlayedSeat) AcceptAdjournment(options ...AdjournOption) (string, error) {
	said := gathered(options)
	accepted := &v1.PlaySeatsRequest_AcceptAdjournment{AdjournFor: optionalDuration(said.adjournFor)}
	return s.call(said.requestID, &v1.PlaySeatsRequest{
		Call: &v1.PlaySeatsRequest_AcceptAdjournment_{AcceptAdjournment: accepted},
	})
}

// DeclineAdjournment declines the adjournment that other seats offer. Their offers lapse.
func (s *PlayedSeat) DeclineAdjournment(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_DeclineAdjournment_{
		DeclineAdjournment: &v1.PlaySeatsRequest_DeclineAdjournment{},
	}})
}

// Resume asks for the match, which the seats have adjourned, to go on. It does when every seat has asked.
func (s *PlayedSeat) Resume(options ...ChangeOption) (string, error) {
	return s.change(options, &v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Resume_{
		Resume: &v1.PlaySeatsRequest_Resume{},
	}})
}

// SetStandingPasses replaces the windows that the server declines for the seat; none takes all back.
func (s *PlayedSeat) SetStandingPasses(passes []*v1.StandingPass, options ...ChangeOption) (string, error) {
	replaced := &v1.PlaySeatsRequest_SetStandingPasses{StandingPasses: passes}
	return s.change(options, &v1.PlaySeatsRequest{
		Call: &v1.PlaySeatsRequest_SetStandingPasses_{SetStandingPasses: replaced},
	})
}

// Close closes the seat here. It keeps its place, its draft and its token.
func (s *PlayedSeat) Close() error {
	return s.queue(&v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Close_{Close: &v1.PlaySeatsRequest_Close{}}})
}

func (s *PlayedSeat) change(options []ChangeOption, request *v1.PlaySeatsRequest) (string, error) {
	return s.call(gathered(options).requestID, request)
}

func (s *PlayedSeat) call(chosen string, request *v1.PlaySeatsRequest) (string, error) {
	request.RequestId = s.ids.next(chosen)
	return request.RequestId, s.queue(request)
}

// queue sends a request, and keeps it until it is answered.
func (s *PlayedSeat) queue(request *v1.PlaySeatsRequest) error {
	request.Channel = s.channel
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	if s.closed {
		return ErrSeatClosed
	}
	s.pending = append(s.pending, request)
	// A call that would come before the seat is open goes with its opening.
	if !s.opensAgain {
		s.session.send(request)
	}
	return nil
}
