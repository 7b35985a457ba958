package edgehill

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// PlaySession is a stream for any number of seats, of as many matches as one likes.
//
// After a lost connection each seat goes on from its last event, and calls that were not answered are sent again as they were:
// no event is missed or repeated, and no call happens twice.
type PlaySession struct {
	connection *connection
	key        string
	closing    context.Context
	cancel     context.CancelFunc
	outage     *outage
	refusals   *outage

	// mu guards all that follows, and the seats.
	mu          sync.Mutex
	isRead      bool
	seats       map[uint32]*PlayedSeat
	channels    uint32
	connections int
	news        []*PlayEvent
	stale       []*PlayedSeat
	stream      *playStream
}

// PlaySeats returns a stream for any number of seats, which are opened with [PlaySession.Open]. Nothing is asked before its
// events are read.
func (c *Client) PlaySeats() *PlaySession {
	closing, cancel := context.WithCancel(context.Background())
	return &PlaySession{
		connection: c.connection,
		key:        c.key,
		closing:    closing,
		cancel:     cancel,
		outage:     streamOutage(c.connection.policy),
		refusals:   streamOutage(c.connection.policy),
		seats:      map[uint32]*PlayedSeat{},
	}
}

// OpenOption says how a seat is opened: [WithLegal], [WithOmitEvents], [WithIncludeText].
type OpenOption interface {
	set(*settings)
	open()
}

// EventsOption says which news a seat is sent.
type EventsOption struct{ setter }

func (EventsOption) open() {}

// WithOmitEvents has no events sent and no view kept, for a player that goes by the legal actions alone.
func WithOmitEvents() EventsOption {
	return EventsOption{func(s *settings) { s.omitEvents = true }}
}

// Open opens a seat. Wherever else it is open, it is closed there.
func (p *PlaySession) Open(seat *Seat, options ...OpenOption) *PlayedSeat {
	said := gathered(options)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.channels++
	played := newPlayedSeat(p, p.channels, seat.token, said)
	p.seats[played.channel] = played
	// Without a connection it goes with the next one, since seats keep all that is not answered.
	p.send(played.toSend()...)
	return played
}

// Connections returns the number of connections so far.
func (p *PlaySession) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connections
}

// Close ends the stream, and a loop that waits for events, without an error. The seats keep their places.
func (p *PlaySession) Close() { p.cancel() }

// Events returns the seats' news, until no seat is open any more. One loop at a time may read, others get [ErrSessionBusy]; an
// error is the last thing that comes.
//
// Leaving the loop closes the stream, and so does the end of the context. Another loop opens it again, and the seats go on
// where they were.
func (p *PlaySession) Events(ctx context.Context) iter.Seq2[*PlayEvent, error] {
	return func(yield func(*PlayEvent, error) bool) {
		if !p.begin() {
			yield(nil, ErrSessionBusy)
			return
		}
		defer p.finish()
		following, release := p.connection.follow(ctx)
		defer release()
		stop := context.AfterFunc(p.closing, release)
		defer stop()
		for p.closing.Err() == nil {
			event, isOver, err := p.next(following)
			switch {
			case err != nil && p.closing.Err() != nil:
				return
			case err != nil:
				if given := p.connection.ended(ctx); given != nil {
					err = given
				}
				yield(nil, err)
				return
			case isOver:
				return
			case event != nil && !yield(event, nil):
				return
			}
		}
	}
}

func (p *PlaySession) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	wasRead := p.isRead
	p.isRead = true
	return !wasRead
}

func (p *PlaySession) finish() {
	p.hangUp()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isRead = false
}

// next returns the next event, or nil if there is none yet; true if no seat is open any more.
func (p *PlaySession) next(ctx context.Context) (*PlayEvent, bool, error) {
	if err := p.look(ctx); err != nil {
		return nil, false, err
	}
	p.mu.Lock()
	if len(p.news) > 0 {
		event := p.news[0]
		p.news = p.news[1:]
		p.mu.Unlock()
		return event, false, nil
	}
	isOver := len(p.seats) == 0
	p.mu.Unlock()
	if isOver {
		return nil, true, nil
	}
	return nil, false, p.receive(ctx)
}

// look asks for the views of seats whose events do not give them.
func (p *PlaySession) look(ctx context.Context) error {
	for {
		p.mu.Lock()
		if len(p.stale) == 0 {
			p.mu.Unlock()
			return nil
		}
		seat := p.stale[0]
		request := &v1.GetViewRequest{MatchId: seat.config.GetMatchId(), IncludeText: seat.includeText}
		p.mu.Unlock()
		seen, err := looked(call(ctx, p.connection, seat.token, p.connection.matches.GetView, request))
		if err != nil {
			return err
		}
		p.mu.Lock()
		seat.look(seen)
		p.stale = p.stale[1:]
		for _, event := range p.news {
			if event.Seat == seat {
				event.Now = seat.now()
			}
		}
		p.mu.Unlock()
	}
}

// receive takes the next message of the stream, or opens the stream again.
func (p *PlaySession) receive(ctx context.Context) error {
	response, failure := p.read(ctx)
	if failure != nil {
		p.hangUp()
		return p.connection.pauseAfter(ctx, failure, p.outage)
	}
	p.outage.end()
	p.mu.Lock()
	wait, isLost, err := p.take(response)
	p.mu.Unlock()
	if err != nil || !isLost {
		return err
	}
	p.hangUp()
	return p.connection.pause(ctx, wait)
}

func (p *PlaySession) read(ctx context.Context) (*v1.PlaySeatsResponse, error) {
	p.mu.Lock()
	stream, err := p.stream, error(nil)
	if stream == nil {
		stream, err = p.open(ctx)
	}
	p.mu.Unlock()
	if err != nil {
		return nil, failureOf(err)
	}
	return stream.receive()
}

// open opens the next connection: every seat with its cursor, and with its calls that were not answered.
func (p *PlaySession) open(ctx context.Context) (*playStream, error) {
	p.connections++
	channels := slices.Sorted(maps.Keys(p.seats))
	// A seat's token lets in as well as a key where accounts are asked for.
	token := p.key
	if token == "" && len(channels) > 0 {
		token = p.seats[channels[0]].token
	}
	stream, err := openPlayStream(ctx, p.connection, token)
	if err != nil {
		return nil, err
	}
	for _, channel := range channels {
		stream.outbox.put(p.seats[channel].toSend()...)
	}
	p.stream = stream
	return stream, nil
}

func (p *PlaySession) hangUp() {
	p.mu.Lock()
	stream := p.stream
	p.stream = nil
	p.mu.Unlock()
	if stream != nil {
		stream.close()
	}
}

func (p *PlaySession) send(messages ...*v1.PlaySeatsRequest) {
	if p.stream != nil {
		p.stream.outbox.put(messages...)
	}
}

// take takes a message. It returns the pause after which the stream has to be opened again, if it has to.
func (p *PlaySession) take(response *v1.PlaySeatsResponse) (wait time.Duration, isLost bool, err error) {
	seat := p.seats[response.GetChannel()]
	if seat == nil {
		return 0, false, nil
	}
	requestID := response.GetRequestId()
	switch message := response.GetMessage().(type) {
	case *v1.PlaySeatsResponse_Opened_:
		seat.opened(message.Opened)
	case *v1.PlaySeatsResponse_Update:
		if requestID != "" {
			p.refusals.end()
		}
		event, isStale := seat.updated(requestID, message.Update)
		p.news = append(p.news, event)
		if isStale && !slices.Contains(p.stale, seat) {
			p.stale = append(p.stale, seat)
		}
	case *v1.PlaySeatsResponse_Refusal:
		return p.refused(seat, requestID, &Refused{refusal: message.Refusal})
	case *v1.PlaySeatsResponse_Closed_:
		if message.Closed.GetRefusal() == nil {
			p.endSeat(seat, nil)
			break
		}
		refused := &Refused{refusal: message.Closed.GetRefusal()}
		if refused.Code() == codes.Unavailable {
			return p.openAgain(refused)
		}
		p.endSeat(seat, refused)
	}
	return 0, false, nil
}

func (p *PlaySession) openAgain(refused *Refused) (time.Duration, bool, error) {
	wait, err := p.refusals.pause(refused)
	return wait, err == nil, err
}

// refused returns the pause if the call is to be repeated with a new stream, and hands the refusal on otherwise. A call that
// came too fast is repeated with this one.
func (p *PlaySession) refused(seat *PlayedSeat, requestID string, refused *Refused) (time.Duration, bool, error) {
	if seat.cameBehind(requestID, refused) {
		return 0, false, nil
	}
	if refused.Reason() == v1.ErrorReason_ERROR_REASON_RATE_LIMITED {
		if wait, messages, again := seat.again(requestID, refused); again && p.stream != nil {
			p.stream.outbox.putLater(wait, messages)
			return 0, false, nil
		}
	} else if _, again := LeastPause(refused, p.refusals.failures+1); again {
		return p.openAgain(refused)
	}
	switch {
	case requestID != "":
		p.news = append(p.news, seat.refused(requestID, refused))
	case seat.isClosing() && refused.Reason() == v1.ErrorReason_ERROR_REASON_UNKNOWN_CHANNEL:
		// There was nothing to close: a server that closes a channel itself may say so instead of closed.
		p.endSeat(seat, nil)
	default:
		p.endSeat(seat, refused)
	}
	return 0, false, nil
}

func (p *PlaySession) endSeat(seat *PlayedSeat, refused *Refused) {
	delete(p.seats, seat.channel)
	p.news = append(p.news, seat.ended(refused))
}
