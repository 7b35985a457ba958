package edgehill_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

func TestAddressesAndTokens(t *testing.T) {
	for _, wrong := range []string{
		"ftp://play.example", "http://", "https://play.example/edgehill", "localhost", "localhost:", ":7400",
		"localhost:0", "localhost:99999", "http://localhost:99999", "http://localhost:0", "a b:7400", "", "http://h:",
		"https://play.example?x", "https://me@play.example", "https://play.example#x", "http://[::1",
	} {
		found := failed[*edgehill.InvalidOption](t, errorOf(edgehill.Connect(t.Context(), wrong)))
		if !strings.Contains(found.Error(), "host:port") {
			t.Errorf("%q: %v", wrong, found)
		}
	}
	retry := edgehill.DefaultRetry()
	retry.Connect = time.Millisecond
	for given, origin := range map[string]string{
		"localhost:1": "http://localhost:1", "[::1]:1": "http://[::1]:1", "http://localhost:1/": "http://localhost:1",
		"https://localhost": "https://localhost", "https://localhost:1": "https://localhost:1",
	} {
		_, err := edgehill.Connect(t.Context(), given, edgehill.WithRetry(retry))
		equal(t, failed[*edgehill.ConnectFailed](t, err).URL, origin)
	}
	client := sharedClient(t)
	for _, wrong := range []string{"", "ehs_a b", "ehs_line\n", "ehs_ü"} {
		_, err := client.Seat("match", wrong)
		if found := failed[*edgehill.InvalidOption](t, err); strings.Contains(found.Error(), "ehs_") {
			t.Error("the secret is told")
		}
		failed[*edgehill.InvalidOption](t, errorOf(edgehill.Connect(t.Context(), "localhost:1", edgehill.WithKey(wrong))))
	}
}

func TestCertificatesThatAreNone(t *testing.T) {
	pem := func(what string) []byte { return []byte("-----BEGIN " + what + "-----\n") }
	const url, address = "https://play.example", "play.example:7400"
	for _, wrong := range []struct {
		server string
		option edgehill.ConnectOption
		words  string
	}{
		{url, edgehill.WithCA(nil), "ca holds no certificate"},
		{url, edgehill.WithCA([]byte("none")), "ca holds no certificate"},
		{url, edgehill.WithCertificate(pem("PRIVATE KEY"), pem("PRIVATE KEY")), "cert holds no certificate"},
		{url, edgehill.WithCertificate(pem("CERTIFICATE"), pem("CERTIFICATE")), "certKey holds no private key"},
		{url, edgehill.WithCertificate(pem("CERTIFICATE"), pem("PRIVATE KEY")), "goes with its key"},
		{address, edgehill.WithCA(pem("CERTIFICATE")), "https"},
		{address, edgehill.WithCertificate(nil, nil), "https"},
	} {
		found := failed[*edgehill.InvalidOption](t, errorOf(edgehill.Connect(t.Context(), wrong.server, wrong.option)))
		if !strings.Contains(found.Error(), wrong.words) {
			t.Errorf("%q was expected: %v", wrong.words, found)
		}
	}
}

func TestAReasonOfANewerServerHasANumber(t *testing.T) {
	refusal := &v1.Refusal{}
	ok(0, proto.Unmarshal([]byte{0x08, 0x8f, 0x4e, 0x10, 0x09}, refusal))(t)
	newer := refusedWith(t, refusal)
	equal(t, newer.ReasonName(), "9999")
	equal(t, newer.Code(), codes.FailedPrecondition)
	equal(t, refusedWith(t, &v1.Refusal{Code: 99}).Code(), codes.Unknown)
}

func TestARefusalSaysEverythingOnce(t *testing.T) {
	turn := &v1.RuleViolation{Code: "NOT_YOUR_TURN", Rule: "contract", Text: "seat 1 is to act"}
	one := &v1.Refusal{
		Reason: v1.ErrorReason_ERROR_REASON_NOT_YOUR_TURN, Message: "seat 1 is to act",
		RuleViolations: []*v1.RuleViolation{turn},
	}
	equal(t, refusedWith(t, one).Error(), "NOT_YOUR_TURN: seat 1 is to act")
	two := &v1.Refusal{
		Reason:  v1.ErrorReason_ERROR_REASON_ILLEGAL_ACTION,
		Message: "not legal",
		RuleViolations: []*v1.RuleViolation{
			{Code: "CARD_PICKED", Rule: "2.3", Text: "A card is picked already"}, {Code: "BARE"},
		},
		FieldViolations: []*v1.FieldViolation{{Field: "batch", Description: "too long"}},
	}
	equal(t, refusedWith(t, two).Error(),
		"ILLEGAL_ACTION: not legal; batch: too long; A card is picked already (rule 2.3); BARE")
}

func TestPausesGrowAndRepetitionHasADeadline(t *testing.T) {
	retry := edgehill.RetryPolicy{Deadline: time.Hour, PauseMin: 10 * time.Millisecond, PauseMax: time.Second}
	lost := &edgehill.CallFailed{Code: codes.Unavailable}
	pauses := ok(edgehill.PausesOf(retry, lost, make([]time.Duration, 12)...))(t)
	if pauses[0] > 10*time.Millisecond {
		t.Error(pauses)
	}
	for _, pause := range pauses[8:] {
		if pause < 500*time.Millisecond || pause > time.Second {
			t.Error(pauses)
		}
	}
	is(t, errorOf(edgehill.PausesOf(retry, lost, 0, time.Hour)), lost)
	// After a quiet time as long as the deadline it begins anew.
	pauses = ok(edgehill.PausesOf(retry, lost, 0, 0, 0, 3*time.Hour))(t)
	if pauses[3] > 10*time.Millisecond {
		t.Error(pauses)
	}
	// A call does not, however long its attempts take: a host that is silent is given up.
	slow := edgehill.RetryPolicy{Deadline: time.Second, Attempt: time.Minute, PauseMax: time.Second}
	is(t, errorOf(edgehill.PausesOfCall(slow, lost, 0, time.Minute)), lost)
	is(t, errorOf(edgehill.PausesOf(edgehill.RetryPolicy{}, lost, 0)), lost)
	far := refusedWith(t, &v1.Refusal{
		Code: int32(codes.Unavailable), RetryAfter: durationpb.New(2 * time.Hour),
	})
	is(t, errorOf(edgehill.PausesOf(retry, far, 0)), far)
	if _, again := edgehill.LeastPause(errors.New("something else"), 1); again {
		t.Error("it is none of a call")
	}
}

func TestWordsAreQuotedAsRecordsHaveThem(t *testing.T) {
	equal(t, edgehill.Quoted("J\u00f6rg  \"x\"\\\n\x01 \U0001F3B2"), `"J\u00f6rg \u0020\"x\"\\\n\u0001 \ud83c\udfb2"`)
}

func TestAFoldOfAnEmptyBoard(t *testing.T) {
	piece := &v1.Change{Entry: &v1.Change_Piece{Piece: &v1.Piece{Piece: 2}}}
	gone := &v1.Change{Entry: &v1.Change_PieceGone{PieceGone: 3}}
	draft := &v1.Change{Entry: &v1.Change_Draft{Draft: &v1.DraftChange{Keep: 9, Add: []uint32{4}}}}
	view := ok(edgehill.Fold(&v1.View{}, &v1.Event{Changes: []*v1.Change{piece, gone, draft}}))(t)
	expected := &v1.View{Board: &v1.Board{Pieces: []*v1.Piece{{Piece: 2}}}, Draft: []uint32{4}}
	sameMessage(t, view, expected)
	// Fields of a newer server stay where they are.
	newer := &v1.View{}
	ok(0, proto.Unmarshal([]byte{0xf8, 0x07, 0x01}, newer))(t)
	equal(t, len(ok(edgehill.Fold(newer, &v1.Event{}))(t).ProtoReflect().GetUnknown()), 3)
}
