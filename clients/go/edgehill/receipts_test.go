package edgehill_test

import (
	"regexp"
	"strings"
	"testing"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// botMatch makes a match of house bots, and returns its config.
func botMatch(t *testing.T, client *edgehill.Client, game string) *v1.MatchConfig {
	t.Helper()
	var seats []*v1.SeatConfig
	for range ok(client.Game(t.Context(), game))(t).Seats {
		seats = append(seats, edgehill.HouseBot("random"))
	}
	return ok(client.Create(t.Context(), game, edgehill.WithSeats(seats...)))(t).Match.Config
}

// seen returns all that a spectator is shown of a match, with the receipt for it.
func seen(t *testing.T, client *edgehill.Client, id string, options ...edgehill.WatchOption) *edgehill.Transcript {
	t.Helper()
	transcript := edgehill.NewTranscript(id)
	options = append(options, edgehill.WithAfterSeq(0))
	for update, err := range client.WatchMatch(id, options...).Updates(t.Context()) {
		for _, event := range ok(update, err)(t).Events {
			ok(0, transcript.Add(event))(t)
		}
	}
	ok(0, transcript.AddReceipt(ok(client.Receipt(t.Context(), id))(t)))(t)
	return transcript
}

func TestASpectatorReckonsTheHashThatTheServerSigns(t *testing.T) {
	t.Parallel()
	client := sharedClient(t)
	keys := edgehill.WithSigningKeys(ok(client.SigningKey(t.Context()))(t))
	for _, game := range ok(client.Games(t.Context()))(t) {
		t.Run(game.Id, func(t *testing.T) {
			t.Parallel()
			id := botMatch(t, client, game.Id).MatchId
			transcript := seen(t, client, id)
			if transcript.Seq() < 10 || transcript.MatchID() != id {
				t.Fatal(transcript.Seq())
			}
			check := ok(edgehill.VerifyTranscript(transcript, keys))(t)
			equal(t, check, &edgehill.TranscriptCheck{Receipts: 1, Signed: true, Complete: true})
			equal(t, seen(t, client, id, edgehill.WithIncludeText()).Text(), transcript.Text())
			again := ok(edgehill.ReadTranscript(transcript.Text()))(t)
			equal(t, again.Text(), transcript.Text())
			equal(t, ok(edgehill.VerifyTranscript(again, keys))(t), check)
		})
	}
}

func TestASeatReckonsTheHashThatTheServerSigns(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	ok(north.Apply(ctx, edgehill.IDs(firstLegal(t, north))))(t)
	ok(north.Undo(ctx))(t)
	transcript, receipt := edgehill.NewSeatTranscript(north.MatchID(), 0), ok(north.Receipt(ctx))(t)
	for update, err := range north.WatchMatch(edgehill.WithAfterSeq(0)).Updates(ctx) {
		for _, event := range ok(update, err)(t).Events {
			ok(0, transcript.Add(event))(t)
		}
		if transcript.Seq() >= receipt.Seq {
			break
		}
	}
	equal(t, transcript.Hash(), receipt.StreamHash)
	says(t, transcript.AddReceipt(ok(south.Receipt(ctx))(t)), "not for this match, this observer")
	ok(0, transcript.AddReceipt(receipt))(t)
	keys := edgehill.WithSigningKeys(ok(client.SigningKey(ctx))(t))
	equal(t, ok(edgehill.VerifyTranscript(transcript, keys))(t).Complete, true)
}

func TestEventsThatNoReceiptProvesAreTold(t *testing.T) {
	client := sharedClient(t)
	transcript := seen(t, client, botMatch(t, client, "skirmish").MatchId)
	end := transcript.Seq()
	// Whose key it is, nobody has said.
	equal(t, ok(edgehill.VerifyTranscript(transcript))(t).Complete, false)
	ok(0, transcript.Add(&v1.Event{Seq: end + 1, Code: "more", StreamHash: make([]byte, 32)}))(t)
	ok(0, transcript.Add(&v1.Event{Seq: end + 2, Code: "more"}))(t)
	ok(0, transcript.Add(&v1.Event{Seq: end + 2, Code: "more"}))(t) // it is there already
	unproven := []edgehill.EventRange{{First: end + 1, Last: end + 2}}
	equal(t, ok(edgehill.VerifyTranscript(transcript))(t).Unproven, unproven)
	is(t, transcript.Add(&v1.Event{Seq: end + 4}), edgehill.ErrSequenceGap)
}

func TestTextsThatAreNoneOfATranscript(t *testing.T) {
	whole := edgehill.NewSeatTranscript("m", 1).Text()
	ok(edgehill.ReadTranscript(strings.ReplaceAll(whole, "\n", " \r\n")))(t)
	for _, text := range []string{
		"",
		strings.Replace(whole, "script 1", "script 2", 1),
		strings.Replace(whole, "match", "game", 1),
		strings.Replace(whole, "observer 1", "observer north", 1),
		strings.Replace(whole, "observer 1", "observer +1", 1),
		strings.Replace(whole, "observer 1", "observer 99999999999", 1),
		whole + "event 1G\n",
		whole + "event 07\n",
		whole + "receipt 00 00\n",
		whole + "recipe\n",
	} {
		failed[*edgehill.Unverified](t, errorOf(edgehill.ReadTranscript(text)))
	}
}

func TestAKeyThatWasRotatedIsGoodUntilItIsForgotten(t *testing.T) {
	t.Parallel()
	rotated, ctx := startServer(t), t.Context()
	client := connect(t, rotated.address)
	config := botMatch(t, client, "skirmish")
	transcript := seen(t, client, config.MatchId)
	text, first := ok(client.Record(ctx, config.MatchId))(t).Text, ok(client.SigningKey(ctx))(t)
	rotated.rotateKey(t)
	client = connect(t, rotated.address)
	keys := ok(client.SigningKeys(ctx))(t)
	equal(t, [][]byte{keys[0], keys[1]}, [][]byte{ok(client.SigningKey(ctx))(t), first})
	known := edgehill.WithSigningKeys(keys...)
	equal(t, len(ok(edgehill.VerifyRecord(text, known))(t).Unchecked), 2)
	ok(edgehill.VerifyDice(config, ok(client.Get(ctx, config.MatchId))(t).State, text, known))(t)
	// Receipts of both keys in one transcript.
	ok(0, transcript.AddReceipt(ok(client.Receipt(ctx, config.MatchId))(t)))(t)
	equal(t, ok(edgehill.VerifyTranscript(transcript, known))(t).Complete, true)
	for _, key := range keys {
		err := errorOf(edgehill.VerifyTranscript(transcript, edgehill.WithSigningKeys(key)))
		says(t, err, "found the signature of")
	}
	says(t, errorOf(edgehill.VerifyRecord(text, edgehill.WithSigningKeys(keys[0]))), "found that of")
	says(t, errorOf(edgehill.VerifyRecord(text, edgehill.WithSigningKeys())), "signature of a known key")
	rotated.rotateKey(t, "--forget")
	equal(t, ok(connect(t, rotated.address).SigningKeys(ctx))(t), keys[:1])
}

var lastReceipt = regexp.MustCompile(`(?m)^receipt .*\n`)

func TestATranscriptThatWasChangedIsRefused(t *testing.T) {
	client := sharedClient(t)
	text := seen(t, client, botMatch(t, client, "skirmish").MatchId).Text()
	line := lastReceipt.FindString(text)
	flipped := line[:len(line)-2] + map[bool]string{true: "1", false: "0"}[line[len(line)-2] == '0'] + "\n"
	changed := ok(edgehill.ReadTranscript(strings.Replace(text, line, flipped, 1)))(t)
	says(t, errorOf(edgehill.VerifyTranscript(changed)), "is not signed by")
	short := ok(edgehill.ReadTranscript(strings.Replace(text, "receipt ", "receipt 00", 1)))(t)
	says(t, errorOf(edgehill.VerifyTranscript(short)), "is for other events")
}
