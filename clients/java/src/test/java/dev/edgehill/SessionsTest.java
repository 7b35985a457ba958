package dev.edgehill;

import static dev.edgehill.SessionTable.legal;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ApplyMode;
import dev.edgehill.v1.CardPile;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.Game;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LegalAction;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.Ref;
import dev.edgehill.v1.SeatUpdate;
import io.grpc.Status;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sessions of clients/conformance, on the server that EDGEHILL_SERVER names or on one of their own. */
class SessionsTest {
    private static final String NOBODY = "00000000-0000-0000-0000-000000000000";
    private static final Vectors SESSIONS =
            new Vectors("clients/conformance/sessions.json", "edgehill-sessions/1", "sessions");
    private static final Map<String, Status.Code> CODES = codes();
    private static final Map<String, Session> KNOWN = Map.ofEntries(
            Map.entry("catalogue", SessionsTest::catalogue),
            Map.entry("forms", SessionsTest::forms),
            Map.entry("refusals", SessionsTest::refusals),
            Map.entry("undo", SessionsTest::undo),
            Map.entry("batch", SessionsTest::batch),
            Map.entry("reveal", SessionsTest::reveal),
            Map.entry("redaction", SessionsTest::redaction),
            Map.entry("repetition", SessionsTest::repetition),
            Map.entry("cut", SessionsTest::cut),
            Map.entry("receipts", SessionsTest::receipts));

    private static Optional<TestServer> own;
    private static String address;
    private static Client client;

    /** The steps of a session, with all that it holds. */
    private interface Session {
        void run(Parameters parameters);
    }

    /** The parameters that sessions have. */
    private record Parameters(
            String name, String unknown, String game, List<String> forms, Integer decisions, Integer messages) {}

    @BeforeAll
    static void connect() {
        Optional<String> named = Optional.ofNullable(System.getenv("EDGEHILL_SERVER"));
        own = named.isPresent() ? Optional.empty() : Optional.of(TestServer.started());
        address = named.orElseGet(() -> own.orElseThrow().address());
        client = connected(address);
    }

    @AfterAll
    static void close() {
        client.close();
        own.ifPresent(TestServer::close);
    }

    private static Client connected(String server) {
        ClientBuilder builder = Client.builder(server);
        Optional.ofNullable(System.getenv("EDGEHILL_KEY")).ifPresent(builder::key);
        return builder.build();
    }

    private static Map<String, Status.Code> codes() {
        Vectors errors = new Vectors(
                "clients/conformance/errors.json", "edgehill-error-vectors/1", "reasons", "statuses", "retries");
        Map<String, Status.Code> codes = new HashMap<>();
        for (JsonElement reason : errors.list("reasons")) {
            JsonObject vector = reason.getAsJsonObject();
            codes.put(
                    vector.get("reason").getAsString(),
                    Status.Code.valueOf(vector.get("code").getAsString()));
        }
        return codes;
    }

    static List<Arguments> sessions() {
        return SESSIONS.list("sessions").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(session -> Arguments.of(session.get("name").getAsString(), session))
                .toList();
    }

    @Test
    void everySessionOfTheSuiteIsInTheFile() {
        Set<Object> listed =
                sessions().stream().map(session -> session.get()[0]).collect(Collectors.toSet());
        assertEquals(KNOWN.keySet(), listed);
    }

    /** Has more time than other tests: a server may be far away, and one session is a thousand calls. */
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest(name = "{0}")
    @MethodSource("sessions")
    void session(String name, JsonObject given) {
        assertTrue(KNOWN.containsKey(name), "there is no session " + name);
        Set<String> parameters = Arrays.stream(Parameters.class.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
        assertTrue(parameters.containsAll(given.keySet()), given.toString());
        KNOWN.get(name).run(new Gson().fromJson(given, Parameters.class));
    }

    /** Expects a refusal of this reason, with the status that goes with it, and returns it. */
    private static Refused refused(String reason, Executable call) {
        Refused refused = Asking.refused(reason, call);
        assertEquals(CODES.get(reason), refused.code());
        return refused;
    }

    /** Returns the cards that references name. */
    private static Stream<Integer> cards(List<Ref> refs) {
        return refs.stream().filter(Ref::hasCard).map(Ref::getCard);
    }

    /** Returns the cards whose faces an observer sees, in order. */
    private static List<Integer> faces(GetViewResponse seen) {
        return seen.getView().getBoard().getPilesList().stream()
                .flatMap(pile -> pile.getCardsList().stream())
                .sorted()
                .toList();
    }

    private static void assertSame(GetViewResponse before, GetViewResponse now) {
        assertEquals(before.getSeq(), now.getSeq());
        assertEquals(before.getView(), now.getView());
    }

    /** Asserts that everything that anybody has followed comes to what there is. */
    private static void followEverybody(SessionTable table) {
        for (SessionTable.Observer observer : table.everybody()) {
            observer.followToTheEnd();
            List<Long> numbers = observer.events().stream().map(Event::getSeq).toList();
            assertEquals(firstNumbers(observer.now().getSeq()), numbers, observer.toString());
            observer.compare(observer.tracker());
            observer.compare(observer.watched());
        }
    }

    private static List<Long> firstNumbers(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static void catalogue(Parameters given) {
        List<GameSummary> listed = client.games();
        assertFalse(listed.isEmpty());
        for (GameSummary summary : listed) {
            Game game = client.game(summary.getId());
            assertEquals(summary, game.getSummary());
            List<Integer> ids = client.actionDefs(summary.getId()).stream()
                    .map(ActionDef::getId)
                    .toList();
            assertEquals(IntStream.range(0, game.getActionCount()).boxed().toList(), ids);
        }
        refused("UNKNOWN_GAME", () -> client.game(given.unknown()));
    }

    private static void forms(Parameters given) {
        List<ByteString> keys = List.of(client.signingKey());
        for (GameSummary game : client.games()) {
            for (String form : given.forms()) {
                String label = game.getId() + ", each action as " + form;
                assertDoesNotThrow(() -> form(game.getId(), form, given.decisions(), keys), label);
            }
        }
    }

    private static void form(String game, String form, int decisions, List<ByteString> keys) {
        try (SessionTable table = new SessionTable(client, game)) {
            table.play(decisions, form);
            table.end();
            followEverybody(table);
            ExportedRecord record = client.record(table.matchId());
            assertTrue(record.complete());
            Set<RecordPart> open = Set.of(RecordPart.RULES, RecordPart.SEED);
            assertEquals(
                    open,
                    RecordVerifier.verifyRecord(record.text(), keys).unchecked().keySet());
            Map<Integer, ByteString> entropies = table.seats().stream()
                    .collect(Collectors.toMap(
                            seat -> seat.number().orElseThrow(),
                            seat -> seat.entropy().orElseThrow()));
            MatchState state = client.get(table.matchId()).getState();
            DiceOptions known = DiceOptions.NONE.withEntropies(entropies).withSigningKeys(keys);
            DiceCheck dice = DiceVerifier.verifyDice(table.made().getMatch().getConfig(), state, record.text(), known);
            assertTrue(
                    open.containsAll(dice.uncheckedParts().keySet()),
                    dice.uncheckedParts().toString());
        }
    }

    private static void refusals(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game())) {
            Seat north = table.two().north();
            GetViewResponse before = north.view();
            List<LegalAction> actions = legal(north);
            ActionList card = Actions.of(actions.get(0));
            refused("UNKNOWN_MATCH", () -> client.get(NOBODY));
            Seat stranger = client.seat(table.matchId(), "nobody".repeat(8));
            refused("BAD_TOKEN", () -> stranger.apply(card));
            ActionList both = Actions.of(actions.get(0), actions.get(1));
            Refused illegal = refused("ILLEGAL_ACTION", () -> north.apply(both));
            assertEquals(OptionalInt.of(1), illegal.index());
            assertFalse(illegal.ruleViolations().get(0).getRule().isEmpty());
            long ahead = before.getSeq() + 1;
            refused(
                    "CURSOR_AHEAD",
                    () -> north.apply(card, call -> call.getBatchBuilder().setExpectedSeq(ahead)));
            refused("NOTHING_TO_UNDO", north::undo);
            assertSame(before, north.view());
        }
    }

    private static void undo(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game())) {
            Seat north = table.two().north();
            GetViewResponse before = north.view();
            List<LegalAction> actions = legal(north);
            SeatUpdate taken = north.apply(Actions.of(actions.get(0)));
            assertTrue(taken.getSeq() > before.getSeq());
            assertEquals(List.of(actions.get(0).getId()), north.view().getView().getDraftList());
            assertNotEquals(actions, legal(north));
            SeatUpdate undone = north.undo(call -> call.getSpanBuilder().setExpectedSeq(taken.getSeq()));
            assertTrue(undone.getSeq() > taken.getSeq());
            assertEquals(List.of(), north.view().getView().getDraftList());
            assertEquals(actions, legal(north));
        }
    }

    private static void batch(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game())) {
            Asking.Pair seats = table.two();
            Seat north = seats.north();
            Seat south = seats.south();
            LegalAction action = legal(north).get(0);
            SeatUpdate taken = north.apply(Actions.notations(action.getNotation(), "done"));
            assertEquals(2, taken.getApplyResult().getActions());
            assertFalse(taken.getToAct());
            assertEquals(List.of(), legal(north));
            refused("NOT_YOUR_TURN", () -> north.apply(Actions.of(action)));
            refused("COMMITTED", north::undo);
            LegalAction card = legal(south).get(0);
            south.apply(Actions.of(card));
            LegalAction done = legal(south).stream()
                    .filter(one -> one.getNotation().equals("done"))
                    .findFirst()
                    .orElseThrow();
            south.undo();
            SeatUpdate byIds = south.apply(Actions.ids(List.of(card.getId(), done.getId())));
            assertEquals(2, byIds.getApplyResult().getActions());
        }
    }

    private static void reveal(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game())) {
            Asking.Pair seats = table.two();
            Seat north = seats.north();
            GetViewResponse before = north.view();
            LegalAction action = legal(north).get(0);
            ActionList across = Actions.notations(action.getNotation(), "done", action.getNotation());
            refused("LIST_CROSSES_REVEAL", () -> north.apply(across));
            assertSame(before, north.view());
            SeatUpdate taken =
                    north.apply(across, call -> call.getBatchBuilder().setMode(ApplyMode.APPLY_MODE_UNTIL_REVEAL));
            assertEquals(2, taken.getApplyResult().getActions());
            assertEquals(List.of(), faces(table.spectator().now()));
            LegalAction card = legal(seats.south()).get(0);
            seats.south().apply(Actions.notations(card.getNotation(), "done"));
            List<Integer> chosen = Stream.concat(cards(action.getRefsList()), cards(card.getRefsList()))
                    .sorted()
                    .toList();
            assertEquals(chosen, faces(table.spectator().now()));
            assertTrue(north.view().getSeq() > taken.getSeq());
            refused(
                    "STALE_SEQUENCE",
                    () -> north.apply(
                            Actions.of(action), call -> call.getBatchBuilder().setExpectedSeq(taken.getSeq())));
        }
    }

    private static void redaction(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game())) {
            List<List<Integer>> hands = table.seats().stream()
                    .map(seat -> legal(seat).stream()
                            .flatMap(action -> cards(action.getRefsList()))
                            .sorted()
                            .toList())
                    .toList();
            hands.forEach(hand -> assertTrue(hand.size() > 1));
            table.everybody().forEach(observer -> assertSeesItsOwnHand(observer, hands));
            for (Seat seat : table.seats()) {
                seat.apply(Actions.notations(legal(seat).get(0).getNotation(), "done"));
            }
            table.end();
            followEverybody(table);
            // The cards that were not played stay in the hands, and nobody else is told them.
            List<Integer> played = faces(table.spectator().now());
            for (SessionTable.Observer observer : table.everybody()) {
                Set<Integer> known = new HashSet<>(played);
                known.addAll(handOf(observer, hands));
                Set<Integer> told = observer.events().stream()
                        .flatMap(SessionsTest::namedBy)
                        .collect(Collectors.toSet());
                assertTrue(told.containsAll(played), observer.toString());
                assertTrue(known.containsAll(told), observer.toString());
            }
        }
    }

    private static void assertSeesItsOwnHand(SessionTable.Observer observer, List<List<Integer>> hands) {
        GetViewResponse seen = observer.now();
        Map<Integer, CardPile> piles = seen.getView().getBoard().getPilesList().stream()
                .collect(Collectors.toMap(CardPile::getPile, Function.identity()));
        for (int seat = 0; seat < hands.size(); seat++) {
            assertEquals(hands.get(seat).size(), piles.get(seat).getCount());
        }
        List<Integer> own = handOf(observer, hands);
        assertEquals(own, faces(seen), observer.toString());
        observer.seat()
                .ifPresent(seat ->
                        assertEquals(own, piles.get(seat.number().orElseThrow()).getCardsList()));
    }

    private static List<Integer> handOf(SessionTable.Observer observer, List<List<Integer>> hands) {
        return observer.seat()
                .map(seat -> hands.get(seat.number().orElseThrow()))
                .orElse(List.of());
    }

    private static Stream<Integer> namedBy(Event event) {
        Stream<Integer> shown =
                event.getChangesList().stream().flatMap(change -> change.getPile().getCardsList().stream());
        return Stream.concat(cards(event.getRefsList()), shown);
    }

    private static void repetition(Parameters given) {
        // With a key the ids are those of its account, and a server may know them from a run before.
        String made = client.requestId();
        String joined = client.requestId();
        String taken = client.requestId();
        List<String> matches = Stream.generate(() -> client.create(given.game(), terms -> terms.setRequestId(made)))
                .limit(2)
                .map(answer -> answer.getMatch().getConfig().getMatchId())
                .toList();
        String matchId = matches.get(0);
        assertEquals(matchId, matches.get(1));
        ByteString entropy = ByteString.copyFrom(new byte[32]);
        List<Seat> seats = Stream.generate(() -> client.join(
                        matchId, join -> join.setSeat(0).setEntropy(entropy).setRequestId(joined)))
                .limit(2)
                .toList();
        Seat north = seats.get(0);
        assertEquals(north.token(), seats.get(1).token());
        client.join(matchId);
        List<LegalAction> actions = legal(north);
        ActionList card = Actions.of(actions.get(0));
        SeatUpdate first = north.apply(card, call -> call.setRequestId(taken));
        assertEquals(first, north.apply(card, call -> call.setRequestId(taken)));
        assertEquals(List.of(actions.get(0).getId()), north.view().getView().getDraftList());
        refused("REQUEST_ID_REUSED", () -> north.apply(Actions.of(actions.get(1)), call -> call.setRequestId(taken)));
    }

    private static void cut(Parameters given) {
        try (SessionTable table = new SessionTable(client, given.game());
                Relay relay = new Relay(address);
                Client watcher = connected(relay.address());
                Watch watch = watcher.watchMatch(table.matchId(), from -> from.setAfterSeq(0))) {
            List<Long> seen = new ArrayList<>();
            int updates = 0;
            // It is read between decisions, so that connections break while the match goes on, and events are to come.
            for (int decision = 0; decision <= given.decisions(); decision++) {
                boolean isOver = decision == given.decisions();
                if (isOver) {
                    table.end();
                } else {
                    table.play(1, "id");
                }
                long last = table.spectator().now().getSeq();
                while (isOver ? watch.hasNext() : watch.seq().orElseThrow() < last) {
                    watch.next().getEventsList().forEach(event -> seen.add(event.getSeq()));
                    updates += 1;
                    if (updates % given.messages() == 0) {
                        relay.cut();
                    }
                }
            }
            assertTrue(updates > 2 * given.messages(), "it was cut twice or more");
            assertEquals(firstNumbers(table.spectator().now().getSeq()), seen);
        }
    }

    private static void receipts(Parameters given) {
        List<ByteString> keys = client.signingKeys();
        try (SessionTable table = new SessionTable(client, given.game())) {
            table.play(given.decisions(), "id");
            table.end();
            for (SessionTable.Observer observer : table.everybody()) {
                observer.followToTheEnd();
                Receipt receipt = observer.seat().map(Seat::receipt).orElseGet(() -> client.receipt(table.matchId()));
                List<Event> events = observer.events();
                Transcript whole = transcript(observer, table.matchId(), events, receipt);
                assertTrue(TranscriptVerifier.verifyTranscript(whole, keys).complete(), observer.toString());
                List<Event> gap = events.subList(1, events.size());
                assertThrows(SequenceGap.class, () -> transcript(observer, table.matchId(), gap, receipt));
                List<Event> lacking = events.subList(0, events.size() - 1);
                assertThrows(Unverified.class, () -> transcript(observer, table.matchId(), lacking, receipt));
            }
        }
    }

    private static Transcript transcript(
            SessionTable.Observer observer, String matchId, List<Event> events, Receipt receipt) {
        Transcript transcript = observer.seat()
                .map(seat -> new Transcript(matchId, seat.number().orElseThrow()))
                .orElseGet(() -> new Transcript(matchId));
        events.forEach(transcript::add);
        transcript.addReceipt(receipt);
        return transcript;
    }
}
