package dev.edgehill;

import static dev.edgehill.Asking.all;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.edgehill.v1.ApplyResult;
import dev.edgehill.v1.Change;
import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LegalActions;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.MatchResult;
import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.PlaySeatsRequest;
import dev.edgehill.v1.PlaySeatsResponse;
import dev.edgehill.v1.Refusal;
import dev.edgehill.v1.SeatUpdate;
import dev.edgehill.v1.View;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Streams at what a server says rarely, or what a newer one says: against a server that is a few lines of this test. */
class StreamsTest {
    private static final Match MATCH = Match.newBuilder()
            .setConfig(MatchConfig.newBuilder().setMatchId("match"))
            .setSeq(3)
            .build();
    private static final SeatUpdate PROMPT = SeatUpdate.newBuilder()
            .setStatus(MatchStatus.MATCH_STATUS_RUNNING)
            .setSeq(3)
            .setToAct(true)
            .setLegalActions(LegalActions.newBuilder().addIds(5))
            .build();

    /** What a server does on one connection; the stream ends with it. */
    private interface Script {
        void play(Wire wire) throws Exception;
    }

    /** One connection, as the server has it: each is counted, from 1. */
    private record Wire(
            int connection,
            BlockingQueue<PlaySeatsRequest> requests,
            StreamObserver<PlaySeatsResponse> answers,
            CountDownLatch hasLooked) {
        PlaySeatsRequest take() throws InterruptedException {
            return requests.take();
        }

        void opened() {
            send(
                    "",
                    answer -> answer.getOpenedBuilder()
                            .setMatch(MATCH)
                            .setView(View.newBuilder().addDraft(1)));
        }

        void update(SeatUpdate update, String requestId) {
            send(requestId, answer -> answer.setUpdate(update));
        }

        void applied(String requestId) {
            ApplyResult result = ApplyResult.newBuilder().setActions(1).build();
            SeatUpdate update = SeatUpdate.newBuilder()
                    .setStatus(MatchStatus.MATCH_STATUS_RUNNING)
                    .setSeq(3)
                    .setApplyResult(result)
                    .build();
            update(update, requestId);
        }

        void refuse(ErrorReason reason, Status.Code code, String requestId) {
            send(requestId, answer -> answer.setRefusal(refusal(reason, code)));
        }

        void closed() {
            send("", answer -> answer.setClosed(PlaySeatsResponse.Closed.getDefaultInstance()));
        }

        private void send(String requestId, Consumer<PlaySeatsResponse.Builder> message) {
            PlaySeatsResponse.Builder answer =
                    PlaySeatsResponse.newBuilder().setChannel(1).setRequestId(requestId);
            message.accept(answer);
            answers.onNext(answer.build());
        }
    }

    /** A server that plays so. */
    private static final class Played extends MatchServiceGrpc.MatchServiceImplBase implements AutoCloseable {
        private final Script script;
        private final AtomicInteger connections = new AtomicInteger();
        private final CountDownLatch hasLooked = new CountDownLatch(1);
        private final List<String> looked = Collections.synchronizedList(new ArrayList<>());
        private final Server server;
        private final Client client;

        Played(Script script) throws Exception {
            this.script = script;
            this.server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .addService(this)
                    .build()
                    .start();
            RetryPolicy quick = RetryPolicy.DEFAULT.withPauses(Duration.ofMillis(1), Duration.ofSeconds(1));
            this.client =
                    Client.builder("127.0.0.1:" + server.getPort()).retry(quick).build();
        }

        @Override
        public StreamObserver<PlaySeatsRequest> playSeats(StreamObserver<PlaySeatsResponse> answers) {
            BlockingQueue<PlaySeatsRequest> requests = new LinkedBlockingQueue<>();
            Wire wire = new Wire(connections.incrementAndGet(), requests, answers, hasLooked);
            Thread thread = new Thread(() -> {
                try {
                    script.play(wire);
                    answers.onCompleted();
                } catch (Exception | AssertionError failure) {
                    answers.onError(
                            Status.INTERNAL.withDescription(failure.toString()).asException());
                }
            });
            thread.setDaemon(true);
            thread.start();
            return new StreamObserver<>() {
                @Override
                public void onNext(PlaySeatsRequest request) {
                    requests.add(request);
                }

                @Override
                public void onError(Throwable gone) {
                    // The client has gone.
                }

                @Override
                public void onCompleted() {
                    // It sends no more.
                }
            };
        }

        @Override
        public void getView(GetViewRequest request, StreamObserver<GetViewResponse> answer) {
            looked.add(request.getMatchId());
            hasLooked.countDown();
            answer.onNext(GetViewResponse.newBuilder()
                    .setSeq(4)
                    .setView(View.newBuilder().addDraft(1).addDraft(4))
                    .setMatch(MATCH)
                    .build());
            answer.onCompleted();
        }

        @Override
        public void close() {
            client.close();
            server.shutdownNow();
        }
    }

    @Test
    void timeForADecisionIsThereAsLongAsTheDecisionIs() throws Exception {
        SeatUpdate.Builder prompt = PROMPT.toBuilder();
        prompt.getTimeLeftBuilder().getLeftBuilder().setSeconds(90);
        Script script = wire -> {
            wire.take();
            wire.opened();
            wire.update(prompt.build(), "");
            wire.applied(wire.take().getRequestId());
            wire.update(prompt.build(), "");
            wire.refuse(
                    ErrorReason.ERROR_REASON_ILLEGAL_ACTION,
                    Status.Code.INVALID_ARGUMENT,
                    wire.take().getRequestId());
            wire.refuse(
                    ErrorReason.ERROR_REASON_NOT_YOUR_TURN,
                    Status.Code.FAILED_PRECONDITION,
                    wire.take().getRequestId());
            wire.update(prompt.build(), "");
            wire.closed();
        };
        List<Boolean> seen = new ArrayList<>();
        try (Played played = new Played(script);
                PlaySession session = played.client.playSeats()) {
            PlayedSeat mine = session.open("ehs_any");
            for (PlayEvent ignored : session) {
                var left = mine.timeLeft();
                seen.add(left.isPresent());
                assertTrue(left.isEmpty() || left.get().compareTo(Duration.ofSeconds(90)) <= 0);
                if (List.of(1, 3, 4).contains(seen.size())) {
                    mine.apply(Actions.id(5));
                }
            }
        }
        assertEquals(List.of(true, false, true, true, false, true, false), seen);
    }

    @Test
    void viewIsAskedForWhereEventsDoNotGiveIt() throws Exception {
        Script script = wire -> {
            wire.take();
            wire.opened();
            Event unknown = Event.newBuilder()
                    .setSeq(4)
                    .addChanges(Change.getDefaultInstance())
                    .build();
            wire.update(
                    PROMPT.toBuilder()
                            .clearLegalActions()
                            .setSeq(4)
                            .addEvents(unknown)
                            .build(),
                    "");
            wire.closed();
        };
        try (Played played = new Played(script)) {
            PlaySession session = played.client.playSeats();
            PlayedSeat mine = session.open("ehs_any");
            session.next();
            assertEquals(List.of("match"), played.looked);
            assertEquals(List.of(1, 4), mine.view().orElseThrow().getDraftList());
            assertEquals(4, mine.seq());
            assertTrue(session.next().closed());
        }
    }

    @Test
    void serverThatStopsIsCalledAnewAndTheCallThatHasNoAnswerMadeAgain() throws Exception {
        List<String> applied = Collections.synchronizedList(new ArrayList<>());
        List<OptionalLong> cursors = Collections.synchronizedList(new ArrayList<>());
        Script script = wire -> {
            PlaySeatsRequest.Open open = wire.take().getOpen();
            cursors.add(open.hasAfterSeq() ? OptionalLong.of(open.getAfterSeq()) : OptionalLong.empty());
            wire.opened();
            if (wire.connection() == 1) {
                wire.update(PROMPT, "");
            }
            String requestId = wire.take().getRequestId();
            applied.add(requestId);
            if (wire.connection() == 1) {
                Refusal draining = refusal(ErrorReason.ERROR_REASON_DRAINING, Status.Code.UNAVAILABLE);
                wire.send("", answer -> answer.getClosedBuilder().setRefusal(draining));
            }
            // A stream that ends before its seats are closed is lost as well.
            if (wire.connection() == 3) {
                wire.applied(requestId);
                wire.closed();
            }
        };
        try (Played played = new Played(script)) {
            PlaySession session = played.client.playSeats();
            PlayedSeat mine = session.open("ehs_any");
            assertEquals(List.of(5), session.next().legal().orElseThrow().getIdsList());
            String id = mine.apply(Actions.id(5));
            PlayEvent news = session.next();
            assertEquals(id, news.requestId());
            assertEquals(1, news.applyResult().orElseThrow().getActions());
            assertEquals(List.of(id, id, id), applied);
            assertEquals(List.of(OptionalLong.empty(), OptionalLong.of(3), OptionalLong.of(3)), cursors);
            assertEquals(3, session.connections());
        }
    }

    @Test
    void whileACallHasNoAnswerNoPromptIsHandedOn() throws Exception {
        Script script = wire -> {
            wire.take();
            wire.opened();
            wire.update(PROMPT, "");
            String requestId = wire.take().getRequestId();
            wire.update(PROMPT, "");
            wire.applied(requestId);
            wire.closed();
        };
        try (Played played = new Played(script)) {
            PlaySession session = played.client.playSeats();
            PlayedSeat mine = session.open("ehs_any");
            session.next();
            mine.apply(Actions.id(5));
            List<PlayEvent> rest = all(session);
            assertEquals(3, rest.size());
            assertTrue(rest.stream().allMatch(news -> news.legal().isEmpty()));
        }
    }

    @Test
    void channelThatTheServerHasClosedIsClosed() throws Exception {
        Script script = wire -> {
            wire.take();
            wire.opened();
            wire.update(PROMPT, "");
            assertTrue(wire.take().hasClose());
            wire.refuse(ErrorReason.ERROR_REASON_UNKNOWN_CHANNEL, Status.Code.FAILED_PRECONDITION, "");
        };
        try (Played played = new Played(script)) {
            PlaySession session = played.client.playSeats();
            PlayedSeat mine = session.open("ehs_any");
            session.next();
            mine.close();
            // That there is nothing to close is no failure.
            PlayEvent last = session.next();
            assertTrue(last.closed() && last.refused().isEmpty());
        }
    }

    @TestFactory
    Stream<DynamicTest> choiceThatSomethingCameBeforeIsNoErrorOfTheBot() {
        return SeatProgress.OVERTAKEN.stream()
                .map(reason -> dynamicTest(reason.name(), () -> {
                    MatchResult result = MatchResult.newBuilder()
                            .setCode("resigned")
                            .addReturns(1)
                            .addReturns(-1)
                            .build();
                    MatchState state = MatchState.newBuilder()
                            .setStatus(MatchStatus.MATCH_STATUS_FINISHED)
                            .setResult(result)
                            .build();
                    Script script = wire -> {
                        wire.take();
                        wire.opened();
                        wire.update(PROMPT, "");
                        wire.refuse(
                                reason,
                                Status.Code.FAILED_PRECONDITION,
                                wire.take().getRequestId());
                        wire.update(
                                SeatUpdate.newBuilder()
                                        .setSeq(3)
                                        .setState(state)
                                        .build(),
                                "");
                        wire.closed();
                    };
                    try (Played played = new Played(script)) {
                        Seat seat = played.client.seat("match", "ehs_any");
                        BotReport report = BotRunner.run(played.client, seat, new RandomBot());
                        assertEquals(result, report.result().orElseThrow());
                        assertEquals(0, report.actions());
                    }
                }));
    }

    @Test
    void matchThatWasStoppedIsLeft() throws Exception {
        List<MatchStatus> stopped = List.of(MatchStatus.MATCH_STATUS_QUARANTINED, MatchStatus.MATCH_STATUS_UNPLAYABLE);
        for (MatchStatus status : stopped) {
            Script script = wire -> {
                wire.take();
                wire.opened();
                wire.update(
                        SeatUpdate.newBuilder()
                                .setSeq(3)
                                .setStatus(status)
                                .setState(MatchState.newBuilder().setStatus(status))
                                .build(),
                        "");
                assertTrue(wire.take().hasClose());
                wire.closed();
            };
            try (Played played = new Played(script)) {
                Seat seat = played.client.seat("match", "ehs_any");
                BotReport report = BotRunner.run(played.client, seat, new RandomBot());
                assertEquals(status, report.status());
                assertTrue(report.result().isEmpty());
            }
        }
    }

    @Test
    void promptThatComesOnceMoreIsThoughtAboutOnce() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch chosen = new CountDownLatch(1);
        Bot bot = (seat, legal) -> {
            asked.incrementAndGet();
            chosen.await();
            return Actions.id(5);
        };
        Script script = wire -> {
            wire.take();
            wire.opened();
            wire.update(PROMPT, "");
            if (wire.connection() == 1) {
                return;
            }
            // An event that does not fold has the runner ask for the view, after it has taken the prompt before.
            Event unknown = Event.newBuilder()
                    .setSeq(4)
                    .addChanges(Change.getDefaultInstance())
                    .build();
            wire.update(
                    PROMPT.toBuilder()
                            .clearLegalActions()
                            .setSeq(4)
                            .addEvents(unknown)
                            .build(),
                    "");
            wire.hasLooked().await();
            chosen.countDown();
            wire.applied(wire.take().getRequestId());
            wire.closed();
        };
        try (Played played = new Played(script)) {
            BotReport report = BotRunner.run(played.client, played.client.seat("match", "ehs_any"), bot);
            assertEquals(1, report.actions());
            assertEquals(1, asked.get());
        }
    }

    private static Refusal refusal(ErrorReason reason, Status.Code code) {
        return Refusal.newBuilder().setReason(reason).setCode(code.value()).build();
    }
}
