// Command randombot plays matches with random actions, each over a PlaySeats stream.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	v1 "example.com/randombot/gen/edgehill/v1"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: randombot HOST:PORT GAME|all")
	}
	conn, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	games, err := choose(conn, os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	for _, game := range games {
		result, err := playWithin(conn, game, 5*time.Minute)
		if err != nil {
			log.Fatalf("%s: %v", game, err)
		}
		fmt.Printf("%s: %s, returns %v\n", game, result.Code, result.Returns)
	}
}

// choose gives the games to play: the one that is named, or every game of the server.
func choose(conn *grpc.ClientConn, name string) ([]string, error) {
	if name != "all" {
		return []string{name}, nil
	}
	list, err := v1.NewCatalogServiceClient(conn).ListGames(context.Background(), &v1.ListGamesRequest{})
	var games []string
	for _, game := range list.GetGames() {
		games = append(games, game.Id)
	}
	return games, err
}

// playWithin plays a match of a game, and gives up after a time.
func playWithin(conn *grpc.ClientConn, game string, limit time.Duration) (*v1.MatchResult, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel() // ends the stream, too
	token, err := takeSeat(ctx, conn, game)
	if err != nil {
		return nil, err
	}
	stream, err := v1.NewMatchServiceClient(conn).PlaySeats(ctx)
	if err != nil {
		return nil, err
	}
	result, err := play(stream, token)
	if err == nil && result == nil {
		err = errors.New("the match has ended without a result")
	}
	return result, err
}
