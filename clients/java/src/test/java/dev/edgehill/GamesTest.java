package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.CatalogEntry;
import dev.edgehill.v1.ChanceRef;
import dev.edgehill.v1.EntropyMode;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whole matches of every game between bots, and all that follows from them: the fold law, the record, the dice. */
class GamesTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    private static final List<String> NAMES = List.of("Ann", "Jörg");

    /** Plays at random, and keeps all events and the view that the stream kept for it. */
    private static final class Follower implements Bot {
        private final RandomBot random;
        private final List<Event> events = new ArrayList<>();
        private View view;
        private MatchState state;

        Follower(long seed) {
            random = new RandomBot(seed);
        }

        @Override
        public ActionList choose(PlayedSeat seat, LegalActions legal) {
            return random.choose(seat, legal);
        }

        @Override
        public void onEvent(PlayedSeat seat, Event event) {
            events.add(event);
        }

        @Override
        public void onFinished(PlayedSeat seat) {
            view = seat.view().orElseThrow();
            state = seat.state().orElseThrow();
        }
    }

    private record Played(MatchConfig config, List<Seat> seats, List<Follower> bots) {
        Map<Integer, ByteString> entropies() {
            Map<Integer, ByteString> entropies = new HashMap<>();
            seats.forEach(seat ->
                    entropies.put(seat.number().orElseThrow(), seat.entropy().orElseThrow()));
            return entropies;
        }

        List<Event> events() {
            return bots.stream().flatMap(bot -> bot.events.stream()).toList();
        }
    }

    /** Plays a match of a game to its end over one stream, a bot at each seat. */
    private static Played play(Client client, String game, EntropyMode mode) {
        Match match = client.create(game, terms -> {
                    terms.setEntropyMode(mode);
                    if (game.equals("english-civil-war-iia")) {
                        // So that a game of bots is short.
                        terms.addOptions(MatchTerms.option("max_seasons", 2));
                    }
                })
                .getMatch();
        Map<Seat, Bot> bots = new LinkedHashMap<>();
        List<Seat> seats = new ArrayList<>();
        List<Follower> followers = new ArrayList<>();
        for (int number = 0; number < match.getState().getSeatsCount(); number++) {
            String name = NAMES.get(number);
            Seat seat = client.join(match.getConfig().getMatchId(), join -> join.setPlayer(name));
            Follower bot = new Follower(number + 1);
            seats.add(seat);
            followers.add(bot);
            bots.put(seat, bot);
        }
        Map<Seat, BotReport> reports = BotRunner.run(client, bots);
        for (int number = 0; number < seats.size(); number++) {
            BotReport report = reports.get(seats.get(number));
            assertEquals(match.getConfig().getMatchId(), report.matchId());
            assertEquals(number, report.seat());
            assertEquals(MatchStatus.MATCH_STATUS_FINISHED, report.status());
            assertEquals(
                    followers.get(number).state.getResult(), report.result().orElseThrow());
            assertTrue(report.actions() > 0);
        }
        return new Played(match.getConfig(), seats, followers);
    }

    /** Asserts that the view at the start with all events folded over it is the view now, as a message. */
    private static void assertFolds(GetViewResponse start, GetViewResponse now, Iterator<SeatUpdate> updates) {
        ViewTracker tracker = new ViewTracker(start);
        List<Long> seen = new ArrayList<>();
        updates.forEachRemaining(update -> {
            tracker.fold(update);
            update.getEventsList().forEach(event -> seen.add(event.getSeq()));
        });
        assertEquals(LongStream.rangeClosed(1, now.getSeq()).boxed().toList(), seen);
        assertEquals(now.getView(), tracker.view().orElseThrow());
        assertEquals(now.getSeq(), tracker.seq());
    }

    @TestFactory
    Stream<DynamicTest> botsPlayEveryGameAndEveryViewFolds() {
        Client client = SERVER.client();
        List<String> games = client.games().stream().map(GameSummary::getId).toList();
        assertTrue(games.size() >= 5);
        return games.stream()
                .map(game -> dynamicTest(game, () -> playAndFold(client, game)))
                .onClose(client::close);
    }

    private static void playAndFold(Client client, String game) {
        Played played = play(client, game, EntropyMode.ENTROPY_MODE_OPEN);
        String matchId = played.config().getMatchId();
        MatchState state = client.get(matchId).getState();
        for (int number = 0; number < played.seats().size(); number++) {
            Seat seat = played.seats().get(number);
            Follower bot = played.bots().get(number);
            GetViewResponse now = seat.view();
            assertEquals(state.getResult(), bot.state.getResult());
            assertEquals(now.getView(), bot.view);
            assertFolds(seat.view(from -> from.setAtSeq(0)), now, seat.watchMatch(from -> from.setAfterSeq(0)));
        }
        GetViewResponse start = client.view(matchId, from -> from.setAtSeq(0));
        assertFolds(start, client.view(matchId), client.watchMatch(matchId, from -> from.setAfterSeq(0)));

        ExportedRecord record = client.record(matchId);
        assertTrue(record.complete());
        List<ByteString> keys = client.signingKeys();
        RecordCheck check = RecordVerifier.verifyRecord(record.text(), keys);
        assertEquals(
                Set.of(RecordPart.RULES, RecordPart.SEED), check.unchecked().keySet());
        DiceOptions options = DiceOptions.NONE
                .withEntropies(played.entropies())
                .withEvents(played.events())
                .withSigningKeys(keys);
        DiceCheck dice = DiceVerifier.verifyDice(played.config(), state, record.text(), options);
        assertEquals(count("dice \\d", record.text()), dice.rolls());
    }

    @Test
    void everyDieOfASkirmishIsDrawnAgainAndNoOtherOne() {
        try (Client client = SERVER.client()) {
            // The bots reveal their entropy, too. A match may end before there were two rolls.
            Played played;
            String text;
            do {
                played = play(client, "skirmish", EntropyMode.ENTROPY_MODE_COMMIT_REVEAL);
                text = client.record(played.config().getMatchId()).text();
            } while (count("dice 3/", text) < 2);
            MatchConfig config = played.config();
            MatchState state = client.get(config.getMatchId()).getState();
            List<String> cards = client.game("skirmish").getCardsList().stream()
                    .map(CatalogEntry::getId)
                    .toList();
            // The stretches of the deck: six cards of dawn, and six of dusk.
            List<String> dusk = new ArrayList<>(List.of("", "", "", "", "", ""));
            dusk.addAll(cards.subList(6, cards.size()));
            DiceOptions options = DiceOptions.NONE
                    .withEntropies(played.entropies())
                    .withEvents(played.events())
                    .withBags(Map.of(0L, cards.subList(0, 6), 1L, dusk));
            DiceCheck check = DiceVerifier.verifyDice(config, state, text, options);
            assertEquals(count("draw [01]/", text), check.draws());
            assertEquals(count("dice \\d", text), check.rolls());
            // The back that is meant among several is a choice among those that the rules know.
            assertEquals(count("draw 3/", text), check.unchecked().size());

            MatchConfig other = config.toBuilder()
                    .setDice(config.getDice().toBuilder().setCommitment(ByteString.copyFrom(new byte[32])))
                    .build();
            assertRefuses("commitment", other, state, text, DiceOptions.NONE);
            DiceOptions zeros = DiceOptions.NONE.withEntropies(Map.of(1, ByteString.copyFrom(new byte[32])));
            assertRefuses("entropy of seat 1", config, state, text, zeros);
            DiceOptions wrongBag = DiceOptions.NONE.withBags(Map.of(0L, cards.subList(6, 12)));
            assertRefuses("draw 0/0", config, state, text, wrongBag);
            String chess = text.replace("game skirmish", "game chess");
            assertRefuses("the digest of the text", config, state, chess, DiceOptions.NONE);
            assertRefuses("the commitment", config, state, resealed(chess), DiceOptions.NONE);
            assertRefuses("the names", config, state, resealed(text.replace("\"Ann\"", "\"Eve\"")), DiceOptions.NONE);
            Matcher roll = Pattern.compile("(?m)^dice (\\d+/\\d+): (\\d)").matcher(text);
            assertTrue(roll.find());
            int face = Integer.parseInt(roll.group(2)) % 6 + 1;
            String changed = new StringBuilder(text)
                    .replace(roll.start(2), roll.end(2), Integer.toString(face))
                    .toString();
            assertRefuses("the dice " + roll.group(1), config, state, resealed(changed), DiceOptions.NONE);
            String shorter = text.replaceFirst("(?m)^dice \\d.*\\n", "");
            assertRefuses("the number of the dice", config, state, resealed(shorter), DiceOptions.NONE);
            Event unseen = Event.newBuilder()
                    .setSeq(7)
                    .setChanceRef(ChanceRef.newBuilder().setStream(3).setN(999))
                    .build();
            assertRefuses("draw 3/999", config, state, text, DiceOptions.NONE.withEvents(List.of(unseen)));
        }
    }

    @Test
    void ofARunningMatchThereIsNoDieToCheck() {
        try (Client client = SERVER.client()) {
            Match match = client.create("skirmish").getMatch();
            assertThrows(
                    Unverified.class,
                    () -> DiceVerifier.verifyDice(match.getConfig(), match.getState(), "edgehill record 2"));
        }
    }

    private static void assertRefuses(
            String said, MatchConfig config, MatchState state, String text, DiceOptions options) {
        Unverified error = assertThrows(Unverified.class, () -> DiceVerifier.verifyDice(config, state, text, options));
        assertTrue(error.getMessage().contains(said), said + ": " + error.getMessage());
    }

    /** Returns the lines of a record up to its result, with a digest of their own. */
    private static String resealed(String text) {
        String lines = text.substring(0, text.indexOf("\nend ") + 1);
        String joined = String.join("\n", RecordText.unwrapped(lines)) + "\n";
        return lines + "end " + Hashes.hex(Hashes.sha256("edgehill/record/2" + joined)) + "\n";
    }

    private static int count(String lineStart, String text) {
        return (int)
                Pattern.compile("(?m)^" + lineStart).matcher(text).results().count();
    }
}
