package edgehill

import (
	"context"
	"iter"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// SeekOption says what is sought: [TermOption], [WithSeat], [WithWait], [WithRequestID].
type SeekOption interface {
	set(*settings)
	seek()
}

// WaitOption is the longest time of a seek.
type WaitOption struct{ setter }

func (WaitOption) seek() {}

// WithWait names the longest time to seek, in whole milliseconds; without it, as long as the server allows.
func WithWait(longest time.Duration) WaitOption {
	return WaitOption{func(s *settings) { s.wait = longest }}
}

// Seek is a search for somebody to play with, over as many connections as it takes.
//
// It is open while its counts are read or [Seek.Paired] waits; leaving takes it back. A lost connection is opened again with
// the same request id: nobody is paired twice, and who was paired meanwhile has their seat.
type Seek struct {
	connection *connection
	key        string
	session    *seekSession
}

// Seek seeks somebody who wants to play the same. Nothing is asked before the result is waited for. [Client.Join] takes the
// seat that comes of it, by its number and its invitation.
func (c *Client) Seek(game string, options ...SeekOption) *Seek {
	said := gathered(options)
	return &Seek{connection: c.connection, key: c.key, session: &seekSession{
		wait: said.wait,
		request: &v1.SeekMatchRequest{
			RequestId:    c.ids.next(said.requestID),
			ClientSecret: c.clientSecret,
			Game:         game,
			Rules:        said.rules,
			Scenario:     said.scenario,
			Options:      said.options,
			Seat:         said.seat,
			Clock:        said.clock,
			EntropyMode:  said.entropyMode,
		},
	}}
}

// Counts returns how many seek, each time that this changes, until the seek is paired. One loop at a time may read; an error is
// the last thing that comes: [Refused] with SEEK_EXPIRED if nobody comes in time.
func (s *Seek) Counts(ctx context.Context) iter.Seq2[*v1.SeekCount, error] {
	return resumed(ctx, s.connection, s.key, s.session)
}

// Paired waits until the seek is paired. The errors are those of [Seek.Counts].
func (s *Seek) Paired(ctx context.Context) (*v1.PairedSeat, error) {
	for _, err := range s.Counts(ctx) {
		if err != nil {
			return nil, err
		}
	}
	return withMatch(s.Result(), nil)
}

// Result returns the seat, once the seek was paired; nil before.
func (s *Seek) Result() *v1.PairedSeat {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	return s.session.result
}

type seekSession struct {
	request *v1.SeekMatchRequest
	wait    time.Duration

	mu     sync.Mutex
	ends   time.Time
	result *v1.PairedSeat
}

// open asks the same each time, for as much time as is left.
func (s *seekSession) open(
	ctx context.Context, c *connection,
) (grpc.ServerStreamingClient[v1.SeekMatchResponse], error) {
	request := proto.CloneOf(s.request)
	if s.wait > 0 {
		s.mu.Lock()
		if s.ends.IsZero() {
			s.ends = time.Now().Add(s.wait)
		}
		request.Wait = durationpb.New(max(time.Millisecond, time.Until(s.ends).Round(time.Millisecond)))
		s.mu.Unlock()
	}
	return c.matches.SeekMatch(ctx, request)
}

func (s *seekSession) take(response *v1.SeekMatchResponse) (*v1.SeekCount, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result = response.GetPaired()
	return response.GetSeeking(), response.GetSeeking() != nil
}

func (s *seekSession) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result != nil
}

func (s *seekSession) endedBy() error {
	return &CallFailed{Code: codes.Unavailable, Message: "the stream ended before the pairing"}
}
