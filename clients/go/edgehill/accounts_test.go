package edgehill_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

var keyWord = regexp.MustCompile(`ehk_[^\s"]+`)

// startGuarded starts a server that asks for accounts, and returns it with a key for each role that is named.
func startGuarded(t *testing.T, roles ...string) (*server, []string) {
	t.Helper()
	folder := t.TempDir()
	keyFile, accounts := filepath.Join(folder, "server.key"), filepath.Join(folder, "accounts.toml")
	var keys, lines []string
	for i, role := range roles {
		id := []string{"ada", "ben", "cas"}[i]
		made := ok(exec.Command(serverBinary(), "key", "--account", id, "--role", role, "--key-file", keyFile).Output())(t)
		keys, lines = append(keys, keyWord.FindString(string(made))), append(lines, string(made))
	}
	ok(0, os.WriteFile(accounts, []byte(strings.Join(lines, "\n")), 0o600))(t)
	return startServer(t, "EDGEHILL_KEY_FILE="+keyFile, "EDGEHILL_ACCOUNTS="+accounts), keys
}

func TestAnAccountIsToldHowItsMatchesStandBehindACutAsWell(t *testing.T) {
	t.Parallel()
	guarded, keys := startGuarded(t, "player", "player")
	ctx := t.Context()
	err := errorOf(connect(t, guarded.address).Create(ctx, "skirmish"))
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, err)
	relay := startRelay(t, guarded.address)
	host := connect(t, guarded.address, edgehill.WithKey(keys[0]))
	guest := connect(t, relay.address(), edgehill.WithKey(keys[1]))
	created := ok(host.Create(ctx, "skirmish", edgehill.WithSeats(edgehill.AccountSeat("ben"))))(t)
	id := created.Match.Config.MatchId
	invited := all(t, guest.Matches(ctx, &v1.ListMatchesRequest{Invited: true}))
	equal(t, []any{len(invited), invited[0].Config.MatchId}, []any{1, id})

	watch := guest.WatchAccount("")
	responses := pull(t, watch.Responses(ctx))
	until := func(is func(*v1.WatchedMatch) bool) *v1.WatchAccountResponse {
		t.Helper()
		for {
			response := responses.one()
			if response.Match != nil && response.Match.Match.Config.MatchId == id && is(response.Match) {
				return response
			}
		}
	}
	until(func(match *v1.WatchedMatch) bool { return match.Seats[0].IsInvited })
	north := ok(guest.Join(ctx, id))(t)
	south := ok(host.Join(ctx, id))(t)
	turn := until(func(match *v1.WatchedMatch) bool { return match.Seats[0].ToAct })
	relay.cut()
	ok(south.Resign(ctx))(t)
	until(func(match *v1.WatchedMatch) bool {
		return match.Match.State.Result.GetTermination() == v1.Termination_TERMINATION_RESIGNATION
	})
	if watch.Cursor() == "" || watch.Cursor() == turn.Cursor {
		t.Fatal(watch.Cursor())
	}
	// From the cursor of before, the result comes again.
	later := pull(t, guest.WatchAccount(turn.Cursor).Responses(ctx))
	told := later.one()
	equal(t, told.Match.Match.Config.MatchId, north.MatchID())
	for !told.CaughtUp {
		told = later.one()
	}
}

func TestServicesWithoutCallsOfTheirOwnHaveTheKey(t *testing.T) {
	t.Parallel()
	guarded, keys := startGuarded(t, "operator", "player")
	ctx := t.Context()
	chief := connect(t, guarded.address, edgehill.WithKey(keys[0]))
	admin := v1.NewAdminServiceClient(chief.Conn())
	made := ok(admin.CreateAccount(ctx, &v1.CreateAccountRequest{
		RequestId: "cas", AccountId: "cas", Roles: []v1.AccountRole{v1.AccountRole_ACCOUNT_ROLE_REFEREE},
	}))(t)
	equal(t, made.Account.Id, "cas")
	ben := v1.NewAdminServiceClient(connect(t, guarded.address, edgehill.WithKey(keys[1])).Conn())
	err := errorOf(ben.ListAccounts(ctx, &v1.ListAccountsRequest{}))
	refused(t, v1.ErrorReason_ERROR_REASON_NOT_ALLOWED, err)
	exported := ok(admin.ExportAccountData(ctx, &v1.ExportAccountDataRequest{AccountId: "ada"}))(t)
	if errorOf(exported.Recv()) != nil {
		t.Fatal("nothing is exported")
	}
}

func TestACompetitionFromItsMakingToItsExport(t *testing.T) {
	t.Parallel()
	guarded, keys := startGuarded(t, "referee", "player", "player")
	ctx := t.Context()
	umpire := connect(t, guarded.address, edgehill.WithKey(keys[0]))
	ben := connect(t, guarded.address, edgehill.WithKey(keys[1]))
	format := &v1.CompetitionFormat{Format: &v1.CompetitionFormat_RoundRobin{RoundRobin: &v1.RoundRobinFormat{Cycles: 1}}}
	terms := &v1.CompetitionSettings{
		Name: "Spring cup", Game: "skirmish", Format: format, Policy: &v1.CompetitionPolicy{HouseBots: true},
	}
	made := ok(umpire.CreateCompetition(ctx, terms))(t)
	equal(t, made.IsMine, true)
	equal(t, ok(ben.EnrolEntrant(ctx, made.Id, edgehill.WithName("Countess")))(t).Number, 1)
	bot, rating := edgehill.WithHouseBot("random"), edgehill.WithRating(1500)
	equal(t, ok(umpire.EnrolEntrant(ctx, made.Id, bot, rating))(t).HouseBot, "random")
	third := ok(umpire.EnrolEntrant(ctx, made.Id, edgehill.WithAccountID("cas")))(t)
	ok(umpire.WithdrawEntrant(ctx, made.Id, third.Number))(t)
	refused(t, v1.ErrorReason_ERROR_REASON_NOT_ALLOWED, errorOf(ben.StartCompetition(ctx, made.Id)))
	equal(t, ok(umpire.StartCompetition(ctx, made.Id))(t).Phase, v1.CompetitionPhase_COMPETITION_PHASE_RUNNING)
	for response, err := range ben.WatchAccount("").Responses(ctx) {
		if match := ok(response, err)(t).Match; match != nil {
			place := match.Match.Config.Competition
			equal(t, []string{place.CompetitionId, place.Slot}, []string{made.Id, "1.1.1"})
			ok(ok(ben.Join(ctx, match.Match.Config.MatchId))(t).Resign(ctx))(t)
			break
		}
	}
	watch, events := umpire.WatchCompetition(made.Id, 0), uint64(0)
	var end *v1.Competition
	for response, err := range watch.Responses(ctx) {
		for _, event := range ok(response, err)(t).Events {
			events++
			equal(t, event.Number, events)
		}
		end = response.Competition
	}
	equal(t, end.Phase, v1.CompetitionPhase_COMPETITION_PHASE_FINISHED)
	equal(t, []uint64{watch.LastEvent(), end.LastEvent}, []uint64{events, events})
	equal(t, ok(umpire.Competition(ctx, made.Id))(t).Competition.Phase, end.Phase)
	rows := ok(umpire.Standings(ctx, made.Id, 1))(t)
	equal(t, []string{rows.Rows[0].Name, rows.Rows[1].Name}, []string{"random", "Countess"})
	equal(t, rows.CrossTable[0].Entrant, 2)
	encounters := ok(umpire.Encounters(ctx, made.Id, 1))(t)
	equal(t, encounters[0].Matches[0].Verdict.Kind, v1.VerdictKind_VERDICT_KIND_LOSS)
	document := ok(umpire.ExportCompetition(ctx, made.Id, v1.CompetitionExport_COMPETITION_EXPORT_JSON))(t)
	equal(t, json.Valid([]byte(document)), true)
	err := errorOf(umpire.VoidCompetitionMatch(ctx, made.Id, "1.1.1", "the bell rang", true))
	refused(t, v1.ErrorReason_ERROR_REASON_COMPETITION_PHASE, err)

	other := ok(umpire.CreateCompetition(ctx, terms, edgehill.WithRequestID("other")))(t)
	equal(t, ok(umpire.CreateCompetition(ctx, terms, edgehill.WithRequestID("other")))(t).Id, other.Id)
	enrolled := ok(umpire.EnrolEntrant(ctx, other.Id, edgehill.WithHouseBot("random"), edgehill.WithName("a")))(t)
	gone := ok(umpire.DisqualifyEntrant(ctx, other.Id, enrolled.Number, "it was asked to"))(t)
	equal(t, gone.Name, "a")
	equal(t, ok(umpire.CancelCompetition(ctx, other.Id, "rain"))(t).CancelReason, "rain")
	listed := ok(umpire.Competitions(ctx, v1.CompetitionPhase_COMPETITION_PHASE_UNSPECIFIED))(t)
	equal(t, []string{listed[0].Id, listed[1].Id}, []string{other.Id, made.Id})
}
