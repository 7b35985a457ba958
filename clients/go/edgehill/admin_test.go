package edgehill_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

const player = v1.AccountRole_ACCOUNT_ROLE_PLAYER

// guardedClients starts a server that asks for accounts, and returns it with a client of ada, an operator; of ben, a player; and of
// cas, a referee.
func guardedClients(t *testing.T) (guarded *server, chief, ben, umpire *edgehill.Client) {
	t.Helper()
	guarded, keys := startGuarded(t, "operator", "player", "referee")
	chief = connect(t, guarded.address, edgehill.WithKey(keys[0]))
	ben = connect(t, guarded.address, edgehill.WithKey(keys[1]))
	return guarded, chief, ben, connect(t, guarded.address, edgehill.WithKey(keys[2]))
}

func kindsOf(acts []*v1.Act) []v1.ActKind {
	var kinds []v1.ActKind
	for _, act := range acts {
		kinds = append(kinds, act.Kind)
	}
	return kinds
}

func TestAnAccountHasKeysThatEndAndIsErased(t *testing.T) {
	t.Parallel()
	guarded, chief, _, _ := guardedClients(t)
	ctx, admin := t.Context(), chief.Admin()
	roles := []v1.AccountRole{player}
	made := ok(admin.CreateAccount(ctx, "dan", roles))(t)
	equal(t, []any{made.Id, made.Source, len(made.Keys)}, []any{"dan", v1.AccountSource_ACCOUNT_SOURCE_STORE, 0})
	refused(t, v1.ErrorReason_ERROR_REASON_ACCOUNT_EXISTS, errorOf(admin.CreateAccount(ctx, "dan", roles)))
	expires := time.Now().Add(24 * time.Hour).Truncate(time.Second)
	first := ok(admin.CreateAccountKey(ctx, "dan", edgehill.WithLabel("laptop"), edgehill.WithExpires(expires)))(t)
	equal(t, []any{first.AccountKey.Number, first.AccountKey.Label}, []any{uint32(1), "laptop"})
	equal(t, first.AccountKey.ExpireTime.AsTime().Unix(), expires.Unix())
	dan := connect(t, guarded.address, edgehill.WithKey(first.Key))
	ok(dan.Create(ctx, "skirmish"))(t)
	for _, err := range dan.Admin().Accounts(ctx) {
		refused(t, v1.ErrorReason_ERROR_REASON_NOT_ALLOWED, err)
	}
	refused(t, v1.ErrorReason_ERROR_REASON_NOT_ALLOWED, errorOf(dan.Referee().VoidMatch(ctx, "any", "a fire")))
	second := ok(admin.RotateAccountKey(ctx, "dan", 1, edgehill.WithOverlap(time.Hour)))(t)
	ok(dan.Create(ctx, "skirmish"))(t)
	if ok(admin.RevokeAccountKey(ctx, "dan", 1))(t).RevokeTime == nil {
		t.Fatal("the key goes on")
	}
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, errorOf(dan.Create(ctx, "skirmish")))
	refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_ACCOUNT_KEY, errorOf(admin.RevokeAccountKey(ctx, "dan", 9)))
	equal(t, ok(admin.UpdateAccount(ctx, "dan", edgehill.WithSuspended(true)))(t).IsSuspended, true)
	failed[*edgehill.Refused](t, errorOf(connect(t, guarded.address, edgehill.WithKey(second.Key)).Create(ctx, "skirmish")))
	spectator := v1.AccountRole_ACCOUNT_ROLE_SPECTATOR
	changed := ok(admin.UpdateAccount(ctx, "dan", edgehill.WithRoles(spectator)))(t)
	equal(t, []any{changed.Roles, changed.IsSuspended}, []any{[]v1.AccountRole{spectator}, true})
	streams := uint32(3)
	set := ok(admin.SetAccountQuota(ctx, "dan", &v1.AccountQuota{Streams: &streams}))(t)
	equal(t, set.Quota.GetStreams(), 3)
	equal(t, len(ok(admin.Account(ctx, "dan"))(t).Keys), 2)
	refused(t, v1.ErrorReason_ERROR_REASON_ACCOUNT_IN_FILE, admin.DeleteAccount(ctx, "ben"))
	refused(t, v1.ErrorReason_ERROR_REASON_ACCOUNT_NOT_DELETED, errorOf(admin.EraseAccountData(ctx, "dan")))
	ok(0, admin.DeleteAccount(ctx, "dan"))(t)
	refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_ACCOUNT, errorOf(admin.Account(ctx, "dan")))

	parts := all(t, admin.ExportAccountData(ctx, "dan"))
	equal(t, parts[0].GetAccount().GetIsDeleted(), true)
	var acts []*v1.Act
	created := 0
	for _, part := range parts {
		if part.GetAct() != nil {
			acts = append(acts, part.GetAct())
		}
		if part.GetAccountMatch().GetIsCreator() {
			created++
		}
	}
	equal(t, created, 2)
	equal(t, kindsOf(all(t, admin.Acts(ctx, "dan")))[:len(acts)], kindsOf(acts))
	for _, err := range admin.ExportAccountData(ctx, "nobody") {
		refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_ACCOUNT, err)
	}
	erased := ok(admin.EraseAccountData(ctx, "dan"))(t)
	// Two matches wait for their seats, and were made by the account.
	equal(t, []uint32{erased.WaitingMatches, erased.UnreadableMatches}, []uint32{2, 0})
	kinds := kindsOf(all(t, admin.Acts(ctx, erased.Pseudonym)))
	equal(t, []v1.ActKind{kinds[0], kinds[len(kinds)-1]},
		[]v1.ActKind{v1.ActKind_ACT_KIND_ACCOUNT_CREATED, v1.ActKind_ACT_KIND_DATA_ERASED})
}

func TestListsAreReadOverTheirPagesAndARepeatedCallMakesTheSameKey(t *testing.T) {
	t.Parallel()
	_, chief, _, _ := guardedClients(t)
	ctx, admin := t.Context(), chief.Admin()
	for number := range 101 {
		ok(admin.CreateAccount(ctx, fmt.Sprintf("p%d", number), []v1.AccountRole{player}))(t)
	}
	one, scopes := edgehill.WithRequestID("one"), edgehill.WithScopes(player)
	made := ok(admin.CreateAccountKey(ctx, "p0", one, scopes))(t)
	sameMessage(t, ok(admin.CreateAccountKey(ctx, "p0", one, scopes))(t), made)
	about := all(t, admin.Acts(ctx, "p0"))
	equal(t, about[len(about)-1].RequestId, "one")
	equal(t, len(all(t, admin.Accounts(ctx))), 104)
	acts := all(t, admin.Acts(ctx, ""))
	equal(t, len(acts), 102)
	for place, act := range acts {
		equal(t, act.Number, uint64(place+1))
	}
	// No more is asked for than is read.
	for first, err := range admin.Accounts(ctx) {
		equal(t, ok(first, err)(t).Id, "ada")
		break
	}
}

func TestAPlayerIsReplacedAndAResultCorrected(t *testing.T) {
	t.Parallel()
	_, _, ben, umpire := guardedClients(t)
	ctx, referee := t.Context(), umpire.Referee()
	id := ok(ben.Create(ctx, "skirmish"))(t).Match.Config.MatchId
	ok(ben.Join(ctx, id, edgehill.WithPlayer("Ann")))(t)
	south := ok(ben.Join(ctx, id, edgehill.WithPlayer("Ben")))(t)
	reason := edgehill.WithReason("ill")
	refused(t, v1.ErrorReason_ERROR_REASON_NO_CLOCKS, errorOf(referee.AddMatchTime(ctx, id, 0, 5*time.Minute, reason)))
	refused(t, v1.ErrorReason_ERROR_REASON_NO_CLOCKS, errorOf(referee.AdjournMatch(ctx, id, time.Minute)))
	nowhere := "00000000-0000-0000-0000-000000000000"
	refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_MATCH, errorOf(referee.EndAdjournment(ctx, nowhere)))
	early := errorOf(referee.CorrectMatchResult(ctx, id, []int32{0, 0}, "too soon"))
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_RUNNING, early)
	opened := ok(referee.ReplaceMatchPlayer(ctx, id, 1, edgehill.WithPlayer("Cat"), reason))(t)
	equal(t, opened.Match.State.Seats[1].Joined, false)
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, errorOf(south.Resign(ctx)))
	cat := ok(ben.Join(ctx, id, edgehill.WithInvitation(opened.Invitation)))(t)
	ok(cat.Resign(ctx))(t)
	state := ok(referee.CorrectMatchResult(ctx, id, []int32{0, 0}, "they had agreed on a draw"))(t).State
	equal(t, [][]int32{state.Result.Returns, state.CorrectedReturns}, [][]int32{{1, -1}, {0, 0}})
	var kinds []string
	for _, act := range ok(edgehill.VerifyRecord(ok(ben.Record(ctx, id))(t).Text))(t).Record.RefereeActs {
		kinds = append(kinds, act.Kind)
	}
	equal(t, kinds, []string{"replaced", "corrected"})
}

func TestTimeIsAddedAMatchAdjournedAndVoided(t *testing.T) {
	t.Parallel()
	_, chief, ben, umpire := guardedClients(t)
	ctx, referee := t.Context(), umpire.Referee()
	clock := edgehill.WithClock(&v1.ClockConfig{Bank: durationpb.New(10 * time.Minute)})
	id := ok(ben.Create(ctx, "skirmish", clock))(t).Match.Config.MatchId
	north := ok(ben.Join(ctx, id))(t)
	ok(ben.Join(ctx, id))(t)
	for range 2 {
		// It happens once.
		bell := edgehill.WithRequestID("bell")
		state := ok(referee.AddMatchTime(ctx, id, 0, time.Hour, edgehill.WithReason("the bell rang"), bell))(t).State
		equal(t, state.Clocks[0].Bank.AsDuration(), 70*time.Minute)
	}
	refused(t, v1.ErrorReason_ERROR_REASON_NOT_ADJOURNED, errorOf(referee.EndAdjournment(ctx, id)))
	adjourned := ok(referee.AdjournMatch(ctx, id, time.Minute, edgehill.WithReason("a fire")))(t)
	equal(t, adjourned.State.Adjournment.ByReferee, true)
	refused(t, v1.ErrorReason_ERROR_REASON_ADJOURNED, errorOf(north.Resume(ctx)))
	if ok(referee.EndAdjournment(ctx, id))(t).State.Adjournment != nil {
		t.Fatal("the match does not go on")
	}
	voided := ok(referee.VoidMatch(ctx, id, "a fire"))(t)
	equal(t, voided.State.Result.Termination, v1.Termination_TERMINATION_VOID)
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_FINISHED, errorOf(referee.VoidMatch(ctx, id, "a fire")))
	equal(t, kindsOf(all(t, chief.Admin().Acts(ctx, "cas"))), []v1.ActKind{
		v1.ActKind_ACT_KIND_TIME_ADDED, v1.ActKind_ACT_KIND_MATCH_ADJOURNED, v1.ActKind_ACT_KIND_ADJOURNMENT_ENDED,
		v1.ActKind_ACT_KIND_MATCH_VOIDED,
	})
}

// lossy is a server whose streams of an account's data are lost: the first before, the second behind its first part.
type lossy struct {
	v1.UnimplementedAdminServiceServer
	opened int
}

func (l *lossy) ExportAccountData(
	_ *v1.ExportAccountDataRequest, stream grpc.ServerStreamingServer[v1.ExportAccountDataResponse],
) error {
	l.opened++
	if l.opened > 1 {
		part := &v1.ExportAccountDataResponse_Account{Account: &v1.Account{Id: "dan"}}
		if err := stream.Send(&v1.ExportAccountDataResponse{Part: part}); err != nil {
			return err
		}
	}
	return status.Error(codes.Unavailable, "the connection is lost")
}

func TestAnAccountsDataIsAskedForAnewOnceTheStreamIsLost(t *testing.T) {
	served := &lossy{}
	client, _ := clientOf(t, &fake{t: t}, func(host *grpc.Server) { v1.RegisterAdminServiceServer(host, served) })
	parts := pull(t, client.Admin().ExportAccountData(t.Context(), "dan"))
	equal(t, parts.one().GetAccount().GetId(), "dan")
	equal(t, failed[*edgehill.CallFailed](t, parts.err()).Code, codes.Unavailable)
	equal(t, served.opened, 2)
	given, giveUp := context.WithCancelCause(t.Context())
	reason := errors.New("not needed any more")
	giveUp(reason)
	is(t, pull(t, client.Admin().ExportAccountData(given, "dan")).err(), reason)
}
