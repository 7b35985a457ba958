package edgehill_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// Nothing that a server may send, and no file that somebody may have written, ends the program: go test -fuzz goes on from these.

func FuzzRecords(f *testing.F) {
	_, example, _ := strings.Cut(fileOf(f, "docs/record.md"), "```edg\n")
	example, _, _ = strings.Cut(example, "```")
	f.Add(example)
	f.Add("edgehill record 2\nreferee 1 time\nend")
	f.Fuzz(func(t *testing.T, text string) {
		// Sealed, so that what is behind the digest is read, too.
		for _, given := range []string{text, resealed("edgehill record 2\n" + text + "\nend ")} {
			check, err := edgehill.VerifyRecord(given, edgehill.WithSigningKeys(make([]byte, 32)))
			if unverified := new(edgehill.Unverified); check == nil && !errors.As(err, &unverified) {
				t.Fatal(err)
			}
			if record, err := edgehill.ReadRecord(given); err == nil {
				state := &v1.MatchState{Reveal: &v1.DiceReveal{}}
				_, _ = edgehill.VerifyDice(&v1.MatchConfig{MatchId: record.Match}, state, given)
			}
		}
	})
}

func FuzzTranscripts(f *testing.F) {
	f.Add(edgehill.NewSeatTranscript("m", 1).Text() + "event 12046361\nreceipt 00 00 00\n")
	f.Fuzz(func(t *testing.T, text string) {
		transcript, err := edgehill.ReadTranscript(text)
		if err != nil {
			return
		}
		_, _ = edgehill.VerifyTranscript(transcript)
		if strings.Contains(transcript.Text(), "event \n") {
			return // an event with nothing in it has no text that is read again; no server sends one
		}
		again := ok(edgehill.ReadTranscript(transcript.Text()))(t)
		equal(t, again.Hash(), transcript.Hash())
	})
}

func FuzzFolds(f *testing.F) {
	view := []byte{0x12, 0x04, 0x0a, 0x02, 0x08, 0x01}
	f.Add(view, []byte{0x08, 0x01, 0x32, 0x04, 0x5a, 0x02, 0x08, 0x09})
	f.Add([]byte{}, ok(base64.StdEncoding.DecodeString("CAISBWRlYWx0GgM1LjQiAggH"))(f))
	f.Fuzz(func(t *testing.T, view, event []byte) {
		start, change := &v1.View{}, &v1.Event{}
		if proto.Unmarshal(view, start) != nil || proto.Unmarshal(event, change) != nil {
			return
		}
		before := proto.CloneOf(start)
		_, err := edgehill.Fold(start, change)
		if err != nil && !errors.Is(err, edgehill.ErrFold) {
			t.Fatal(err)
		}
		sameMessage(t, start, before)
		tracker := edgehill.ViewTracker{View: start}
		_ = tracker.Fold(&v1.SeatUpdate{Seq: change.Seq, Events: []*v1.Event{change}})
	})
}
