package edgehill_test

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// watched is a server whose streams of updates are as a test says.
type watched struct {
	v1.UnimplementedMatchServiceServer
	requests []*v1.WatchMatchRequest
	watch    func(number int, stream grpc.ServerStreamingServer[v1.WatchMatchResponse]) error
}

func (w *watched) WatchMatch(
	request *v1.WatchMatchRequest, stream grpc.ServerStreamingServer[v1.WatchMatchResponse],
) error {
	w.requests = append(w.requests, request)
	return w.watch(len(w.requests), stream)
}

func TestAWatchLeavesOutWhatItsReaderHas(t *testing.T) {
	running := &v1.MatchState{Status: v1.MatchStatus_MATCH_STATUS_RUNNING}
	offered := &v1.MatchState{Status: v1.MatchStatus_MATCH_STATUS_RUNNING, DrawOffers: []uint32{1}}
	legal, other := &v1.LegalActions{Ids: []uint32{5}}, &v1.LegalActions{Ids: []uint32{6}}
	connections := [][]*v1.SeatUpdate{
		{{Seq: 3, View: &v1.View{}, State: running, LegalActions: legal}},
		// All of the first is known, of the second the prompt; the others are news.
		{
			{Seq: 3, State: running, LegalActions: legal},
			{Seq: 3, State: offered, LegalActions: legal},
			{Seq: 3, LegalActions: other},
			{Seq: 4, Events: []*v1.Event{{Seq: 4}}, State: offered},
		},
	}
	served := &watched{watch: func(number int, stream grpc.ServerStreamingServer[v1.WatchMatchResponse]) error {
		for _, update := range connections[number-1] {
			if err := stream.Send(&v1.WatchMatchResponse{Update: update}); err != nil {
				return err
			}
		}
		if number < len(connections) {
			return status.Error(codes.Unavailable, "the connection is lost")
		}
		return nil
	}}
	_, seat := clientOf(t, served)
	updates := all(t, seat.WatchMatch(edgehill.WithLegal(v1.LegalDetail_LEGAL_DETAIL_IDS)).Updates(t.Context()))
	equal(t, len(updates), 4)
	sameMessage(t, updates[1], &v1.SeatUpdate{Seq: 3, State: offered})
	sameMessage(t, updates[2], &v1.SeatUpdate{Seq: 3, LegalActions: other})
	sameMessage(t, updates[3], &v1.SeatUpdate{Seq: 4, Events: []*v1.Event{{Seq: 4}}})
	equal(t, served.requests[1].GetAfterSeq(), 3)
	if served.requests[0].AfterSeq != nil {
		t.Fatal("the first connection has no cursor")
	}
}

// The server sees the end of a stream whose loop was left, though the client goes on.
func TestALoopThatIsLeftEndsItsStream(t *testing.T) {
	ended := make(chan struct{})
	_, seat := clientOf(t, &watched{watch: func(_ int, stream grpc.ServerStreamingServer[v1.WatchMatchResponse]) error {
		defer close(ended)
		if err := stream.Send(&v1.WatchMatchResponse{Update: &v1.SeatUpdate{View: &v1.View{}}}); err != nil {
			return err
		}
		<-stream.Context().Done()
		return nil
	}})
	for update, err := range seat.WatchMatch().Updates(t.Context()) {
		ok(update, err)(t)
		break
	}
	<-ended

	playEnded := make(chan struct{})
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		defer close(playEnded)
		c.request()
		c.opened()
		c.update(prompt(), "")
		<-c.Context().Done()
	}})
	session := client.PlaySeats()
	session.Open(seat)
	for event, err := range session.Events(t.Context()) {
		ok(event, err)(t)
		break
	}
	<-playEnded
}

// lateBot has chosen while news of another prompt is on its way to it.
type lateBot struct {
	asked    int
	choose   chan struct{}
	received chan struct{}
}

func (b *lateBot) Choose(context.Context, edgehill.BotSeat, *v1.LegalActions) (*v1.ActionList, error) {
	b.asked++
	<-b.choose
	return edgehill.IDs(5), nil
}

func (b *lateBot) OnEvent(edgehill.BotSeat, *v1.Event) {
	close(b.choose)
	<-b.received
}

func TestABotIsNotAskedWhileItsChoiceHasNoAnswer(t *testing.T) {
	bot := &lateBot{choose: make(chan struct{}), received: make(chan struct{})}
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(prompt(), "")
		more := prompt()
		more.Seq, more.Events = 4, []*v1.Event{{Seq: 4}}
		c.update(more, "")
		id := c.request().RequestId
		close(bot.received)
		c.update(&v1.SeatUpdate{Seq: 4, ApplyResult: &v1.ApplyResult{Actions: 1}}, id)
		c.closed(nil)
	}})
	equal(t, ok(edgehill.RunBot(t.Context(), client, seat, bot))(t).Actions, 1)
	equal(t, bot.asked, 1)
}
