package edgehill

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// account returns the account of an answer.
func account[A interface{ GetAccount() *v1.Account }](answer A, err error) (*v1.Account, error) {
	if err == nil && answer.GetAccount() == nil {
		err = incomplete("the account")
	}
	return answer.GetAccount(), err
}

// withKey returns an answer with a key in it.
func withKey[A interface{ GetAccountKey() *v1.AccountKey }](answer A, err error) (A, error) {
	if err == nil && answer.GetAccountKey() == nil {
		err = incomplete("the key")
	}
	return answer, err
}

// moment returns a time as the wire has it; nil for none.
func moment(given *time.Time) *timestamppb.Timestamp {
	if given == nil {
		return nil
	}
	return timestamppb.New(*given)
}

// accountDataSession is the stream of an account's data, which can't go on where it was.
type accountDataSession struct {
	request  *v1.ExportAccountDataRequest
	hasBegun bool
}

func (s *accountDataSession) open(
	ctx context.Context, c *connection,
) (grpc.ServerStreamingClient[v1.ExportAccountDataResponse], error) {
	return c.admin.ExportAccountData(ctx, s.request)
}

func (s *accountDataSession) take(part *v1.ExportAccountDataResponse) (*v1.ExportAccountDataResponse, bool) {
	s.hasBegun = true
	return part, true
}

func (s *accountDataSession) isOver() bool    { return false }
func (s *accountDataSession) endedBy() error  { return nil }
func (s *accountDataSession) canResume() bool { return !s.hasBegun }
