package edgehill

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// connection is one connection to one server: calls are repeated as they are until they are answered or refused.
type connection struct {
	conn         *grpc.ClientConn
	origin       string
	policy       RetryPolicy
	closing      context.Context
	cancel       context.CancelFunc
	admin        v1.AdminServiceClient
	catalog      v1.CatalogServiceClient
	matches      v1.MatchServiceClient
	competitions v1.CompetitionServiceClient
	referee      v1.RefereeServiceClient
}

func newConnection(conn *grpc.ClientConn, origin string, policy RetryPolicy) *connection {
	closing, cancel := context.WithCancel(context.Background())
	return &connection{
		conn:         conn,
		origin:       origin,
		policy:       policy,
		closing:      closing,
		cancel:       cancel,
		admin:        v1.NewAdminServiceClient(conn),
		catalog:      v1.NewCatalogServiceClient(conn),
		matches:      v1.NewMatchServiceClient(conn),
		competitions: v1.NewCompetitionServiceClient(conn),
		referee:      v1.NewRefereeServiceClient(conn),
	}
}

// close ends all calls and streams.
func (c *connection) close() {
	c.cancel()
	_ = c.conn.Close() // it fails only where it was closed before
}

// ended returns the error of a caller who has given up, or of a client that was closed; nil if neither has happened.
func (c *connection) ended(ctx context.Context) error {
	if c.closing.Err() != nil {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	return nil
}

// follow returns a context that ends with the caller's, with the client, or when it is released, whichever is first.
func (c *connection) follow(ctx context.Context) (context.Context, context.CancelFunc) {
	following, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.closing, cancel)
	return following, func() {
		stop()
		cancel()
	}
}

// pauseAfter waits as long as an outage asks for after a failure. It returns the failure if nothing is to be tried any more.
func (c *connection) pauseAfter(ctx context.Context, failure error, outage *outage) error {
	if err := c.ended(ctx); err != nil {
		return err
	}
	wait, err := outage.pause(failure)
	if err != nil {
		return err
	}
	return c.pause(ctx, wait)
}

// pause waits, or returns the error of a caller who has given up meanwhile.
func (c *connection) pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-c.closing.Done():
	}
	return c.ended(ctx)
}

func (c *connection) connectFailed(fault *CallFailed) error {
	said := fault.Message
	if given, ok := status.FromError(fault.cause); ok && fault.cause != nil {
		said = given.Message()
	}
	return &ConnectFailed{URL: c.origin, failed: &CallFailed{Code: codes.Unavailable, Message: said, cause: fault.cause}}
}

// attempt makes a call until it is answered or refused, or the policy's deadline has passed: the same in each try.
func attempt[A any](
	ctx context.Context, c *connection, token string, try func(ctx context.Context) (A, error),
) (A, error) {
	var none A
	outage := callOutage(c.policy)
	for {
		if err := c.ended(ctx); err != nil {
			return none, err
		}
		answer, err := once(ctx, c, token, try)
		if err == nil {
			return answer, nil
		}
		if err := c.pauseAfter(ctx, failureOf(err), outage); err != nil {
			return none, err
		}
	}
}

func once[A any](
	ctx context.Context, c *connection, token string, try func(ctx context.Context) (A, error),
) (A, error) {
	trying, release := c.follow(authorized(ctx, token))
	defer release()
	if c.policy.Attempt > 0 {
		limited, cancel := context.WithTimeout(trying, c.policy.Attempt)
		defer cancel()
		trying = limited
	}
	return try(trying)
}

// call makes a call of one request and one answer.
func call[Q, A any](
	ctx context.Context, c *connection, token string,
	method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q,
) (A, error) {
	return attempt(ctx, c, token, func(ctx context.Context) (A, error) { return method(ctx, request) })
}

// authorized names a call's caller: an account's key or a seat's token; empty: nobody.
func authorized(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// keyedConn calls services that the client has no calls of, with its key; see Client.Conn.
type keyedConn struct {
	connection *connection
	key        string
}

// Invoke makes a call, and repeats it: all calls of this API may be repeated.
func (k keyedConn) Invoke(ctx context.Context, method string, request, reply any, options ...grpc.CallOption) error {
	_, err := attempt(ctx, k.connection, k.key, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, k.connection.conn.Invoke(ctx, method, request, reply, options...)
	})
	return err
}

// NewStream opens a stream, once.
func (k keyedConn) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	if err := k.connection.ended(ctx); err != nil {
		return nil, err
	}
	stream, err := k.connection.conn.NewStream(authorized(ctx, k.key), desc, method, options...)
	if err != nil {
		return nil, failureOf(err)
	}
	return stream, nil
}
