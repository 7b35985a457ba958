package dev.edgehill;

import static dev.edgehill.Asking.all;
import static dev.edgehill.Asking.bothSeats;
import static dev.edgehill.Asking.create;
import static dev.edgehill.Asking.firstLegal;
import static dev.edgehill.Asking.refused;
import static dev.edgehill.MatchTerms.matchPlan;
import static dev.edgehill.MatchTerms.option;
import static dev.edgehill.SeatConfigs.houseBot;
import static dev.edgehill.SeatConfigs.invitedSeat;
import static dev.edgehill.SeatConfigs.openSeat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.ActionStructure;
import dev.edgehill.v1.Adjournment;
import dev.edgehill.v1.ApplyMode;
import dev.edgehill.v1.CatalogServiceGrpc;
import dev.edgehill.v1.ClockConfig;
import dev.edgehill.v1.CreateMatchResponse;
import dev.edgehill.v1.EntropyMode;
import dev.edgehill.v1.Game;
import dev.edgehill.v1.GetLimitsRequest;
import dev.edgehill.v1.GroupPlace;
import dev.edgehill.v1.GroupPlan;
import dev.edgehill.v1.LegalAction;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.LimitName;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchPlan;
import dev.edgehill.v1.MatchResult;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.Observer;
import dev.edgehill.v1.PassScope;
import dev.edgehill.v1.RematchMatchResponse;
import dev.edgehill.v1.RuleViolation;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.StandingPass;
import dev.edgehill.v1.Termination;
import dev.edgehill.v1.View;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The calls one by one: the catalogue, lists, refusals, drafts, draws, standing passes, ends. */
class CallsTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    static Client client;

    @BeforeAll
    static void connect() {
        client = SERVER.client();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Test
    void catalogue() {
        Game bare = client.game("skirmish");
        assertTrue(client.games().contains(bare.getSummary()));
        assertEquals(0, bare.getRulesCount());
        assertTrue(client.game("skirmish", request -> request.setIncludeRules(true))
                        .getRulesCount()
                > 0);
        assertEquals(256L, client.limits().get(LimitName.LIMIT_NAME_LIST_ACTIONS));
        Set<LimitName> names =
                EnumSet.complementOf(EnumSet.of(LimitName.LIMIT_NAME_UNSPECIFIED, LimitName.UNRECOGNIZED));
        assertEquals(names, client.limits().keySet());
        ByteString key = client.signingKey();
        assertEquals(32, key.size());
        assertEquals(List.of(key), client.signingKeys());
        // Any call of any service.
        var limits = client.call(CatalogServiceGrpc.getGetLimitsMethod(), GetLimitsRequest.getDefaultInstance());
        assertEquals(names.size(), limits.getLimitsCount());
    }

    @Test
    void generatedStubsShareTheChannel() {
        var catalog = CatalogServiceGrpc.newBlockingStub(client.channel());
        assertFalse(catalog.getLimits(GetLimitsRequest.getDefaultInstance())
                .getLimitsList()
                .isEmpty());
    }

    @Test
    void actionTableIsWhole() {
        Game game = client.game("skirmish");
        List<ActionDef> table = client.actionDefs("skirmish");
        assertEquals(
                IntStream.range(0, game.getActionCount()).boxed().toList(),
                table.stream().map(ActionDef::getId).toList());
        Seat north = bothSeats(client).north();
        LegalActions legal = north.legal(request -> request.setDetail(LegalDetail.LEGAL_DETAIL_NOTATION))
                .getLegalActions();
        ActionDef first = table.get(legal.getIds(0));
        assertEquals(legal.getNotations(0), first.getNotation());
        // Entries of the table are actions, too.
        SeatUpdate taken = north.apply(Actions.of(first), call -> call.setResponseOptions(Responses.FULL));
        assertEquals(List.of(first.getId()), taken.getView().getDraftList());
    }

    @Test
    void listGoesThroughAllPages() {
        List<String> made = new ArrayList<>();
        for (int count = 0; count < 7; count++) {
            made.add(0, create(client));
        }
        List<String> found = client.matches(request -> request.setGame("skirmish")
                        .addStatuses(MatchStatus.MATCH_STATUS_WAITING)
                        .setPageSize(3))
                .map(match -> match.getConfig().getMatchId())
                .filter(made::contains)
                .toList();
        assertEquals(made, found);
        assertTrue(client.matches().count() >= 7);
        refused("INVALID_FIELD", () -> client.matches(request -> request.setPageSize(100_000)));
    }

    @Test
    void refusalsAreTyped() {
        Refused unknown = refused("UNKNOWN_GAME", () -> client.create("chess"));
        assertEquals(Status.Code.NOT_FOUND, unknown.code());
        Refused bot = refused(
                "UNKNOWN_BOT",
                () -> client.create(
                        "skirmish", terms -> terms.addSeats(openSeat()).addSeats(houseBot("clever"))));
        assertEquals("seats[1].bot", bot.fieldViolations().get(0).getField());
        assertTrue(bot.getMessage().contains("random"));

        Seat north = bothSeats(client).north();
        int card = firstLegal(north);
        long seq = north.apply(Actions.id(card)).getSeq();
        Refused illegal = refused("ILLEGAL_ACTION", () -> north.apply(Actions.id(card)));
        RuleViolation violation = illegal.ruleViolations().get(0);
        assertEquals(0, illegal.index().orElseThrow());
        assertEquals("CARD_PICKED 2.3", violation.getCode() + " " + violation.getRule());
        assertTrue(illegal.getMessage().contains(violation.getText()));
        // The error was made on another thread, and has the stack of its caller.
        assertTrue(List.of(illegal.getStackTrace()).toString().contains("refusalsAreTyped"));
        Refused stale = refused(
                "STALE_SEQUENCE",
                () -> north.apply(
                        Actions.line("done"), call -> call.getBatchBuilder().setExpectedSeq(seq - 1)));
        assertEquals(seq, stale.seq().orElseThrow());
        assertTrue(stale.retryAfter().isEmpty());
        refused("MATCH_RUNNING", () -> client.record(north.matchId()));
        refused("BAD_TOKEN", () -> client.seat(north.matchId(), "ehs_nothing").view());
        refused("UNSUPPORTED_MOMENT", () -> north.view(request -> request.setAtSeq(seq)));
        refused("NO_ACCOUNTS", () -> client.watchAccount().next());
    }

    @Test
    void seatCallByCall() {
        Asking.Pair seats = bothSeats(client);
        Seat north = seats.north();
        var legal = north.legal(request -> request.setDetail(LegalDetail.LEGAL_DETAIL_FULL));
        assertTrue(legal.getToAct());
        LegalAction first = legal.getLegalActions().getActions(0);
        LegalAction second = legal.getLegalActions().getActions(1);
        var filtered = north.legal(request -> request.addVerbs(first.getVerb()).addAllRefs(first.getRefsList()));
        assertEquals(List.of(first.getId()), filtered.getLegalActions().getIdsList());
        SeatUpdate taken = north.apply(Actions.of(structure(first)), call -> call.setResponseOptions(Responses.FULL));
        assertEquals(List.of(first.getId()), taken.getView().getDraftList());
        assertEquals(1, taken.getApplyResult().getActions());
        assertEquals(taken.getSeq(), taken.getEvents(0).getSeq());
        var forms = List.of(
                Actions.action(second),
                Actions.action(second.getId()),
                Actions.action(second.getNotation()),
                Actions.action(structure(second)));
        for (var form : forms) {
            var explained = north.explain(form);
            assertFalse(explained.getLegal());
            assertEquals("CARD_PICKED", explained.getRuleViolations(0).getCode());
        }
        SeatUpdate instead = north.apply(
                Actions.of(second),
                call -> call.setResponseOptions(Responses.FULL)
                        .getBatchBuilder()
                        .setKeepDraftActions(0));
        assertEquals(List.of(second.getId()), instead.getView().getDraftList());
        assertEquals(1, north.undo().getApplyResult().getActions());
        String line = first.getNotation() + "; done; " + second.getNotation();
        SeatUpdate until = north.apply(
                Actions.line(line), call -> call.getBatchBuilder().setMode(ApplyMode.APPLY_MODE_UNTIL_REVEAL));
        assertEquals(2, until.getApplyResult().getActions());
        assertEquals(first.getNotation() + "; done", until.getApplyResult().getLine());
        // The same id and the same call: the same outcome. The same id and another call: refused.
        Seat south = seats.south();
        int card = firstLegal(south);
        for (int time = 0; time < 2; time++) {
            SeatUpdate again = south.apply(Actions.id(card), call -> call.setRequestId("mine"));
            assertEquals(1, again.getApplyResult().getActions());
        }
        refused("REQUEST_ID_REUSED", () -> south.apply(Actions.line("done"), call -> call.setRequestId("mine")));
        View seen = north.view(request -> request.setObserver(Observer.getDefaultInstance()))
                .getView();
        assertEquals(client.view(north.matchId()).getView(), seen);
    }

    @Test
    void updatesOfCallsAreFolded() {
        Asking.Pair seats = bothSeats(client);
        Seat north = seats.north();
        ViewTracker tracker = new ViewTracker(north.view());
        int card = firstLegal(north);
        for (int time = 0; time < 2; time++) {
            tracker.fold(apply(north, Actions.id(card), tracker.seq()));
            long seq = tracker.seq();
            tracker.fold(north.undo(call ->
                    call.setResponseOptions(Responses.EVENTS).getSpanBuilder().setExpectedSeq(seq)));
        }
        View before = tracker.view().orElseThrow();
        tracker.fold(apply(north, Actions.id(card), tracker.seq()));
        assertEquals(List.of(), before.getDraftList());
        assertEquals(List.of(card), tracker.view().orElseThrow().getDraftList());
        tracker.fold(apply(north, Actions.line("done"), tracker.seq()));
        var now = north.view();
        assertEquals(now.getView(), tracker.view().orElseThrow());
        assertEquals(now.getSeq(), tracker.seq());
        assertFalse(tracker.isToAct());
        tracker.fold(seats.south().resign());
    }

    @Test
    void drawsAndStandingPasses() {
        Asking.Pair seats = bothSeats(client);
        Seat north = seats.north();
        Seat south = seats.south();
        north.setStandingPasses(List.of(StandingPass.newBuilder()
                .setWindow("interception")
                .setScope(PassScope.PASS_SCOPE_ALWAYS)
                .build()));
        assertEquals("interception", north.view().getStandingPasses(0).getWindow());
        assertEquals(0, south.view().getStandingPassesCount());
        refused("NO_OFFER", south::acceptDraw);
        refused("NO_OFFER", south::declineDraw);
        assertEquals(List.of(0), north.offerDraw().getState().getDrawOffersList());
        assertEquals(List.of(), south.declineDraw().getState().getDrawOffersList());
        north.offerDraw();
        assertEquals(MatchStatus.MATCH_STATUS_FINISHED, south.acceptDraw().getStatus());
        MatchResult result = client.get(north.matchId()).getState().getResult();
        assertEquals(List.of(0, 0), result.getReturnsList());
        assertEquals(Termination.TERMINATION_AGREEMENT, result.getTermination());
        refused("MATCH_FINISHED", north::resign);
    }

    @Test
    void seatIsGivenBack() {
        CreateMatchResponse made = client.create("skirmish");
        String matchId = made.getMatch().getConfig().getMatchId();
        Seat north = client.join(matchId, options -> options.setPlayer("Ann"));
        assertEquals(0, north.number().orElseThrow());
        assertFalse(north.leave().getState().getSeats(0).getJoined());
        refused("BAD_TOKEN", north::view);
        assertEquals(0, client.join(matchId).number().orElseThrow());
        Seat south = client.join(matchId);
        refused("MATCH_STARTED", south::leave);
        refused("MATCH_STARTED", () -> client.abort(matchId, call -> call.setCreatorToken(made.getCreatorToken())));
    }

    @Test
    void matchIsTakenBack() {
        CreateMatchResponse made = client.create("skirmish");
        String matchId = made.getMatch().getConfig().getMatchId();
        Watch watch = client.watchMatch(matchId);
        assertEquals(MatchStatus.MATCH_STATUS_WAITING, watch.next().getState().getStatus());
        Match aborted = client.abort(matchId, call -> call.setCreatorToken(made.getCreatorToken()));
        assertEquals(MatchStatus.MATCH_STATUS_ABORTED, aborted.getState().getStatus());
        List<SeatUpdate> rest = all(watch);
        assertEquals(
                MatchStatus.MATCH_STATUS_ABORTED,
                rest.get(rest.size() - 1).getState().getStatus());
    }

    @Test
    void recordIsJoined() {
        Seat north = bothSeats(client).north();
        north.resign();
        ExportedRecord record = client.record(north.matchId());
        assertTrue(record.complete());
        assertTrue(record.text().startsWith("edgehill record 2\ngame skirmish\n"));
        assertTrue(record.text().contains("match \"" + north.matchId() + "\"\n"));
        assertTrue(record.text().endsWith("\n"));
    }

    @Test
    void entropyThatIsCommittedTo() {
        CreateMatchResponse made = client.create(
                "skirmish",
                terms -> terms.setEntropyMode(EntropyMode.ENTROPY_MODE_COMMIT_REVEAL)
                        .addSeats(openSeat())
                        .addSeats(invitedSeat()));
        String matchId = made.getMatch().getConfig().getMatchId();
        String invitation = made.getInvitations(0).getInvitation();
        InvalidOption unnamed =
                assertThrows(InvalidOption.class, () -> client.join(matchId, join -> join.setInvitation(invitation)));
        assertTrue(unnamed.getMessage().contains("name it with `setSeat`"));
        List<Seat> seats = List.of(
                client.join(matchId),
                client.join(matchId, join -> join.setSeat(1).setInvitation(invitation)));
        MatchState state = client.get(matchId).getState();
        assertEquals(MatchStatus.MATCH_STATUS_REVEALING, state.getStatus());
        for (int number = 0; number < 2; number++) {
            ByteString bound = Dice.entropyCommitment(
                    matchId, number, seats.get(number).entropy().orElseThrow());
            assertEquals(bound, state.getSeats(number).getEntropyCommitment());
        }
        seats.get(0).revealEntropy();
        var revealed = seats.get(1).revealEntropy(call -> call.setResponseOptions(Responses.FULL));
        assertTrue(revealed.getUpdate().getToAct());
    }

    @Test
    void entropyOfOnesOwnAndNone() {
        ByteString mine = RequestIds.random(32);
        String matchId = create(client);
        Seat north = client.join(matchId, join -> join.setEntropy(mine));
        Seat south = client.join(matchId, join -> join.setEntropy(ByteString.EMPTY));
        assertEquals(mine, north.entropy().orElseThrow());
        assertTrue(south.entropy().isEmpty());
        north.resign();
        List<ByteString> shown = client.get(matchId).getState().getReveal().getEntropiesList();
        assertEquals(List.of(mine, ByteString.copyFrom(new byte[32])), shown);
    }

    @Test
    void mirroredPairAndAMatchBesideItAreMadeInOneCall() {
        List<MatchPlan> plans = List.of(
                matchPlan("skirmish", plan -> plan.setGroup(place(0, 1))),
                matchPlan("skirmish", plan -> plan.setGroup(place(1, 0))),
                matchPlan(
                        "english-civil-war-iia",
                        plan -> plan.addOptions(option("max_seasons", 3)).addSeats(invitedSeat())));
        var groups = GroupPlan.newBuilder().setEntrants(2).build();
        List<CreateMatchResponse> made =
                client.createAll(plans, call -> call.addGroups(groups).setRequestId("pairings-1"));
        assertEquals(
                List.of("skirmish", "skirmish", "english-civil-war-iia"),
                made.stream().map(one -> one.getMatch().getConfig().getGame()).toList());
        assertEquals(
                made.get(0).getMatch().getConfig().getDice().getCommitment(),
                made.get(1).getMatch().getConfig().getDice().getCommitment());
        assertTrue(made.get(2).getMatch().getConfig().getOptionsList().contains(option("max_seasons", 3)));
        assertEquals(1, made.get(2).getInvitationsCount());
        assertEquals(
                made, client.createAll(plans, call -> call.addGroups(groups).setRequestId("pairings-1")));
        List<MatchPlan> wrong = List.of(matchPlan("skirmish", plan -> plan.addSeats(houseBot("clever"))));
        Refused unknown = refused("UNKNOWN_BOT", () -> client.createAll(wrong));
        assertEquals("matches[0].seats[0].bot", unknown.fieldViolations().get(0).getField());
    }

    @Test
    void rematchHasTheSidesSwapped() {
        Asking.Pair seats = bothSeats(client);
        refused("MATCH_RUNNING", () -> seats.north().rematch());
        seats.north().resign();
        List<RematchMatchResponse> offered =
                List.of(seats.south().rematch(), seats.north().rematch());
        String matchId = offered.get(0).getMatch().getConfig().getMatchId();
        for (int place = 0; place < 2; place++) {
            RematchMatchResponse offer = offered.get(place);
            assertEquals(place, offer.getSeat());
            assertEquals(matchId, offer.getMatch().getConfig().getMatchId());
            Seat taken =
                    client.join(matchId, join -> join.setSeat(offer.getSeat()).setInvitation(offer.getInvitation()));
            assertEquals(place, taken.number().orElseThrow());
        }
        assertEquals(
                MatchStatus.MATCH_STATUS_RUNNING, client.get(matchId).getState().getStatus());
    }

    @Test
    void clocksAndAdjournments() {
        ClockConfig clock = ClockConfig.newBuilder()
                .setBank(Duration.newBuilder().setSeconds(600))
                .setIncrement(Duration.newBuilder().setSeconds(5))
                .build();
        String matchId = client.create("skirmish", terms -> terms.setClock(clock))
                .getMatch()
                .getConfig()
                .getMatchId();
        Seat north = client.join(matchId);
        Seat south = client.join(matchId);
        SeatUpdate taken = north.apply(Actions.id(firstLegal(north)));
        assertTrue(taken.getTimeLeft().getLeft().getSeconds() > 500);
        java.time.Duration hour = java.time.Duration.ofHours(1);
        java.time.Duration day = java.time.Duration.ofDays(1);
        assertEquals(1, north.offerAdjournment(day).getState().getAdjournmentOffersCount());
        assertEquals(0, south.declineAdjournment().getState().getAdjournmentOffersCount());
        north.offerAdjournment(day);
        Adjournment adjourned = south.acceptAdjournment(call -> call.setAdjournFor(Durations.of(hour)))
                .getState()
                .getAdjournment();
        long lasts = adjourned.getResumeTime().getSeconds()
                - adjourned.getAdjournTime().getSeconds();
        assertEquals(hour.toSeconds(), lasts);
        refused("ADJOURNED", () -> north.apply(Actions.line("done")));
        assertEquals(List.of(0), north.resume().getState().getAdjournment().getResumeRequestsList());
        assertFalse(south.resume().getState().hasAdjournment());
        north.apply(Actions.line("done"));
    }

    private static SeatUpdate apply(Seat seat, dev.edgehill.v1.ActionList actions, long seq) {
        return seat.apply(
                actions,
                call -> call.setResponseOptions(Responses.EVENTS)
                        .getBatchBuilder()
                        .setExpectedSeq(seq));
    }

    private static ActionStructure structure(LegalAction action) {
        return ActionStructure.newBuilder()
                .setVerb(action.getVerb())
                .addAllRefs(action.getRefsList())
                .build();
    }

    private static GroupPlace place(int... entrants) {
        return GroupPlace.newBuilder()
                .setGroup(0)
                .addAllSeatEntrants(IntStream.of(entrants).boxed().toList())
                .build();
    }
}
