package edgehill_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// forwarder hands calls on to a server, and loses the answer to the first join.
type forwarder struct {
	v1.UnimplementedMatchServiceServer
	server v1.MatchServiceClient
	joins  []*v1.JoinMatchRequest
}

func (f *forwarder) GetMatch(ctx context.Context, request *v1.GetMatchRequest) (*v1.GetMatchResponse, error) {
	return f.server.GetMatch(ctx, request)
}

func (f *forwarder) JoinMatch(ctx context.Context, request *v1.JoinMatchRequest) (*v1.JoinMatchResponse, error) {
	f.joins = append(f.joins, request)
	joined, err := f.server.JoinMatch(ctx, request)
	if len(f.joins) == 1 {
		return nil, status.Error(codes.Unavailable, "the answer is lost")
	}
	return joined, err
}

func TestJoinHappensOnce(t *testing.T) {
	direct, ctx := sharedClient(t), t.Context()
	id := ok(direct.Create(ctx, "skirmish"))(t).Match.Config.MatchId
	between := &forwarder{server: v1.NewMatchServiceClient(direct.Conn())}
	client, _ := clientOf(t, between)
	seat := ok(client.Join(ctx, id, edgehill.WithPlayer("Ann")))(t)
	number, _ := seat.Number()
	equal(t, number, 0)
	equal(t, len(between.joins), 2)
	sameMessage(t, between.joins[1], between.joins[0])
	equal(t, between.joins[0].Entropy, seat.Entropy())
	state := ok(direct.Get(ctx, id))(t).State
	equal(t, []bool{state.Seats[0].Joined, state.Seats[1].Joined}, []bool{true, false})
	mine := ok(direct.Seat(id, seat.Token()))(t)
	equal(t, ok(mine.Get(ctx))(t).State.Status, v1.MatchStatus_MATCH_STATUS_WAITING)
}
