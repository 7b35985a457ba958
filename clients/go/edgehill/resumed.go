package edgehill

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// streamSession is a stream without its I/O: all that is left of it between two connections.
type streamSession[R, N any] interface {
	// open opens the next connection, behind the last thing that the reader has.
	open(ctx context.Context, c *connection) (grpc.ServerStreamingClient[R], error)
	// take returns the news of a message; false if all of it is known.
	take(response *R) (N, bool)
	// isOver returns true if nothing comes after what was taken.
	isOver() bool
	// endedBy returns the failure of a stream that the server has ended; nil if that is its end.
	endedBy() error
}

// onceSession is a streamSession that can't always go on where it was.
type onceSession interface {
	// canResume returns false if a stream that is lost is to end with its failure.
	canResume() bool
}

// resumed returns all that a server sends, over as many connections as it takes. An error is the last thing that comes.
func resumed[R, N any](
	ctx context.Context, c *connection, token string, session streamSession[R, N],
) iter.Seq2[N, error] {
	return func(yield func(N, error) bool) {
		outage := streamOutage(c.policy)
		for !session.isOver() {
			goesOn, failure := oneConnection(ctx, c, token, session, outage, yield)
			if !goesOn {
				return
			}
			err := c.ended(ctx)
			if once, isOnce := session.(onceSession); err == nil && isOnce && !once.canResume() {
				err = failure
			}
			if err == nil {
				err = c.pauseAfter(ctx, failure, outage)
			}
			if err != nil {
				var none N
				yield(none, err)
				return
			}
		}
	}
}

// oneConnection hands out the news of one connection. It returns false if the reader has left or the stream is at its end, and
// its failure otherwise.
func oneConnection[R, N any](
	ctx context.Context, c *connection, token string, session streamSession[R, N], outage *outage,
	yield func(N, error) bool,
) (goesOn bool, failure error) {
	following, release := c.follow(authorized(ctx, token))
	defer release()
	stream, err := session.open(following, c)
	if err != nil {
		return true, failureOf(err)
	}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			failure = session.endedBy()
			return failure != nil, failure
		}
		if err != nil {
			return true, failureOf(err)
		}
		outage.end()
		if news, isNew := session.take(response); isNew && !yield(news, nil) {
			return false, nil
		}
		if session.isOver() {
			return false, nil
		}
	}
}
