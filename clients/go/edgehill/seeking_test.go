package edgehill_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

func TestTwoWhoSeekTheSamePlayEachOther(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	other := connect(t, sharedAddress)
	clock := edgehill.WithClock(&v1.ClockConfig{Bank: durationpb.New(10 * time.Minute)})
	south := client.Seek("skirmish", edgehill.WithSeat(1), clock, edgehill.WithWait(time.Minute))
	counts := pull(t, south.Counts(ctx))
	first := counts.one()
	equal(t, []uint32{first.SameTerms, first.SameGame}, []uint32{1, 1})
	found := ok(other.Seek("skirmish", clock).Paired(ctx))(t)
	ok(0, counts.err())(t)
	paired := ok(south.Paired(ctx))(t) // it is over: nothing is asked any more
	sameMessage(t, south.Result(), paired)
	equal(t, []uint32{paired.Seat, found.Seat}, []uint32{1, 0})
	id := paired.Match.Config.MatchId
	equal(t, found.Match.Config.MatchId, id)
	for _, side := range []struct {
		client *edgehill.Client
		seat   *v1.PairedSeat
	}{{client, paired}, {other, found}} {
		named := edgehill.WithSeat(side.seat.Seat)
		taken := ok(side.client.Join(ctx, id, named, edgehill.WithInvitation(side.seat.Invitation)))(t)
		number, _ := taken.Number()
		equal(t, number, side.seat.Seat)
	}
}

func TestARequestThatWasPairedLeadsToTheSameSeat(t *testing.T) {
	sharedClient(t)
	client, ctx := connect(t, sharedAddress), t.Context()
	mine := edgehill.WithRequestID("mine")
	first := client.Seek("skirmish", mine)
	counts := pull(t, first.Counts(ctx))
	counts.one()
	ok(connect(t, sharedAddress).Seek("skirmish").Paired(ctx))(t)
	ok(0, counts.err())(t)
	again := ok(client.Seek("skirmish", mine).Paired(ctx))(t)
	equal(t, again.Invitation, first.Result().Invitation)
	other := client.Seek("skirmish", mine, edgehill.WithSeat(0))
	refused(t, v1.ErrorReason_ERROR_REASON_REQUEST_ID_REUSED, errorOf(other.Paired(ctx)))
}

func TestASeekThatFindsNobodyExpiresAndOneThatIsLeftIsTakenBack(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	brief := client.Seek("skirmish", edgehill.WithWait(50*time.Millisecond))
	refused(t, v1.ErrorReason_ERROR_REASON_SEEK_EXPIRED, errorOf(brief.Paired(ctx)))
	refused(t, v1.ErrorReason_ERROR_REASON_NO_OPPONENT, errorOf(client.Seek("cruel-necessity").Paired(ctx)))
	left := client.Seek("skirmish", edgehill.WithSeat(0))
	for count, err := range left.Counts(ctx) {
		ok(count, err)(t)
		break
	}
	if left.Result() != nil {
		t.Fatal("nobody was there")
	}
	// Whoever seeks now waits until the seek that was left is gone, and is alone then.
	for count, err := range client.Seek("skirmish", edgehill.WithSeat(0)).Counts(ctx) {
		if ok(count, err)(t).SameTerms == 1 {
			break
		}
	}
}

func TestASeekGoesOnThroughARestart(t *testing.T) {
	t.Parallel()
	behind, ctx := startBehind(t), t.Context()
	seek := behind.client.Seek("skirmish", edgehill.WithSeat(0))
	counts := pull(t, seek.Counts(ctx))
	counts.one()
	behind.restart()
	// The next count is the new server's, where it is the only seek again.
	equal(t, counts.one().SameTerms, 1)
	found := ok(connect(t, behind.relay.address()).Seek("skirmish").Paired(ctx))(t)
	ok(0, counts.err())(t)
	equal(t, []uint32{seek.Result().Seat, found.Seat}, []uint32{0, 1})
	equal(t, found.Match.Config.MatchId, seek.Result().Match.Config.MatchId)
}
