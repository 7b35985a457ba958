package edgehill_test

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// Streams at what a server says rarely, or what a newer one says: against a server that is a few lines of each test.

// conversation is one connection of a PlaySeats stream, as the server has it.
type conversation struct {
	grpc.BidiStreamingServer[v1.PlaySeatsRequest, v1.PlaySeatsResponse]
	t *testing.T
	// number counts the connections, from 1.
	number int
}

// request reads a request that has to be there.
func (c *conversation) request() *v1.PlaySeatsRequest {
	request, err := c.Recv()
	if err != nil {
		c.t.Errorf("a request was expected: %v", err)
		return &v1.PlaySeatsRequest{}
	}
	return request
}

func (c *conversation) say(response *v1.PlaySeatsResponse) {
	response.Channel = 1
	if err := c.Send(response); err != nil {
		c.t.Error(err)
	}
}

// opened answers an opening with the view at number 3.
func (c *conversation) opened() {
	match := &v1.Match{Config: &v1.MatchConfig{MatchId: "match"}, State: &v1.MatchState{}, Seq: 3}
	opened := &v1.PlaySeatsResponse_Opened{Match: match, View: &v1.View{Draft: []uint32{1}}}
	c.say(&v1.PlaySeatsResponse{Message: &v1.PlaySeatsResponse_Opened_{Opened: opened}})
}

func (c *conversation) update(update *v1.SeatUpdate, requestID string) {
	if update.Status == 0 {
		update.Status = v1.MatchStatus_MATCH_STATUS_RUNNING
	}
	c.say(&v1.PlaySeatsResponse{RequestId: requestID, Message: &v1.PlaySeatsResponse_Update{Update: update}})
}

func (c *conversation) refusal(reason v1.ErrorReason, code codes.Code, requestID string) {
	refusal := &v1.Refusal{Reason: reason, Code: int32(code)}
	c.say(&v1.PlaySeatsResponse{RequestId: requestID, Message: &v1.PlaySeatsResponse_Refusal{Refusal: refusal}})
}

func (c *conversation) closed(refusal *v1.Refusal) {
	closed := &v1.PlaySeatsResponse_Closed{Refusal: refusal}
	c.say(&v1.PlaySeatsResponse{Message: &v1.PlaySeatsResponse_Closed_{Closed: closed}})
}

// fake is a server that plays as a test says.
type fake struct {
	v1.UnimplementedMatchServiceServer
	t           *testing.T
	connections int
	play        func(*conversation)
	view        func(*v1.GetViewRequest) *v1.GetViewResponse
}

func (f *fake) PlaySeats(stream grpc.BidiStreamingServer[v1.PlaySeatsRequest, v1.PlaySeatsResponse]) error {
	f.connections++
	f.play(&conversation{BidiStreamingServer: stream, t: f.t, number: f.connections})
	return nil
}

func (f *fake) GetView(_ context.Context, request *v1.GetViewRequest) (*v1.GetViewResponse, error) {
	return f.view(request), nil
}

// clientOf returns a client of the fake, and a seat to play. The others are registered beside it.
func clientOf(
	t *testing.T, served v1.MatchServiceServer, others ...func(*grpc.Server),
) (*edgehill.Client, *edgehill.Seat) {
	t.Helper()
	listener := ok(net.Listen("tcp", "127.0.0.1:0"))(t)
	host := grpc.NewServer()
	v1.RegisterMatchServiceServer(host, served)
	for _, register := range others {
		register(host)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = host.Serve(listener) // it ends with the test
	}()
	t.Cleanup(func() {
		host.Stop()
		<-ended
	})
	retry := edgehill.DefaultRetry()
	retry.PauseMin = time.Millisecond
	client := connect(t, listener.Addr().String(), edgehill.WithRetry(retry))
	return client, ok(client.Seat("match", "ehs_any"))(t)
}

// prompt returns the news that the seat is to act at number 3.
func prompt() *v1.SeatUpdate {
	return &v1.SeatUpdate{Seq: 3, ToAct: true, LegalActions: &v1.LegalActions{Ids: []uint32{5}}}
}

func taken() *v1.SeatUpdate {
	return &v1.SeatUpdate{Seq: 3, ApplyResult: &v1.ApplyResult{Actions: 1}}
}

func TestAViewIsAskedForWhereEventsDoNotGiveIt(t *testing.T) {
	var asked []string
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(&v1.SeatUpdate{Seq: 4, Events: []*v1.Event{{Seq: 4, Changes: []*v1.Change{{}}}}}, "")
		c.closed(nil)
	}, view: func(request *v1.GetViewRequest) *v1.GetViewResponse {
		asked = append(asked, request.MatchId)
		match := &v1.Match{Config: &v1.MatchConfig{MatchId: "match"}, State: &v1.MatchState{}, Seq: 4}
		return &v1.GetViewResponse{Seq: 4, View: &v1.View{Draft: []uint32{1, 4}}, Match: match}
	}})
	session := client.PlaySeats()
	session.Open(seat)
	events := pull(t, session.Events(t.Context()))
	first := events.one()
	equal(t, []any{asked, first.Now.View.Draft, first.Now.Seq}, []any{[]string{"match"}, []uint32{1, 4}, uint64(4)})
	equal(t, events.one().Closed, true)
}

func TestAServerThatStopsIsCalledAnewAndTheCallWithoutAnAnswerMadeAgain(t *testing.T) {
	var applied []string
	var cursors []*uint64
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		cursors = append(cursors, c.request().GetOpen().AfterSeq)
		c.opened()
		if c.number == 1 {
			c.update(prompt(), "")
		}
		id := c.request().RequestId
		applied = append(applied, id)
		if c.number == 1 {
			c.closed(&v1.Refusal{Reason: v1.ErrorReason_ERROR_REASON_DRAINING, Code: int32(codes.Unavailable)})
		}
		if c.number < 3 {
			return // a stream that ends before its seats are closed is lost as well
		}
		c.update(taken(), id)
		c.closed(nil)
	}})
	session := client.PlaySeats()
	mine := session.Open(seat)
	events := pull(t, session.Events(t.Context()))
	equal(t, events.one().Legal.Ids, []uint32{5})
	id := ok(mine.Apply(edgehill.IDs(5)))(t)
	answer := events.one()
	equal(t, []any{answer.RequestID, answer.ApplyResult.Actions}, []any{id, uint32(1)})
	ok(0, events.err())(t)
	equal(t, applied, []string{id, id, id})
	three := uint64(3)
	equal(t, cursors, []*uint64{nil, &three, &three})
	equal(t, session.Connections(), 3)
}

func TestWhileACallHasNoAnswerNoPromptIsHandedOn(t *testing.T) {
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(prompt(), "")
		id := c.request().RequestId
		c.update(prompt(), "")
		c.update(taken(), id)
		c.closed(nil)
	}})
	session := client.PlaySeats()
	mine := session.Open(seat)
	events := pull(t, session.Events(t.Context()))
	events.one()
	ok(mine.Apply(edgehill.IDs(5)))(t)
	for range 3 {
		if event := events.one(); event.Legal != nil {
			t.Fatal(event.Legal)
		}
	}
	ok(0, events.err())(t)
}

func TestAChannelThatTheServerHasClosedIsClosed(t *testing.T) {
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(prompt(), "")
		if c.request().GetClose() == nil {
			c.t.Error("the seat was to be closed")
		}
		c.refusal(v1.ErrorReason_ERROR_REASON_UNKNOWN_CHANNEL, codes.FailedPrecondition, "")
	}})
	session := client.PlaySeats()
	mine := session.Open(seat)
	events := pull(t, session.Events(t.Context()))
	events.one()
	ok(0, mine.Close())(t)
	// That there is nothing to close is no failure.
	end := events.one()
	if !end.Closed || end.Refused != nil {
		t.Fatal(end)
	}
	ok(0, events.err())(t)
}

func TestASeatThatIsNotOpened(t *testing.T) {
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		// News of a channel that nobody has opened, and messages of a newer server, are passed over.
		ok(0, c.Send(&v1.PlaySeatsResponse{Channel: 9}))(c.t)
		c.say(&v1.PlaySeatsResponse{})
		c.refusal(v1.ErrorReason_ERROR_REASON_BAD_TOKEN, codes.Unauthenticated, "")
	}})
	_, err := edgehill.RunBot(t.Context(), client, seat, edgehill.NewRandomBot())
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, err)
}

func TestAChoiceThatSomethingCameBeforeIsNoErrorOfTheBot(t *testing.T) {
	for _, reason := range []v1.ErrorReason{
		v1.ErrorReason_ERROR_REASON_NOT_YOUR_TURN,
		v1.ErrorReason_ERROR_REASON_MATCH_FINISHED,
		v1.ErrorReason_ERROR_REASON_ADJOURNED,
	} {
		t.Run(reason.String(), func(t *testing.T) {
			finished := v1.MatchStatus_MATCH_STATUS_FINISHED
			client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
				c.request()
				c.opened()
				c.update(prompt(), "")
				c.refusal(reason, codes.FailedPrecondition, c.request().RequestId)
				result := &v1.MatchResult{Code: "resigned", Returns: []int32{1, -1}}
				c.update(&v1.SeatUpdate{Seq: 3, State: &v1.MatchState{Status: finished, Result: result}}, "")
				c.closed(nil)
			}})
			report := ok(edgehill.RunBot(t.Context(), client, seat, edgehill.NewRandomBot()))(t)
			equal(t, []any{report.Status, report.Result.Code, report.Actions}, []any{finished, "resigned", 0})
		})
	}
}

func TestAMatchThatWasStoppedIsLeft(t *testing.T) {
	for _, status := range []v1.MatchStatus{
		v1.MatchStatus_MATCH_STATUS_QUARANTINED, v1.MatchStatus_MATCH_STATUS_UNPLAYABLE,
	} {
		client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
			c.request()
			c.opened()
			c.update(&v1.SeatUpdate{Seq: 3, Status: status, State: &v1.MatchState{Status: status}}, "")
			if c.request().GetClose() == nil {
				c.t.Error("the seat was to be closed")
			}
			c.closed(nil)
		}})
		report := ok(edgehill.RunBot(t.Context(), client, seat, edgehill.NewRandomBot()))(t)
		equal(t, report.Status, status)
		if report.Result != nil {
			t.Fatal(report)
		}
	}
}

func TestAPromptThatComesOnceMoreIsThoughtAboutOnce(t *testing.T) {
	asked, chosen := 0, make(chan struct{})
	bot := edgehill.BotFunc(func(context.Context, edgehill.BotSeat, *v1.LegalActions) (*v1.ActionList, error) {
		asked++
		<-chosen
		return edgehill.IDs(5), nil
	})
	client, seat := clientOf(t, &fake{t: t, play: func(c *conversation) {
		c.request()
		c.opened()
		c.update(prompt(), "")
		if c.number == 1 {
			return
		}
		close(chosen)
		c.update(taken(), c.request().RequestId)
		c.closed(nil)
	}})
	equal(t, ok(edgehill.RunBot(t.Context(), client, seat, bot))(t).Actions, 1)
	equal(t, asked, 1)
}

// hollow answers every call without the fields that every server sends.
type hollow struct {
	v1.UnimplementedMatchServiceServer
}

func (hollow) CreateMatch(context.Context, *v1.CreateMatchRequest) (*v1.CreateMatchResponse, error) {
	return &v1.CreateMatchResponse{}, nil
}

func (hollow) CreateMatches(context.Context, *v1.CreateMatchesRequest) (*v1.CreateMatchesResponse, error) {
	return &v1.CreateMatchesResponse{Created: []*v1.CreateMatchResponse{{}}}, nil
}

func (hollow) GetMatch(context.Context, *v1.GetMatchRequest) (*v1.GetMatchResponse, error) {
	return &v1.GetMatchResponse{Match: &v1.Match{Config: &v1.MatchConfig{}, State: &v1.MatchState{}}}, nil
}

func (hollow) JoinMatch(context.Context, *v1.JoinMatchRequest) (*v1.JoinMatchResponse, error) {
	return &v1.JoinMatchResponse{}, nil
}

func (hollow) GetView(context.Context, *v1.GetViewRequest) (*v1.GetViewResponse, error) {
	return &v1.GetViewResponse{Match: &v1.Match{Config: &v1.MatchConfig{}, State: &v1.MatchState{}}}, nil
}

func (hollow) ApplyActions(context.Context, *v1.ApplyActionsRequest) (*v1.ApplyActionsResponse, error) {
	return &v1.ApplyActionsResponse{}, nil
}

func (hollow) LeaveMatch(context.Context, *v1.LeaveMatchRequest) (*v1.LeaveMatchResponse, error) {
	return &v1.LeaveMatchResponse{}, nil
}

func (hollow) GetReceipt(context.Context, *v1.GetReceiptRequest) (*v1.GetReceiptResponse, error) {
	return &v1.GetReceiptResponse{}, nil
}

func (hollow) WatchMatch(_ *v1.WatchMatchRequest, stream grpc.ServerStreamingServer[v1.WatchMatchResponse]) error {
	return stream.Send(&v1.WatchMatchResponse{})
}

func (hollow) SeekMatch(_ *v1.SeekMatchRequest, stream grpc.ServerStreamingServer[v1.SeekMatchResponse]) error {
	return stream.Send(&v1.SeekMatchResponse{Paired: &v1.PairedSeat{}})
}

func TestAnswersThatLackWhatEveryServerSends(t *testing.T) {
	client, seat := clientOf(t, hollow{})
	ctx := t.Context()
	for name, err := range map[string]error{
		"create":     errorOf(client.Create(ctx, "skirmish")),
		"create all": errorOf(client.CreateAll(ctx, nil)),
		"join":       errorOf(client.Join(ctx, "match")),
		"view":       errorOf(client.View(ctx, "match")),
		"receipt":    errorOf(client.Receipt(ctx, "match")),
		"seek":       errorOf(client.Seek("skirmish").Paired(ctx)),
		"apply":      errorOf(seat.Apply(ctx, edgehill.IDs(1))),
		"leave":      errorOf(seat.Leave(ctx)),
	} {
		t.Run(name, func(t *testing.T) { equal(t, failed[*edgehill.CallFailed](t, err).Code, codes.DataLoss) })
	}
	equal(t, len(all(t, client.WatchMatch("match").Updates(ctx))), 0)
	// A server that lacks a call altogether is no Edgehill.
	equal(t, failed[*edgehill.CallFailed](t, errorOf(client.Games(ctx))).Code, codes.Unimplemented)
	equal(t, failed[*edgehill.CallFailed](t, errorOf(seat.Resign(ctx))).Code, codes.Unimplemented)
}
