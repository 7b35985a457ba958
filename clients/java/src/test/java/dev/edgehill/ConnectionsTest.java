package dev.edgehill;

import static dev.edgehill.Asking.all;
import static dev.edgehill.Asking.bothSeats;
import static dev.edgehill.Asking.create;
import static dev.edgehill.Asking.firstLegal;
import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.Termination;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that are lost, servers that are killed: nothing happens twice, nothing is missed, nothing comes twice. */
class ConnectionsTest {
    private final TestServer server = new TestServer();
    private Relay relay;
    private Client client;

    @BeforeEach
    void start() {
        server.start();
        relay = new Relay(server.address());
        client = relay.client();
    }

    @AfterEach
    void end() {
        client.close();
        relay.close();
        server.close();
    }

    /** Kills the server, and starts it again over the same store. */
    private void restart() {
        server.kill();
        server.start();
        relay.moveTo(server.address());
    }

    /**
     * Makes a call whose answer is lost. The server is killed when {@code until} has seen, by a way of its own, that the call
     * went through, and is started again; then the call's repetition gets an answer.
     */
    private <T> T whileAnswersAreLost(CompletableFuture<T> call, Consumer<Client> until) throws Exception {
        try (Client direct = server.client()) {
            until.accept(direct);
        }
        restart();
        return call.get();
    }

    @Test
    void applyHappensOnce() throws Exception {
        Seat north = bothSeats(client).north();
        long seq = north.view().getSeq();
        int action = firstLegal(north);
        relay.loseAnswers();
        SeatUpdate answer = whileAnswersAreLost(north.async().apply(Actions.id(action)), direct -> {
            try (Watch watch = direct.seat(north.matchId(), north.token()).watchMatch(from -> from.setAfterSeq(seq))) {
                while (watch.next().getEventsCount() == 0) {
                    // The state comes first.
                }
            }
        });
        assertEquals(1, answer.getApplyResult().getActions());
        var now = north.view();
        assertEquals(seq + 1, now.getSeq());
        assertEquals(List.of(action), now.getView().getDraftList());
        // With an id of its own it would have been refused: a card is picked already.
        refused("ILLEGAL_ACTION", () -> north.apply(Actions.id(action)));
    }

    @Test
    void createHappensOnce() throws Exception {
        client.games();
        relay.loseAnswers();
        var made = whileAnswersAreLost(client.async().create("skirmish"), direct -> {
            while (direct.matches().findAny().isEmpty()) {
                // It is on its way.
            }
        });
        List<String> listed =
                client.matches().map(match -> match.getConfig().getMatchId()).toList();
        assertEquals(List.of(made.getMatch().getConfig().getMatchId()), listed);
    }

    @Test
    void joinHappensOnce() throws Exception {
        String matchId = create(client);
        CountDownLatch hasLooked = new CountDownLatch(1);
        // A join looks at the match first; the answer to lose is the one after that.
        AsyncClient async = client.async();
        CompletableFuture<AsyncSeat> joining = Futures.then(async.get(matchId), match -> {
            relay.loseAnswers();
            hasLooked.countDown();
            return async.join(matchId, join -> join.setRequestId("mine"));
        });
        hasLooked.await();
        // The join's own look is lost, too, and repeated with everything else.
        restart();
        AsyncSeat seat = joining.get();
        assertEquals(0, seat.number().orElseThrow());
        MatchState state = client.get(matchId).getState();
        assertTrue(state.getSeats(0).getJoined());
        assertFalse(state.getSeats(1).getJoined());
        assertEquals(MatchStatus.MATCH_STATUS_WAITING, state.getStatus());
    }

    @Test
    void watchGoesOnBehindACutWithoutAGapOrARepetition() {
        Asking.Pair seats = bothSeats(client);
        Seat north = seats.north();
        Seat south = seats.south();
        ViewTracker tracker = new ViewTracker();
        List<Long> seen = new ArrayList<>();
        List<MatchState> states = new ArrayList<>();
        List<Long> prompts = new ArrayList<>();
        Watch watch = north.watchMatch(from -> from.setLegal(LegalDetail.LEGAL_DETAIL_IDS));
        Consumer<SeatUpdate> take = update -> {
            tracker.fold(update);
            update.getEventsList().forEach(event -> seen.add(event.getSeq()));
            if (update.hasState()) {
                states.add(update.getState());
            }
            if (update.hasLegalActions()) {
                prompts.add(update.getSeq());
            }
        };
        Consumer<Long> follow = seq -> {
            while (tracker.seq() < seq) {
                take.accept(watch.next());
            }
        };
        while (tracker.view().isEmpty() || prompts.isEmpty()) {
            take.accept(watch.next());
        }
        long first = tracker.seq();
        var legal = north.legal();
        assertEquals(List.of(legal.getSeq()), prompts);
        north.apply(Actions.id(legal.getLegalActions().getIds(0)));
        follow.accept(north.view().getSeq());
        restart();
        // The new connection begins with a prompt and a state that were handed out before.
        north.apply(Actions.line("done"));
        relay.cut();
        south.apply(Actions.id(firstLegal(south)));
        south.apply(Actions.line("done"));
        var now = north.view();
        follow.accept(now.getSeq());
        assertEquals(LongStream.rangeClosed(first + 1, now.getSeq()).boxed().toList(), seen);
        assertEquals(now.getView(), tracker.view().orElseThrow());

        // It says so when the match is finished, and ends.
        south.resign();
        watch.forEachRemaining(take);
        assertEquals(north.view().getSeq(), watch.seq().orElseThrow());
        assertEquals(
                MatchStatus.MATCH_STATUS_FINISHED, states.get(states.size() - 1).getStatus());
        assertEquals(prompts.size(), new HashSet<>(prompts).size(), "no prompt comes twice");
    }

    @Test
    void watchGoesOnBehindAServerThatStopsInOrder() {
        Seat north = bothSeats(client).north();
        try (Watch watch = north.watchMatch()) {
            while (!watch.next().hasView()) {
                // The state may come first.
            }
            server.stop();
            server.start();
            relay.moveTo(server.address());
            north.apply(Actions.id(firstLegal(north)));
            SeatUpdate update = watch.next();
            assertEquals(1, update.getEventsCount());
            assertEquals(north.view().getSeq(), update.getEvents(0).getSeq());
        }
    }

    @Test
    void watchThatBeginsBeforeTheMatchHasItsViewFromALaterConnection() {
        String matchId = create(client);
        Watch watch = client.watchMatch(matchId);
        ViewTracker tracker = new ViewTracker();
        tracker.fold(watch.next());
        assertTrue(watch.seq().isEmpty());
        assertTrue(tracker.view().isEmpty());
        restart();
        Seat north = client.join(matchId);
        client.join(matchId);
        north.resign();
        watch.forEachRemaining(tracker::fold);
        assertEquals(client.view(matchId).getView(), tracker.view().orElseThrow());
        assertEquals(
                MatchStatus.MATCH_STATUS_FINISHED, tracker.state().orElseThrow().getStatus());
    }

    @Test
    void watchThatWaitsIsClosed() throws Exception {
        Watch watch = bothSeats(client).north().watchMatch();
        while (!watch.next().hasView()) {
            // The state may come first.
        }
        CompletableFuture<List<SeatUpdate>> rest = CompletableFuture.supplyAsync(() -> all(watch));
        watch.close();
        assertEquals(List.of(), rest.get());
    }

    @Test
    void seatsGoOnThroughAServerThatIsKilledWithEveryTenthCallUnderWay() {
        List<Seat> seats = bothSeats(client).all();
        Map<String, List<Long>> seen = new HashMap<>();
        seats.forEach(seat -> seen.put(seat.token(), new ArrayList<>()));
        RandomBot bot = new RandomBot(3);
        int calls = 0;
        try (PlaySession session = client.playSeats()) {
            List<PlayedSeat> played = seats.stream().map(session::open).toList();
            for (PlayEvent news : session) {
                news.refused().ifPresent(refused -> {
                    throw refused;
                });
                news.events().forEach(event -> seen.get(news.seat().token()).add(event.getSeq()));
                if (news.legal().isEmpty()) {
                    continue;
                }
                calls += 1;
                boolean isLost = calls % 10 == 0;
                if (isLost) {
                    relay.loseAnswers();
                }
                news.seat().apply(bot.choose(news.seat(), news.legal().get()));
                if (isLost) {
                    restart();
                }
            }
            assertTrue(calls > 15, "calls: " + calls);
            assertTrue(session.connections() > 1);
            for (PlayedSeat mine : played) {
                Seat seat = client.seat(seats.get(0).matchId(), mine.token());
                var now = seat.view();
                assertEquals(now.getView(), mine.view().orElseThrow());
                assertEquals(
                        MatchStatus.MATCH_STATUS_FINISHED,
                        mine.state().orElseThrow().getStatus());
                List<Long> numbers = seen.get(mine.token());
                long first = now.getSeq() - numbers.size() + 1;
                assertEquals(LongStream.rangeClosed(first, now.getSeq()).boxed().toList(), numbers);
            }
        }
    }

    @Test
    void seatThatIsOpenedBeforeTheMatchHasItsViewFromALaterConnection() {
        String matchId = create(client);
        Seat north = client.join(matchId);
        try (PlaySession session = client.playSeats()) {
            PlayedSeat mine = session.open(north);
            session.next();
            assertEquals(
                    MatchStatus.MATCH_STATUS_WAITING, mine.state().orElseThrow().getStatus());
            assertTrue(mine.view().isEmpty());
            restart();
            Seat south = client.join(matchId);
            while (mine.legal().isEmpty()) {
                session.next();
            }
            assertEquals(north.view().getView(), mine.view().orElseThrow());
            south.resign();
            List<PlayEvent> news = all(session);
            assertTrue(news.get(news.size() - 1).closed());
            assertTrue(mine.isClosed());
            MatchState state = mine.state().orElseThrow();
            assertEquals(Termination.TERMINATION_RESIGNATION, state.getResult().getTermination());
            assertThrows(EdgehillException.class, mine::resign);
        }
    }

    @Test
    void refusedCallLeavesThePrompt() {
        Asking.Pair seats = bothSeats(client);
        try (PlaySession session = client.playSeats()) {
            PlayedSeat mine = session.open(seats.north());
            PlayEvent news = session.next();
            while (news.legal().isEmpty()) {
                news = session.next();
            }
            int card = news.legal().get().getIds(0);
            String twice = mine.apply(Actions.ids(List.of(card, card)));
            while (news.refused().isEmpty()) {
                news = session.next();
            }
            assertEquals(twice, news.requestId());
            assertEquals(card, news.legal().orElseThrow().getIds(0));
            news = answer(session, mine.apply(Actions.id(card)));
            assertEquals(1, news.applyResult().orElseThrow().getActions());
            news = answer(session, mine.undo());
            assertEquals(1, news.applyResult().orElseThrow().getActions());
            assertEquals("mine", mine.call(call -> call.setRequestId("mine").getOfferDrawBuilder()));
            while (mine.state().orElseThrow().getDrawOffersCount() != 1) {
                session.next();
            }
            seats.south().declineDraw();
            while (mine.state().orElseThrow().getDrawOffersCount() != 0) {
                session.next();
            }
            assertThrows(IllegalArgumentException.class, () -> mine.call(call -> call.setRequestId("none")));
            mine.close();
            List<PlayEvent> rest = all(session);
            PlayEvent last = rest.get(rest.size() - 1);
            assertTrue(last.closed());
            assertTrue(last.refused().isEmpty());
        }
    }

    @Test
    void seatIsTakenOver() {
        Seat north = bothSeats(client).north();
        try (PlaySession first = client.playSeats();
                PlaySession second = client.playSeats()) {
            first.open(north);
            first.next();
            PlayedSeat mine = second.open(north);
            second.next();
            List<PlayEvent> rest = all(first);
            PlayEvent last = rest.get(rest.size() - 1);
            assertTrue(last.closed());
            Refused refused = last.refused().orElseThrow();
            assertEquals(ErrorReason.ERROR_REASON_OPENED_ELSEWHERE, refused.reason());
            assertFalse(mine.isClosed());
        }
    }

    @Test
    void repetitionEnds() {
        Seat north = bothSeats(client).north();
        RetryPolicy once = RetryPolicy.DEFAULT.withDeadline(Duration.ZERO);
        try (Client hasty = Client.builder(relay.address()).retry(once).build()) {
            hasty.games();
            server.kill();
            relay.cut();
            CallFailed failed = assertThrows(CallFailed.class, hasty::games);
            assertFalse(failed instanceof ConnectFailed);
            assertThrows(
                    CallFailed.class, () -> hasty.watchMatch(north.matchId()).next());
            PlaySession session = hasty.playSeats();
            session.open(north);
            assertThrows(CallFailed.class, session::next);
        }
        server.start();
    }

    @Test
    void clientThatIsClosedMakesNoCallsAndThoseUnderWayEnd() {
        Watch watch = bothSeats(client).north().watchMatch();
        while (!watch.next().hasView()) {
            // The state may come first.
        }
        CompletableFuture<SeatUpdate> waiting = CompletableFuture.supplyAsync(watch::next);
        server.kill();
        relay.cut();
        CompletableFuture<?> call = client.async().games();
        client.close();
        for (CompletableFuture<?> ended : List.of(waiting, call)) {
            ExecutionException failed = assertThrows(ExecutionException.class, ended::get);
            CallFailed closed = assertInstanceOf(CallFailed.class, failed.getCause());
            assertEquals("CANCELLED: the client is closed", closed.getMessage());
        }
        assertThrows(CallFailed.class, client::games);
        assertThrows(CallFailed.class, () -> client.watchMatch("any").next());
        server.start();
    }

    @Test
    void threadThatIsInterruptedGivesItsCallUp() throws Exception {
        Seat north = bothSeats(client).north();
        relay.loseAnswers();
        List<Runnable> waits = List.of(
                client::games,
                () -> client.join(north.matchId()),
                () -> north.watchMatch().next(),
                () -> {
                    try (PlaySession session = client.playSeats()) {
                        session.open(north);
                        session.next();
                    }
                });
        for (Runnable wait : waits) {
            CompletableFuture<Boolean> stays = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    wait.run();
                    stays.completeExceptionally(new AssertionError("there was an answer"));
                } catch (CallFailed failed) {
                    stays.complete(failed.code() == Status.Code.CANCELLED
                            && Thread.currentThread().isInterrupted());
                }
            });
            thread.start();
            thread.interrupt();
            assertTrue(stays.get());
        }
    }

    @Test
    void serverThatIsNoneOrIsSilentIsToldSoon() throws IOException {
        int free;
        try (ServerSocket unbound = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = unbound.getLocalPort();
        }
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            for (int port : List.of(free, silent.getLocalPort())) {
                String address = "127.0.0.1:" + port;
                List<Consumer<Client>> calls =
                        List.of(Client::games, asked -> asked.watchMatch("any").next(), asked -> {
                            PlaySession session = asked.playSeats();
                            session.open("ehs_any");
                            session.next();
                        });
                for (Consumer<Client> call : calls) {
                    RetryPolicy soon = RetryPolicy.DEFAULT.withConnect(Duration.ofSeconds(1));
                    try (Client lost = Client.builder(address).retry(soon).build()) {
                        ConnectFailed error = assertThrows(ConnectFailed.class, () -> call.accept(lost));
                        assertEquals("http://" + address, error.url());
                        assertTrue(error.getMessage().startsWith("no server answers at http://" + address + ": "));
                        assertTrue(error.getMessage().contains("`make run`"));
                        assertEquals(
                                port == free, error.getMessage().contains("Connection refused"), error.getMessage());
                    }
                }
            }
        }
    }

    @Test
    void serverThatComesInTimeIsFound() {
        server.kill();
        RetryPolicy soon = RetryPolicy.DEFAULT.withConnect(Duration.ofMillis(200));
        try (Client early = Client.builder(relay.address()).retry(soon).build()) {
            assertThrows(ConnectFailed.class, early::games);
            server.start();
            relay.moveTo(server.address());
            assertFalse(early.games().isEmpty());
        }
    }

    private static PlayEvent answer(PlaySession session, String requestId) {
        PlayEvent news = session.next();
        while (!news.requestId().equals(requestId)) {
            news = session.next();
        }
        return news;
    }
}
