package edgehill

import (
	"context"
	"iter"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// WatchOption says where a stream of updates begins: [WithAfterSeq], [WithIncludeText].
type WatchOption interface {
	set(*settings)
	watch()
}

// SeatWatchOption says where a stream of a seat's updates begins: [WithAfterSeq], [WithIncludeText], [WithLegal].
type SeatWatchOption interface {
	set(*settings)
	seatWatch()
}

// CursorOption is the cursor of a stream of updates.
type CursorOption struct{ setter }

func (CursorOption) watch()     {}
func (CursorOption) seatWatch() {}

// WithAfterSeq has a stream begin with the event after this number; without it, it begins with the present view.
func WithAfterSeq(seq uint64) CursorOption {
	return CursorOption{func(s *settings) { s.afterSeq = &seq }}
}

// Watch is the stream of an observer's updates, which ends after the last event of a match that has come to its end.
//
// [ViewTracker.Fold] takes them. A lost connection is opened again with the number of the last event as its cursor, so
// nothing is missed and nothing comes twice.
type Watch struct {
	connection *connection
	token      string
	session    *watchSession
}

func newWatch(c *connection, token, matchID string, said *settings) *Watch {
	return &Watch{connection: c, token: token, session: &watchSession{
		matchID: matchID, includeText: said.includeText, detail: said.detail, seq: said.afterSeq,
	}}
}

// WatchMatch streams a spectator's updates as they come: after a cursor or, without one, from the present view on. Nothing is
// asked before its updates are read.
func (c *Client) WatchMatch(matchID string, options ...WatchOption) *Watch {
	said := &settings{}
	for _, option := range options {
		option.set(said)
	}
	return newWatch(c.connection, c.key, matchID, said)
}

// Updates returns the updates, of which one loop at a time may read. An error is the last thing that comes.
//
// Leaving the loop closes the stream, and so does the end of the context; another loop goes on at the cursor.
func (w *Watch) Updates(ctx context.Context) iter.Seq2[*v1.SeatUpdate, error] {
	return resumed(ctx, w.connection, w.token, w.session)
}

// Seq returns the cursor: the number of the last event that was taken from the stream; false: there is none yet.
func (w *Watch) Seq() (uint64, bool) {
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	if w.session.seq == nil {
		return 0, false
	}
	return *w.session.seq, true
}

type watchSession struct {
	matchID     string
	includeText bool
	detail      v1.LegalDetail

	mu        sync.Mutex
	seq       *uint64
	state     *v1.MatchState
	prompt    *v1.LegalActions
	promptSeq uint64
}

func (w *watchSession) open(
	ctx context.Context, c *connection,
) (grpc.ServerStreamingClient[v1.WatchMatchResponse], error) {
	w.mu.Lock()
	request := &v1.WatchMatchRequest{
		MatchId: w.matchID, AfterSeq: w.seq, IncludeText: w.includeText, Legal: w.detail,
	}
	w.mu.Unlock()
	return c.matches.WatchMatch(ctx, request)
}

// take leaves out what the reader has: a connection begins with all that may be known.
func (w *watchSession) take(response *v1.WatchMatchResponse) (*v1.SeatUpdate, bool) {
	update := response.GetUpdate()
	if update == nil {
		return nil, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// Before the match has begun there is no number to go on from: a new connection is to bring the view.
	if w.seq != nil || update.View != nil || len(update.Events) > 0 {
		seq := update.Seq
		w.seq = &seq
	}
	knownState := update.State != nil && w.state != nil && proto.Equal(update.State, w.state)
	knownPrompt := update.LegalActions != nil && w.prompt != nil && w.promptSeq == update.Seq &&
		proto.Equal(update.LegalActions, w.prompt)
	if update.State != nil {
		w.state = update.State
	}
	if update.LegalActions != nil {
		w.prompt, w.promptSeq = update.LegalActions, update.Seq
	}
	// The update is the stream's own: nobody else has it yet.
	if knownState {
		update.State = nil
	}
	if knownPrompt {
		update.LegalActions = nil
	}
	isKnown := knownState || knownPrompt
	return update, !isKnown || update.View != nil || len(update.Events) > 0 || update.State != nil ||
		update.LegalActions != nil
}

func (w *watchSession) isOver() bool   { return false }
func (w *watchSession) endedBy() error { return nil }
