package edgehill

import (
	"errors"
	"slices"
	"time"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// overtaken has the refusals of a choice that something else came before, such as a resignation: the prompt is void.
var overtaken = []v1.ErrorReason{
	v1.ErrorReason_ERROR_REASON_NOT_YOUR_TURN,
	v1.ErrorReason_ERROR_REASON_MATCH_FINISHED,
	v1.ErrorReason_ERROR_REASON_ADJOURNED,
}

// behind has the refusals of a call that came behind an opening which was refused: it goes with the next one.
var behind = []v1.ErrorReason{
	v1.ErrorReason_ERROR_REASON_RATE_LIMITED,
	v1.ErrorReason_ERROR_REASON_UNKNOWN_CHANNEL,
}

// PlayEvent is the news for a seat.
type PlayEvent struct {
	// Seat is the seat whose news it is.
	Seat *PlayedSeat
	// Events are those published to it, in order; folded into the seat's view already.
	Events []*v1.Event
	// Legal is the prompt: the seat is to act, and these are the legal actions. nil: nothing is asked of it now.
	Legal *v1.LegalActions
	// ApplyResult is the result of a call of it that took actions, or took them back; nil: there was none.
	ApplyResult *v1.ApplyResult
	// Refused is the refusal of a call or, with Closed, of the seat: it was not opened, or the server has closed it.
	Refused *Refused
	// Closed is true if the seat is closed, and this is its last news: the match has ended, Close was called, or see Refused.
	Closed bool
	// RequestID is the call that this answers; empty for all that comes by itself.
	RequestID string
	// Now is the seat after this news.
	Now BotSeat
}

// PlayedSeat is a seat that is open in a [PlaySession]. Its calls return at once; all of it may be used by several goroutines.
type PlayedSeat struct {
	session     *PlaySession
	token       string
	channel     uint32
	detail      v1.LegalDetail
	omitEvents  bool
	includeText bool
	ids         *requestIDs
	haste       *outage

	// The session's mu guards all that follows.
	number     *uint32
	config     *v1.MatchConfig
	legal      *v1.LegalActions
	tracker    ViewTracker
	cursor     *uint64
	pending    []*v1.PlaySeatsRequest
	closed     bool
	opensAgain bool
	deadline   answerDeadline
}

func newPlayedSeat(session *PlaySession, channel uint32, token string, said *settings) *PlayedSeat {
	seat := &PlayedSeat{
		session:     session,
		token:       token,
		channel:     channel,
		detail:      said.detail,
		omitEvents:  said.omitEvents,
		includeText: said.includeText,
		ids:         newRequestIDs(),
		haste:       streamOutage(session.connection.policy),
	}
	if said.omitEvents {
		seat.cursor = new(uint64)
	}
	return seat
}

// Channel returns the seat's number in the stream.
func (s *PlayedSeat) Channel() uint32 { return s.channel }

// Now returns the seat after the last news.
func (s *PlayedSeat) Now() BotSeat {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	return s.now()
}

// Legal returns the legal actions of the prompt that is outstanding; nil: nothing is asked of the seat.
func (s *PlayedSeat) Legal() *v1.LegalActions {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	return s.legal
}

// TimeLeft returns the time that is left for the decision that the seat is asked for, as [BotSeat.TimeLeft].
func (s *PlayedSeat) TimeLeft() (time.Duration, bool) { return s.Now().TimeLeft() }

// Closed returns true if the seat was closed.
func (s *PlayedSeat) Closed() bool {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	return s.closed
}

func (s *PlayedSeat) now() BotSeat {
	return BotSeat{
		Number: s.number, Config: s.config, State: s.tracker.State, View: s.tracker.View, Seq: s.tracker.Seq,
		deadline: s.deadline,
	}
}

// isAsked returns true if a prompt is still the one that is outstanding, and no call is under way that answers it.
func (s *PlayedSeat) isAsked(legal *v1.LegalActions) bool {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	return s.legal == legal && len(s.pending) == 0
}

// toSend returns a new connection's first requests: the seat with its cursor, and the calls that were not answered.
func (s *PlayedSeat) toSend() []*v1.PlaySeatsRequest {
	if s.closed {
		return nil
	}
	opening := &v1.PlaySeatsRequest{Channel: s.channel, Call: &v1.PlaySeatsRequest_Open_{
		Open: &v1.PlaySeatsRequest_Open{
			SeatToken: s.token, AfterSeq: s.cursor, Legal: s.detail, OmitEvents: s.omitEvents, IncludeText: s.includeText,
		},
	}}
	return append([]*v1.PlaySeatsRequest{opening}, s.pending...)
}

// isClosing returns true if Close was called.
func (s *PlayedSeat) isClosing() bool {
	return slices.ContainsFunc(s.pending, func(request *v1.PlaySeatsRequest) bool { return request.GetClose() != nil })
}

// cameBehind returns true for the refusal of a call that came behind an opening which is made again, and goes with it.
func (s *PlayedSeat) cameBehind(requestID string, refused *Refused) bool {
	return requestID != "" && s.opensAgain && slices.Contains(behind, refused.Reason())
}

// again returns the time after which something that came too fast is sent once more, and what it is. Made again, a call would
// come after those that were made after it: so only the last one is.
func (s *PlayedSeat) again(
	requestID string, refused *Refused,
) (wait time.Duration, messages func() []*v1.PlaySeatsRequest, isMade bool) {
	var last *v1.PlaySeatsRequest
	if len(s.pending) > 0 {
		last = s.pending[len(s.pending)-1]
	}
	if requestID != "" && last.GetRequestId() != requestID {
		return 0, nil, false
	}
	wait, err := s.haste.pause(refused)
	if err != nil {
		return 0, nil, false
	}
	isOpening := requestID == ""
	s.opensAgain = s.opensAgain || isOpening
	return wait, func() []*v1.PlaySeatsRequest {
		s.session.mu.Lock()
		defer s.session.mu.Unlock()
		if isOpening {
			return s.toSend()
		}
		if slices.Contains(s.pending, last) {
			return []*v1.PlaySeatsRequest{last}
		}
		return nil
	}, true
}

func (s *PlayedSeat) opened(opened *v1.PlaySeatsResponse_Opened) {
	s.haste.end()
	s.opensAgain = false
	number := opened.GetSeat()
	s.number = &number
	s.config = opened.GetMatch().GetConfig()
	if opened.GetView() != nil {
		s.begin(opened.GetView(), opened.GetMatch().GetSeq())
	}
}

func (s *PlayedSeat) look(seen *v1.GetViewResponse) { s.begin(seen.GetView(), seen.GetSeq()) }

func (s *PlayedSeat) begin(view *v1.View, seq uint64) {
	s.tracker.Begin(view, seq)
	s.cursor = &seq
}

// updated takes an update; true if a view has to be asked for, since the events do not give it.
func (s *PlayedSeat) updated(requestID string, update *v1.SeatUpdate) (*PlayEvent, bool) {
	s.deadline = deadlineOf(update, time.Now())
	isStale := errors.Is(s.tracker.Fold(update), ErrFold)
	// Before the match has begun there is no number to go on from: a new connection is to bring the view.
	if s.cursor != nil || s.tracker.View != nil {
		seq := s.tracker.Seq
		s.cursor = &seq
	}
	if requestID != "" {
		s.answered(requestID)
		s.legal = nil
	}
	// The seat is asked anew when the match goes on.
	if update.GetState().GetAdjournment() != nil {
		s.legal = nil
	}
	event := &PlayEvent{
		Seat: s, Events: update.GetEvents(), ApplyResult: update.GetApplyResult(), RequestID: requestID,
	}
	if update.GetLegalActions() != nil {
		s.legal = update.GetLegalActions()
		// While a call has no answer, a prompt may be out of date.
		if len(s.pending) == 0 {
			event.Legal = s.legal
		}
	}
	event.Now = s.now()
	return event, isStale
}

// refused takes the refusal of a call: the prompt stands, unless something else came before.
func (s *PlayedSeat) refused(requestID string, refused *Refused) *PlayEvent {
	s.answered(requestID)
	if slices.Contains(overtaken, refused.Reason()) {
		s.legal, s.deadline = nil, answerDeadline{}
	}
	event := &PlayEvent{Seat: s, Refused: refused, RequestID: requestID, Now: s.now()}
	if len(s.pending) == 0 {
		event.Legal = s.legal
	}
	return event
}

func (s *PlayedSeat) ended(refused *Refused) *PlayEvent {
	s.closed = true
	s.legal, s.deadline = nil, answerDeadline{}
	s.pending = nil
	return &PlayEvent{Seat: s, Refused: refused, Closed: true, Now: s.now()}
}

func (s *PlayedSeat) answered(requestID string) {
	s.haste.end()
	place := slices.IndexFunc(s.pending, func(request *v1.PlaySeatsRequest) bool {
		return request.GetRequestId() == requestID
	})
	if place >= 0 {
		s.pending = slices.Delete(s.pending, place, place+1)
	}
}
