package dev.edgehill;

import static dev.edgehill.Asking.bothSeats;
import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.CreateMatchResponse;
import dev.edgehill.v1.EntropyMode;
import dev.edgehill.v1.EntropyState;
import dev.edgehill.v1.LegalAction;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.Termination;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bots: their choices, the refusals of these, and all that comes before a choice. */
class BotsTest {
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

    /** Takes whole actions, at random. */
    private static final class Chooser implements Bot {
        private final RandomBot random = new RandomBot(1);

        @Override
        public LegalDetail detail() {
            return LegalDetail.LEGAL_DETAIL_FULL;
        }

        @Override
        public ActionList choose(PlayedSeat seat, LegalActions legal) {
            assertTrue(seat.view().isPresent() && seat.config().isPresent());
            int id = random.choose(seat, legal).getIds().getValues(0);
            LegalAction chosen = legal.getActionsList().stream()
                    .filter(action -> action.getId() == id)
                    .findFirst()
                    .orElseThrow();
            return Actions.of(chosen);
        }
    }

    /** Never chooses. */
    private static final class Never implements Bot {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CompletableFuture<Boolean> wasGivenUp = new CompletableFuture<>();

        @Override
        public ActionList choose(PlayedSeat seat, LegalActions legal) throws InterruptedException {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupted) {
                wasGivenUp.complete(true);
                throw interrupted;
            }
            throw new AssertionError("the latch is never opened");
        }
    }

    @Test
    void manyMatchesAtOnce() {
        Map<Seat, Bot> bots = new LinkedHashMap<>();
        for (int match = 0; match < 3; match++) {
            Asking.Pair seats = bothSeats(client);
            bots.put(seats.north(), new Chooser());
            bots.put(seats.south(), new RandomBot(match));
        }
        Map<Seat, BotReport> reports = BotRunner.run(client, bots);
        assertEquals(bots.keySet(), reports.keySet());
        reports.forEach((seat, report) -> {
            assertEquals(seat.matchId(), report.matchId());
            assertEquals(seat.number().orElseThrow(), report.seat());
            assertEquals(MatchStatus.MATCH_STATUS_FINISHED, report.status());
            assertEquals(seat.get().getState().getResult(), report.result().orElseThrow());
            assertTrue(report.actions() > 0);
        });
    }

    @Test
    void botSeesTheTimeThatItHasLeftWhereThereAreClocks() {
        Duration bank = Duration.ofMinutes(10);
        for (boolean hasClock : List.of(true, false)) {
            String matchId = client.create("skirmish", terms -> {
                        if (hasClock) {
                            terms.getClockBuilder().getBankBuilder().setSeconds(bank.toSeconds());
                        }
                    })
                    .getMatch()
                    .getConfig()
                    .getMatchId();
            Queue<Optional<Duration>> told = new ConcurrentLinkedQueue<>();
            RandomBot random = new RandomBot(3);
            Bot bot = (seat, legal) -> {
                Optional<Duration> first = seat.timeLeft();
                told.add(first);
                Optional<Duration> second = seat.timeLeft();
                assertEquals(first.isPresent(), second.isPresent());
                assertTrue(first.isEmpty() || second.get().compareTo(first.get()) <= 0);
                synchronized (random) {
                    return random.choose(seat, legal);
                }
            };
            BotRunner.run(client, Map.of(client.join(matchId), bot, client.join(matchId), bot));
            assertFalse(told.isEmpty());
            for (Optional<Duration> left : told) {
                assertEquals(hasClock, left.isPresent());
                boolean isSound = left.isEmpty()
                        || left.get().compareTo(bank) <= 0 && left.get().compareTo(bank.dividedBy(2)) > 0;
                assertTrue(isSound, left.toString());
            }
        }
    }

    @Test
    void choiceThatIsRefused() {
        Asking.Pair seats = bothSeats(client);
        Bot stubborn = (seat, legal) -> Actions.id(4095);
        Map<Seat, Bot> bots = Map.of(seats.north(), stubborn, seats.south(), new RandomBot());
        refused("UNKNOWN_ACTION", () -> BotRunner.run(client, bots));
    }

    @Test
    void botThatFails() {
        RuntimeException fault = new IllegalStateException("no idea");
        Bot broken = (seat, legal) -> {
            throw fault;
        };
        Asking.Pair seats = bothSeats(client);
        assertSame(
                fault, assertThrows(IllegalStateException.class, () -> BotRunner.run(client, seats.north(), broken)));
        IOException cause = new IOException("no model");
        Bot cut = (seat, legal) -> {
            throw cause;
        };
        BotFailed failed = assertThrows(BotFailed.class, () -> BotRunner.run(client, seats.north(), cut));
        assertSame(cause, failed.getCause());
        Bot silent = new Bot() {
            @Override
            public ActionList choose(PlayedSeat seat, LegalActions legal) {
                return Actions.id(legal.getIds(0));
            }

            @Override
            public void onEvent(PlayedSeat seat, dev.edgehill.v1.Event event) {
                throw fault;
            }
        };
        assertThrows(IllegalStateException.class, () -> BotRunner.run(client, seats.north(), silent));
    }

    @Test
    void matchThatIsTakenBack() throws Exception {
        CreateMatchResponse made = client.create("skirmish");
        String matchId = made.getMatch().getConfig().getMatchId();
        Seat seat = client.join(matchId);
        CompletableFuture<BotReport> playing =
                CompletableFuture.supplyAsync(() -> BotRunner.run(client, seat, new RandomBot()));
        client.abort(matchId, call -> call.setCreatorToken(made.getCreatorToken()));
        assertEquals(MatchStatus.MATCH_STATUS_ABORTED, playing.get().status());
        assertTrue(playing.get().result().isEmpty());
    }

    @Test
    void playingIsGivenUp() throws Exception {
        Never bot = new Never();
        Seat north = bothSeats(client).north();
        CompletableFuture<Status.Code> ended = new CompletableFuture<>();
        Thread playing = new Thread(() -> {
            try {
                BotRunner.run(client, north, bot);
            } catch (CallFailed failed) {
                ended.complete(failed.code());
            }
        });
        playing.start();
        bot.asked.await();
        playing.interrupt();
        assertEquals(Status.Code.CANCELLED, ended.get());
        assertTrue(bot.wasGivenUp.get());
    }

    @Test
    void entropyIsRevealedWhenItIsDue() {
        String matchId = client.create(
                        "skirmish", terms -> terms.setEntropyMode(EntropyMode.ENTROPY_MODE_COMMIT_REVEAL))
                .getMatch()
                .getConfig()
                .getMatchId();
        Seat north = client.join(matchId);
        Seat south = client.join(matchId);
        BotRunner.run(client, Map.of(north, new RandomBot(), south, new RandomBot()));
        MatchState state = client.get(matchId).getState();
        state.getSeatsList().forEach(seat -> assertEquals(EntropyState.ENTROPY_STATE_REVEALED, seat.getEntropy()));
        assertEquals(
                List.of(north.entropy().orElseThrow(), south.entropy().orElseThrow()),
                state.getReveal().getEntropiesList());
    }

    @Test
    void choiceIsGivenUpWhenTheMatchHasEnded() throws Exception {
        Asking.Pair seats = bothSeats(client);
        Never bot = new Never();
        CompletableFuture<BotReport> playing =
                CompletableFuture.supplyAsync(() -> BotRunner.run(client, seats.north(), bot));
        bot.asked.await();
        seats.south().resign();
        assertEquals(
                Termination.TERMINATION_RESIGNATION,
                playing.get().result().orElseThrow().getTermination());
        assertTrue(bot.wasGivenUp.get());
    }

    @Test
    void choicesAreAwaitedAtTheSameTime() {
        // All bots are asked before any has chosen: one after the other they would wait forever.
        CountDownLatch left = new CountDownLatch(4);
        RandomBot random = new RandomBot();
        Bot slow = (seat, legal) -> {
            left.countDown();
            left.await();
            return random.choose(seat, legal);
        };
        Map<Seat, Bot> bots = new LinkedHashMap<>();
        for (int match = 0; match < 2; match++) {
            bothSeats(client).all().forEach(seat -> bots.put(seat, slow));
        }
        BotRunner.run(client, bots)
                .values()
                .forEach(report -> assertEquals(MatchStatus.MATCH_STATUS_FINISHED, report.status()));
    }

    @Test
    void seatThatIsOpenedElsewhereEndsTheBot() throws Exception {
        Seat north = bothSeats(client).north();
        Never bot = new Never();
        CompletableFuture<Refused> ended = CompletableFuture.supplyAsync(
                () -> assertThrows(Refused.class, () -> BotRunner.run(client, north, bot)));
        bot.asked.await();
        try (PlaySession twin = client.playSeats()) {
            twin.open(north);
            twin.next();
            assertEquals("OPENED_ELSEWHERE", ended.get().reasonName());
        }
    }
}
