package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"

	"google.golang.org/grpc"

	v1 "example.com/randombot/gen/edgehill/v1"
)

// takeSeat makes a match and takes its first seat; the house bot `random` has the others. It returns the seat's token.
func takeSeat(ctx context.Context, conn *grpc.ClientConn, game string) (string, error) {
	found, err := v1.NewCatalogServiceClient(conn).GetGame(ctx, &v1.GetGameRequest{Game: game})
	if err != nil {
		return "", err
	}
	seats := []*v1.SeatConfig{{Kind: v1.SeatKind_SEAT_KIND_OPEN}}
	for range found.Game.Scenarios[0].Seats - 1 {
		seats = append(seats, &v1.SeatConfig{Kind: v1.SeatKind_SEAT_KIND_HOUSE_BOT, Bot: "random"})
	}
	matches := v1.NewMatchServiceClient(conn)
	secret := []byte(rand.Text() + rand.Text())[:32] // it makes request ids this bot's own
	created, err := matches.CreateMatch(ctx, &v1.CreateMatchRequest{RequestId: "create", ClientSecret: secret, Game: game, Seats: seats})
	if err != nil {
		return "", err
	}
	id := created.Match.Config.MatchId
	joined, err := matches.JoinMatch(ctx, &v1.JoinMatchRequest{RequestId: "join", ClientSecret: secret, MatchId: id})
	return joined.GetSeatToken(), err
}

// play plays a seat with random actions until its match is finished.
func play(stream v1.MatchService_PlaySeatsClient, token string) (*v1.MatchResult, error) {
	open := &v1.PlaySeatsRequest_Open{SeatToken: token, OmitEvents: true}
	_ = stream.Send(&v1.PlaySeatsRequest{Call: &v1.PlaySeatsRequest_Open_{Open: open}}) // Recv has the error
	var result *v1.MatchResult
	for {
		message, err := stream.Recv()
		if err != nil {
			return nil, err
		}
		if refusal := cmp.Or(message.GetRefusal(), message.GetClosed().GetRefusal()); refusal != nil {
			return nil, fmt.Errorf("%v: %s", refusal.Reason, refusal.Message)
		}
		if message.GetClosed() != nil {
			return result, nil
		}
		result = cmp.Or(message.GetUpdate().GetState().GetResult(), result)
		if ids := message.GetUpdate().GetLegalActions().GetIds(); len(ids) > 0 {
			chosen := &v1.ActionList_Ids{Values: []uint32{ids[mathrand.IntN(len(ids))]}}
			batch := &v1.ActionBatch{Actions: &v1.ActionList{Encoding: &v1.ActionList_Ids_{Ids: chosen}}}
			_ = stream.Send(&v1.PlaySeatsRequest{RequestId: rand.Text(), Call: &v1.PlaySeatsRequest_Apply{Apply: batch}})
		}
	}
}
