package dev.edgehill;

import static dev.edgehill.Asking.bothSeats;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.edgehill.v1.ListMatchesRequest;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatUpdate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that return at once, and streams as publishers. */
class AsyncTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    /** Keeps all that it is told, and asks for one item at a time. */
    private static final class Kept<T> implements Flow.Subscriber<T> {
        private final List<T> items = new ArrayList<>();
        private final CompletableFuture<T> first = new CompletableFuture<>();
        private final CompletableFuture<List<T>> all = new CompletableFuture<>();
        private Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(T item) {
            items.add(item);
            first.complete(item);
            subscription.request(1);
        }

        @Override
        public void onError(Throwable failure) {
            all.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            all.complete(items);
        }
    }

    @Test
    void seatIsPlayedWithoutWaiting() throws Exception {
        try (Client client = SERVER.client()) {
            AsyncClient async = client.async();
            CompletableFuture<SeatUpdate> played = async.create("skirmish")
                    .thenCompose(made -> async.join(made.getMatch().getConfig().getMatchId()))
                    .thenCompose(north -> async.join(north.matchId())
                            .thenCompose(south -> north.legal()
                                    .thenCompose(legal -> north.apply(
                                            Actions.id(legal.getLegalActions().getIds(0))))));
            assertEquals(1, played.get().getApplyResult().getActions());
            var page =
                    async.matches(ListMatchesRequest.newBuilder().setPageSize(1).build());
            assertEquals(1, page.get().getMatchesCount());
            CompletableFuture<?> refused = async.create("chess");
            ExecutionException failed = assertThrows(ExecutionException.class, refused::get);
            assertEquals(
                    "UNKNOWN_GAME",
                    assertInstanceOf(Refused.class, failed.getCause()).reasonName());
        }
    }

    @Test
    void callIsCancelled() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Client client = Client.connect("127.0.0.1:" + silent.getLocalPort())) {
            List<CompletableFuture<?>> calls = List.of(
                    client.async().games(),
                    client.async().join("any"),
                    client.async().seat("any", "ehs_any").resign());
            for (CompletableFuture<?> call : calls) {
                assertTrue(call.cancel(true));
                assertThrows(CancellationException.class, call::join);
            }
        }
    }

    @Test
    void streamIsPublished() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Client client = SERVER.client()) {
            Asking.Pair seats = bothSeats(client);
            Kept<SeatUpdate> kept = new Kept<>();
            Watch watch = client.watchMatch(seats.north().matchId());
            Flow.Publisher<SeatUpdate> publisher = watch.publisher(executor);
            publisher.subscribe(kept);
            kept.first.get();
            seats.north().resign();
            ViewTracker tracker = new ViewTracker();
            kept.all.get().forEach(tracker::fold);
            assertEquals(MatchStatus.MATCH_STATUS_FINISHED, tracker.status());
            assertEquals(
                    client.view(seats.north().matchId()).getView(),
                    tracker.view().orElseThrow());
            Kept<SeatUpdate> second = new Kept<>();
            publisher.subscribe(second);
            assertInstanceOf(
                    IllegalStateException.class,
                    assertThrows(ExecutionException.class, second.all::get).getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void subscriptionIsCancelledOrFails() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Client client = SERVER.client()) {
            Kept<SeatUpdate> kept = new Kept<>();
            Watch watch = client.watchMatch(bothSeats(client).north().matchId());
            watch.publisher(executor).subscribe(kept);
            kept.first.get();
            kept.subscription.cancel();
            Kept<SeatUpdate> unknown = new Kept<>();
            client.watchMatch("none").publisher(executor).subscribe(unknown);
            assertInstanceOf(
                    Refused.class,
                    assertThrows(ExecutionException.class, unknown.all::get).getCause());
            // Nobody reads any more, and what was not taken is the end.
            executor.shutdown();
            assertTrue(executor.awaitTermination(1, TimeUnit.MINUTES));
            assertTrue(Asking.all(watch).size() <= 1);
        } finally {
            executor.shutdownNow();
        }
    }
}
