package edgehill_test

import (
	"errors"
	"iter"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// ok returns a value that has to be there without an error: ok(call())(t).
func ok[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%T: %v", err, err)
		}
		return value
	}
}

// errorOf returns the error of a call whose value nobody needs.
func errorOf[T any](_ T, err error) error { return err }

// refused expects a refusal of this reason, and returns it.
func refused(t testing.TB, reason v1.ErrorReason, err error) *edgehill.Refused {
	t.Helper()
	found := edgehill.RefusedFor(err, reason)
	if found == nil {
		t.Fatalf("%v was expected: %v", reason, err)
	}
	return found
}

// failed expects an error of a type, and returns it.
func failed[E error](t testing.TB, err error) E {
	t.Helper()
	var found E
	if !errors.As(err, &found) {
		t.Fatalf("%T was expected: %v", found, err)
	}
	return found
}

// is expects an error.
func is(t testing.TB, err, expected error) {
	t.Helper()
	if !errors.Is(err, expected) {
		t.Fatalf("%v was expected: %v", expected, err)
	}
}

// equal asserts that two values are the same.
func equal[T any](t testing.TB, found, expected T) {
	t.Helper()
	if !reflect.DeepEqual(found, expected) {
		t.Fatalf("expected %v, found %v", expected, found)
	}
}

// sameMessage asserts that two messages are the same.
func sameMessage(t testing.TB, found, expected proto.Message) {
	t.Helper()
	if !proto.Equal(found, expected) {
		t.Fatalf("expected %s\nfound %s", protojson.Format(expected), protojson.Format(found))
	}
}

// bothSeats takes both seats of a match that begins with this.
func bothSeats(t testing.TB, client *edgehill.Client) (north, south *edgehill.Seat) {
	t.Helper()
	ctx := t.Context()
	created := ok(client.Create(ctx, "skirmish"))(t)
	north = ok(client.Join(ctx, created.Match.Config.MatchId))(t)
	south = ok(client.Join(ctx, created.Match.Config.MatchId))(t)
	return north, south
}

// firstLegal returns the first legal action of a seat that is to act.
func firstLegal(t testing.TB, seat *edgehill.Seat) uint32 {
	t.Helper()
	ids := ok(seat.Legal(t.Context()))(t).LegalActions.Ids
	if len(ids) == 0 {
		t.Fatal("the seat is not to act")
	}
	return ids[0]
}

// pulled reads a stream item by item, and closes it with the test.
type pulled[N any] struct {
	t    testing.TB
	next func() (N, error, bool)
	stop func()
}

func pull[N any](t testing.TB, stream iter.Seq2[N, error]) *pulled[N] {
	t.Helper()
	next, stop := iter.Pull2(stream)
	t.Cleanup(stop)
	return &pulled[N]{t: t, next: next, stop: stop}
}

// one returns the next item, which has to be there.
func (p *pulled[N]) one() N {
	p.t.Helper()
	item, err, isThere := p.next()
	if err != nil || !isThere {
		p.t.Fatalf("the stream has ended: %v", err)
	}
	return item
}

// err returns the error with which the stream ends, behind what is left of it; nil if it ends without.
func (p *pulled[N]) err() error {
	for {
		if _, err, isThere := p.next(); err != nil || !isThere {
			return err
		}
	}
}

// all reads a stream to its end.
func all[N any](t testing.TB, stream iter.Seq2[N, error]) []N {
	t.Helper()
	var items []N
	for item, err := range stream {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

// last returns the last item, which has to be there.
func last[N any](t testing.TB, items []N) N {
	t.Helper()
	if len(items) == 0 {
		t.Fatal("there is nothing")
	}
	return items[len(items)-1]
}

// refusedWith returns the error for a refusal.
func refusedWith(t testing.TB, refusal *v1.Refusal) *edgehill.Refused {
	t.Helper()
	return edgehill.RefusedOf(refusal)
}
