package edgehill_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/dice"
	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

func TestTheCatalogue(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	games := ok(client.Games(ctx))(t)
	place := slices.IndexFunc(games, func(game *v1.GameSummary) bool { return game.Id == "skirmish" })
	bare := ok(client.Game(ctx, "skirmish"))(t)
	sameMessage(t, bare.Summary, games[place])
	equal(t, len(bare.Rules), 0)
	if len(ok(client.Game(ctx, "skirmish", edgehill.WithIncludeRules()))(t).Rules) == 0 {
		t.Fatal("there is no ledger")
	}
	limits := ok(client.Limits(ctx))(t)
	equal(t, limits[v1.LimitName_LIMIT_NAME_LIST_ACTIONS], 256)
	equal(t, len(limits), len(v1.LimitName_name)-1)
	key := ok(client.SigningKey(ctx))(t)
	equal(t, len(key), 32)
	equal(t, ok(client.SigningKeys(ctx))(t), [][]byte{key})
	refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_GAME, errorOf(client.Game(ctx, "chess")))
}

func TestTheActionTableIsWhole(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	game := ok(client.Game(ctx, "skirmish"))(t)
	table := ok(client.ActionDefs(ctx, "skirmish", edgehill.WithContentHash(game.Summary.Rules.ContentHash)))(t)
	equal(t, len(table), int(game.ActionCount))
	for id, entry := range table {
		equal(t, int(entry.Id), id)
	}
	north, _ := bothSeats(t, client)
	legal := ok(north.Legal(ctx, edgehill.WithDetail(v1.LegalDetail_LEGAL_DETAIL_NOTATION)))(t).LegalActions
	first := table[legal.Ids[0]]
	equal(t, first.Notation, legal.Notations[0])
	// Entries of the table are actions, too.
	taken := ok(north.Apply(ctx, edgehill.Entries(first), edgehill.WithResponse(edgehill.Full())))(t)
	equal(t, taken.View.Draft, []uint32{first.Id})
}

func TestAListGoesThroughAllPages(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	var made []string
	for range 7 {
		made = append(made, ok(client.Create(ctx, "skirmish"))(t).Match.Config.MatchId)
	}
	query := &v1.ListMatchesRequest{
		Game: "skirmish", Statuses: []v1.MatchStatus{v1.MatchStatus_MATCH_STATUS_WAITING}, PageSize: 3,
	}
	var found []string
	for _, match := range all(t, client.Matches(ctx, query)) {
		if slices.Contains(made, match.Config.MatchId) {
			found = append(found, match.Config.MatchId)
		}
	}
	slices.Reverse(found)
	equal(t, found, made)
	for match, err := range client.Matches(ctx, nil) {
		ok(match, err)(t)
		break // the loop may be left
	}
	wrong := pull(t, client.Matches(ctx, &v1.ListMatchesRequest{PageSize: 100_000}))
	refused(t, v1.ErrorReason_ERROR_REASON_INVALID_FIELD, wrong.err())
}

func TestRefusalsAreTyped(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	unknown := refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_GAME, errorOf(client.Create(ctx, "chess")))
	equal(t, unknown.Code(), codes.NotFound)
	equal(t, status.Code(unknown), codes.NotFound)
	equal(t, len(status.Convert(unknown).Details()), 1)
	seats := edgehill.WithSeats(edgehill.OpenSeat(), edgehill.HouseBot("clever"))
	bot := refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_BOT, errorOf(client.Create(ctx, "skirmish", seats)))
	equal(t, bot.FieldViolations()[0].Field, "seats[1].bot")
	if !strings.Contains(bot.Error(), "random") {
		t.Fatal(bot)
	}

	north, _ := bothSeats(t, client)
	card := firstLegal(t, north)
	seq := ok(north.Apply(ctx, edgehill.IDs(card)))(t).Seq
	illegal := refused(t, v1.ErrorReason_ERROR_REASON_ILLEGAL_ACTION, errorOf(north.Apply(ctx, edgehill.IDs(card))))
	violation := illegal.RuleViolations()[0]
	index, isNamed := illegal.Index()
	equal(t, []any{index, isNamed, violation.Code, violation.Rule}, []any{0, true, "CARD_PICKED", "2.3"})
	if !strings.Contains(illegal.Error(), violation.Text) {
		t.Fatal(illegal)
	}
	late := errorOf(north.Apply(ctx, edgehill.Line("done"), edgehill.WithExpectedSeq(seq-1)))
	stale := refused(t, v1.ErrorReason_ERROR_REASON_STALE_SEQUENCE, late)
	found, isNamed := stale.Seq()
	equal(t, []any{found, isNamed}, []any{seq, true})
	if _, waits := stale.RetryAfter(); waits {
		t.Fatal("to repeat it is of no use")
	}
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_RUNNING, errorOf(client.Record(ctx, north.MatchID())))
	nobody := ok(client.Seat(north.MatchID(), "ehs_nothing"))(t)
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, errorOf(nobody.View(ctx)))
	refused(t, v1.ErrorReason_ERROR_REASON_UNSUPPORTED_MOMENT, errorOf(north.View(ctx, edgehill.WithAtSeq(seq))))
	account := pull(t, client.WatchAccount("").Responses(ctx))
	refused(t, v1.ErrorReason_ERROR_REASON_NO_ACCOUNTS, account.err())
	if refusal := edgehill.RefusedFor(late, v1.ErrorReason_ERROR_REASON_BAD_TOKEN); refusal != nil {
		t.Fatal(refusal)
	}
}

func TestASeatCallByCall(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	full := edgehill.WithDetail(v1.LegalDetail_LEGAL_DETAIL_FULL)
	legal := ok(north.Legal(ctx, full))(t)
	equal(t, legal.ToAct, true)
	first, second := legal.LegalActions.Actions[0], legal.LegalActions.Actions[1]
	filtered := ok(north.Legal(ctx, edgehill.WithVerbs(first.Verb), edgehill.WithRefs(first.Refs...)))(t)
	equal(t, filtered.LegalActions.Ids, []uint32{first.Id})
	whole := edgehill.WithResponse(edgehill.Full())
	structure := &v1.ActionStructure{Verb: first.Verb, Refs: first.Refs}
	taken := ok(north.Apply(ctx, edgehill.Structures(structure), whole))(t)
	equal(t, taken.View.Draft, []uint32{first.Id})
	equal(t, taken.ApplyResult.Actions, 1)
	equal(t, taken.Events[0].Seq, taken.Seq)
	other := &v1.ActionStructure{Verb: second.Verb, Refs: second.Refs}
	given := []*v1.Action{edgehill.ActionID(second.Id), edgehill.Notation(second.Notation), edgehill.Structure(other)}
	for _, action := range given {
		explained := ok(north.Explain(ctx, action))(t)
		equal(t, explained.Legal, false)
		equal(t, explained.RuleViolations[0].Code, "CARD_PICKED")
	}
	keepNone := edgehill.WithKeepDraftActions(0)
	equal(t, ok(north.Apply(ctx, edgehill.Entries(second), keepNone, whole))(t).View.Draft, []uint32{second.Id})
	equal(t, ok(north.Undo(ctx))(t).ApplyResult.Actions, 1)
	equal(t, ok(north.Apply(ctx, edgehill.Notations(first.Notation)))(t).ApplyResult.Actions, 1)
	equal(t, ok(north.Undo(ctx, keepNone, whole))(t).View.Draft, nil)
	line := edgehill.Line(first.Notation + "; done; " + second.Notation)
	until := ok(north.Apply(ctx, line, edgehill.WithUntilReveal()))(t).ApplyResult
	equal(t, []any{until.Actions, until.Line}, []any{uint32(2), first.Notation + "; done"})
	// The same id and the same call: the same outcome. The same id and another call: refused.
	card, mine := edgehill.IDs(firstLegal(t, south)), edgehill.WithRequestID("mine")
	for range 2 {
		equal(t, ok(south.Apply(ctx, card, mine))(t).ApplyResult.Actions, 1)
	}
	reused := errorOf(south.Apply(ctx, edgehill.Line("done"), mine))
	refused(t, v1.ErrorReason_ERROR_REASON_REQUEST_ID_REUSED, reused)
	sameMessage(t, ok(north.SpectatorView(ctx))(t).View, ok(client.View(ctx, north.MatchID()))(t).View)
	none := ok(north.Legal(ctx))(t)
	equal(t, []any{none.ToAct, len(none.LegalActions.Ids)}, []any{false, 0})
	if strings.Contains(north.String(), north.Token()) || north.String() != "seat 0 of match "+north.MatchID() {
		t.Fatal(north)
	}
	again := ok(client.Seat(north.MatchID(), north.Token()))(t)
	if _, isKnown := again.Number(); isKnown || again.String() != "a seat of match "+north.MatchID() {
		t.Fatal(again)
	}
	equal(t, north.Joined().Seat, 0)
}

func TestUpdatesOfCallsAreFolded(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	var tracker edgehill.ViewTracker
	tracker.Look(ok(north.View(ctx))(t))
	events := edgehill.WithResponse(&v1.ResponseOptions{IncludeEvents: true})
	card := edgehill.IDs(firstLegal(t, north))
	fold := func(update *v1.SeatUpdate, err error) {
		t.Helper()
		ok(0, tracker.Fold(ok(update, err)(t)))(t)
	}
	for range 2 {
		fold(north.Apply(ctx, card, edgehill.WithExpectedSeq(tracker.Seq), events))
		fold(north.Undo(ctx, edgehill.WithExpectedSeq(tracker.Seq), events))
	}
	before := tracker.View
	fold(north.Apply(ctx, card, edgehill.WithExpectedSeq(tracker.Seq), events))
	equal(t, len(before.Draft), 0) // a view that was given out stays as it is
	equal(t, len(tracker.View.Draft), 1)
	fold(north.Apply(ctx, edgehill.Line("done"), edgehill.WithExpectedSeq(tracker.Seq), events))
	now := ok(north.View(ctx))(t)
	sameMessage(t, tracker.View, now.View)
	equal(t, []any{tracker.Seq, tracker.ToAct}, []any{now.Seq, false})
	fold(south.Resign(ctx))
}

func TestDrawsAndStandingPasses(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	pass := &v1.StandingPass{Window: "interception", Scope: v1.PassScope_PASS_SCOPE_ALWAYS}
	ok(north.SetStandingPasses(ctx, []*v1.StandingPass{pass}))(t)
	equal(t, ok(north.View(ctx))(t).StandingPasses[0].Window, "interception")
	equal(t, len(ok(south.View(ctx))(t).StandingPasses), 0)
	refused(t, v1.ErrorReason_ERROR_REASON_NO_OFFER, errorOf(south.AcceptDraw(ctx)))
	refused(t, v1.ErrorReason_ERROR_REASON_NO_OFFER, errorOf(south.DeclineDraw(ctx)))
	equal(t, ok(north.OfferDraw(ctx))(t).State.DrawOffers, []uint32{0})
	equal(t, len(ok(south.DeclineDraw(ctx))(t).State.DrawOffers), 0)
	ok(north.OfferDraw(ctx))(t)
	equal(t, ok(south.AcceptDraw(ctx))(t).Status, v1.MatchStatus_MATCH_STATUS_FINISHED)
	result := ok(client.Get(ctx, north.MatchID()))(t).State.Result
	equal(t, []any{result.Returns, result.Termination}, []any{[]int32{0, 0}, v1.Termination_TERMINATION_AGREEMENT})
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_FINISHED, errorOf(north.Resign(ctx)))
}

func TestSeatsAndMatchesAreTakenBack(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	created := ok(client.Create(ctx, "skirmish"))(t)
	id, token := created.Match.Config.MatchId, edgehill.WithCreatorToken(created.CreatorToken)
	north := ok(client.Join(ctx, id, edgehill.WithPlayer("Ann")))(t)
	equal(t, ok(north.Leave(ctx))(t).State.Seats[0].Joined, false)
	refused(t, v1.ErrorReason_ERROR_REASON_BAD_TOKEN, errorOf(north.View(ctx)))
	number, _ := ok(client.Join(ctx, id, edgehill.WithSeat(0)))(t).Number()
	equal(t, number, 0)
	south := ok(client.Join(ctx, id))(t)
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_STARTED, errorOf(south.Leave(ctx)))
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_STARTED, errorOf(client.Abort(ctx, id, token)))

	created = ok(client.Create(ctx, "skirmish"))(t)
	id, token = created.Match.Config.MatchId, edgehill.WithCreatorToken(created.CreatorToken)
	watch := pull(t, client.WatchMatch(id).Updates(ctx))
	equal(t, watch.one().State.Status, v1.MatchStatus_MATCH_STATUS_WAITING)
	equal(t, ok(client.Abort(ctx, id, token))(t).State.Status, v1.MatchStatus_MATCH_STATUS_ABORTED)
	equal(t, watch.one().State.Status, v1.MatchStatus_MATCH_STATUS_ABORTED)
	ok(0, watch.err())(t)
}

func TestEntropyGivenChosenAndCommittedTo(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	mine := make([]byte, 32)
	mine[0] = 7
	id := ok(client.Create(ctx, "skirmish"))(t).Match.Config.MatchId
	equal(t, ok(client.Join(ctx, id, edgehill.WithEntropy(mine)))(t).Entropy(), mine)
	equal(t, len(ok(client.Join(ctx, id, edgehill.WithEntropy(nil)))(t).Entropy()), 0)
	given := ok(client.Get(ctx, id))(t).State.Seats
	equal(t, given[0].Entropy, v1.EntropyState_ENTROPY_STATE_GIVEN)
	equal(t, given[1].Entropy, v1.EntropyState_ENTROPY_STATE_ABSENT)

	chosen := ok(client.Create(ctx, "skirmish", edgehill.WithChosenSeed(mine)))(t).Match.Config
	equal(t, chosen.Dice.Origin, v1.SeedOrigin_SEED_ORIGIN_CHOSEN)
	equal(t, len(ok(client.Join(ctx, chosen.MatchId))(t).Entropy()), 0)
	rest := ok(client.Join(ctx, chosen.MatchId))(t)
	ok(rest.Resign(ctx))(t)
	state := ok(client.Get(ctx, chosen.MatchId))(t).State
	text := ok(client.Record(ctx, chosen.MatchId))(t).Text
	equal(t, ok(edgehill.VerifyDice(chosen, state, text))(t).Seed, mine)

	commits := edgehill.WithEntropyMode(v1.EntropyMode_ENTROPY_MODE_COMMIT_REVEAL)
	seats := edgehill.WithSeats(edgehill.OpenSeat(), edgehill.InvitedSeat())
	created := ok(client.Create(ctx, "skirmish", commits, seats))(t)
	id = created.Match.Config.MatchId
	invitation := edgehill.WithInvitation(created.Invitations[0].Invitation)
	unnamed := failed[*edgehill.InvalidOption](t, errorOf(client.Join(ctx, id, invitation)))
	if !strings.Contains(unnamed.Error(), "name it with WithSeat") {
		t.Fatal(unnamed)
	}
	both := []*edgehill.Seat{ok(client.Join(ctx, id))(t), ok(client.Join(ctx, id, invitation, edgehill.WithSeat(1)))(t)}
	state = ok(client.Get(ctx, id))(t).State
	equal(t, state.Status, v1.MatchStatus_MATCH_STATUS_REVEALING)
	for number, seat := range both {
		bound := dice.EntropyCommitment(id, uint32(number), seat.Entropy())
		equal(t, state.Seats[number].EntropyCommitment, bound)
	}
	ok(both[0].RevealEntropy(ctx))(t)
	revealed := ok(both[1].RevealEntropy(ctx, edgehill.WithResponse(edgehill.Full())))(t)
	equal(t, revealed.Update.ToAct, true)
}

func TestAMirroredPairAndAMatchBesideItAreMadeInOneCall(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	plans := []*v1.MatchPlan{
		edgehill.MatchPlan("skirmish", edgehill.WithGroupPlace(0, 0, 1)),
		edgehill.MatchPlan("skirmish", edgehill.WithGroupPlace(0, 1, 0)),
		edgehill.MatchPlan("english-civil-war-iia", edgehill.WithOptions(map[string]any{"max_seasons": 3}),
			edgehill.WithSeats(edgehill.InvitedSeat())),
	}
	groups, mine := edgehill.WithGroups(2), edgehill.WithRequestID("pairings-1")
	made := ok(client.CreateAll(ctx, plans, groups, mine))(t)
	equal(t, made[0].Match.Config.Dice.Commitment, made[1].Match.Config.Dice.Commitment)
	options := made[2].Match.Config.Options
	place := slices.IndexFunc(options, func(option *v1.OptionValue) bool { return option.Id == "max_seasons" })
	equal(t, options[place].Value, "3")
	equal(t, []int{len(made[0].Invitations), len(made[2].Invitations)}, []int{0, 1})
	again := ok(client.CreateAll(ctx, plans, groups, mine))(t)
	equal(t, len(again), len(made))
	for i := range made {
		sameMessage(t, again[i], made[i])
	}
	clever := edgehill.MatchPlan("skirmish", edgehill.WithSeats(edgehill.HouseBot("clever")))
	err := errorOf(client.CreateAll(ctx, []*v1.MatchPlan{clever}))
	equal(t, refused(t, v1.ErrorReason_ERROR_REASON_UNKNOWN_BOT, err).FieldViolations()[0].Field, "matches[0].seats[0].bot")
}

func TestARematchHasTheSidesSwapped(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	north, south := bothSeats(t, client)
	refused(t, v1.ErrorReason_ERROR_REASON_MATCH_RUNNING, errorOf(north.Rematch(ctx)))
	ok(north.Resign(ctx))(t)
	offered := []*v1.RematchMatchResponse{ok(south.Rematch(ctx))(t), ok(north.Rematch(ctx))(t)}
	id := offered[0].Match.Config.MatchId
	for number, offer := range offered {
		equal(t, []any{int(offer.Seat), offer.Match.Config.MatchId}, []any{number, id})
		ok(client.Join(ctx, id, edgehill.WithSeat(offer.Seat), edgehill.WithInvitation(offer.Invitation)))(t)
	}
	equal(t, ok(client.Get(ctx, id))(t).State.Status, v1.MatchStatus_MATCH_STATUS_RUNNING)
}

func TestClocksAndAdjournments(t *testing.T) {
	client, ctx := sharedClient(t), t.Context()
	clock := &v1.ClockConfig{Bank: durationpb.New(10 * time.Minute), Increment: durationpb.New(5 * time.Second)}
	id := ok(client.Create(ctx, "skirmish", edgehill.WithClock(clock)))(t).Match.Config.MatchId
	north, south := ok(client.Join(ctx, id))(t), ok(client.Join(ctx, id))(t)
	applied := ok(north.Apply(ctx, edgehill.IDs(firstLegal(t, north))))(t)
	if applied.TimeLeft.Left.AsDuration() < 5*time.Minute {
		t.Fatal(applied.TimeLeft)
	}
	equal(t, len(ok(north.OfferAdjournment(ctx, 8*time.Hour))(t).State.AdjournmentOffers), 1)
	equal(t, len(ok(south.DeclineAdjournment(ctx))(t).State.AdjournmentOffers), 0)
	ok(north.OfferAdjournment(ctx, 8*time.Hour))(t)
	adjourned := ok(south.AcceptAdjournment(ctx, edgehill.WithAdjournFor(time.Hour)))(t).State.Adjournment
	equal(t, adjourned.ResumeTime.AsTime().Sub(adjourned.AdjournTime.AsTime()), time.Hour)
	refused(t, v1.ErrorReason_ERROR_REASON_ADJOURNED, errorOf(north.Apply(ctx, edgehill.Line("done"))))
	equal(t, ok(north.Resume(ctx))(t).State.Adjournment.ResumeRequests, []uint32{0})
	if ok(south.Resume(ctx))(t).State.Adjournment != nil {
		t.Fatal("the match does not go on")
	}
	ok(north.Apply(ctx, edgehill.Line("done")))(t)
}

func TestACallThatIsGivenUp(t *testing.T) {
	client := sharedClient(t)
	reason := errors.New("not needed any more")
	given, giveUp := context.WithCancelCause(t.Context())
	giveUp(reason)
	for _, err := range []error{
		errorOf(client.Games(given)),
		pull(t, client.WatchMatch("any").Updates(given)).err(),
		pull(t, client.Seek("skirmish").Counts(given)).err(),
		errorOf(edgehill.Connect(given, sharedAddress)),
	} {
		is(t, err, reason)
		is(t, err, context.Canceled)
	}
	north, _ := bothSeats(t, client)
	ctx, cancel := context.WithCancel(t.Context())
	watch := pull(t, north.WatchMatch().Updates(ctx))
	for watch.one().View == nil {
	}
	cancel()
	is(t, watch.err(), context.Canceled)
	late, done := context.WithTimeout(t.Context(), 0)
	defer done()
	is(t, errorOf(client.Games(late)), context.DeadlineExceeded)
}
