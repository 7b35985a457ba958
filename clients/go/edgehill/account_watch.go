package edgehill

import (
	"context"
	"iter"
	"sync"

	"google.golang.org/grpc"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// AccountWatch is the stream of an account's matches as they stand.
//
// Each response about a match is complete: the last one holds. A lost connection is opened again with the cursor of the last
// response: results since then come, and all that is not over comes again.
type AccountWatch struct {
	connection *connection
	key        string
	session    *accountSession
}

// WatchAccount streams how the matches stand in which the client's account has a part, as they change. First come the results
// since the cursor, if there is one (empty: there is none), and all matches that are not over; then the response with
// CaughtUp. Nothing is asked before its responses are read.
func (c *Client) WatchAccount(cursor string) *AccountWatch {
	return &AccountWatch{connection: c.connection, key: c.key, session: &accountSession{cursor: cursor}}
}

// Responses returns the responses, of which one loop at a time may read. It has no end but that of the context; an error is the
// last thing that comes. Another loop goes on at the cursor.
func (w *AccountWatch) Responses(ctx context.Context) iter.Seq2[*v1.WatchAccountResponse, error] {
	return resumed(ctx, w.connection, w.key, w.session)
}

// Cursor returns the cursor of the last response that was taken from the stream; keep it for the next run.
func (w *AccountWatch) Cursor() string {
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	return w.session.cursor
}

type accountSession struct {
	mu     sync.Mutex
	cursor string
}

func (a *accountSession) open(
	ctx context.Context, c *connection,
) (grpc.ServerStreamingClient[v1.WatchAccountResponse], error) {
	a.mu.Lock()
	request := &v1.WatchAccountRequest{Cursor: a.cursor}
	a.mu.Unlock()
	return c.matches.WatchAccount(ctx, request)
}

func (a *accountSession) take(response *v1.WatchAccountResponse) (*v1.WatchAccountResponse, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cursor = response.GetCursor()
	return response, true
}

func (a *accountSession) isOver() bool   { return false }
func (a *accountSession) endedBy() error { return nil }
