package edgehill

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// playStream is one connection of a PlaySession: a goroutine sends what is put into its outbox.
type playStream struct {
	stream  grpc.BidiStreamingClient[v1.PlaySeatsRequest, v1.PlaySeatsResponse]
	outbox  *outbox[*v1.PlaySeatsRequest]
	release context.CancelFunc
	sent    chan struct{}
}

func openPlayStream(ctx context.Context, c *connection, token string) (*playStream, error) {
	following, release := c.follow(authorized(ctx, token))
	stream, err := c.matches.PlaySeats(following)
	if err != nil {
		release()
		return nil, err
	}
	opened := &playStream{
		stream: stream, outbox: newOutbox[*v1.PlaySeatsRequest](), release: release, sent: make(chan struct{}),
	}
	go func() {
		defer close(opened.sent)
		opened.outbox.run(stream.Send)
	}()
	return opened, nil
}

// receive returns the next message. A stream that ends before its seats are closed has failed.
func (s *playStream) receive() (*v1.PlaySeatsResponse, error) {
	response, err := s.stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil, &CallFailed{Code: codes.Unavailable, Message: "the server has ended the stream"}
	}
	if err != nil {
		return nil, failureOf(err)
	}
	return response, nil
}

// close ends the connection, and waits until nothing is sent any more.
func (s *playStream) close() {
	s.outbox.end()
	s.release()
	<-s.sent
}
