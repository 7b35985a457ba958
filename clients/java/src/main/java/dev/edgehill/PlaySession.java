package dev.edgehill;

import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.PlaySeatsRequest;
import dev.edgehill.v1.PlaySeatsResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A stream for any number of seats, of as many matches as one likes: an iterator of their news.
 *
 * <p>The iteration ends when no seat is open any more. After a lost connection each seat goes on from its last event, and calls
 * that were not answered are sent again as they were: no event is missed or repeated, and no call happens twice.
 *
 * <p>One thread iterates, and waits; {@link #open}, {@link #close} and the seats are for any number of threads.
 */
public final class PlaySession implements Iterable<PlayEvent>, Iterator<PlayEvent>, AutoCloseable {
    private final Connection connection;
    private final Optional<String> key;
    private final Object lock = new Object();
    private final Ending ending;
    private final Outage outage;
    private final Outage refusals;

    // All that follows is guarded by the lock, but for the news that the iterating thread looks ahead to.
    private final Map<Integer, Open> seats = new LinkedHashMap<>();
    private final Deque<PlayEvent> news = new ArrayDeque<>();
    private final Deque<Open> stale = new ArrayDeque<>();
    private int channels;
    private int connections;
    private OpenStream<PlaySeatsRequest, PlaySeatsResponse> stream;

    private PlayEvent ahead;

    /** A seat, as its player has it and as the session has it. */
    private record Open(PlayedSeat seat, SeatProgress progress) {}

    PlaySession(Connection connection, Optional<String> key) {
        this.connection = connection;
        this.key = key;
        this.outage = Outage.ofStream(connection.policy(), System::nanoTime);
        this.refusals = Outage.ofStream(connection.policy(), System::nanoTime);
        this.ending = new Ending(connection, this::hangUp);
    }

    /** Opens a seat. Wherever else it is open, it is closed there. */
    public PlayedSeat open(Seat seat) {
        return open(seat.token());
    }

    /** Opens a seat by its token; throws {@link InvalidOption} for a text that is none. */
    public PlayedSeat open(String token) {
        return open(token, opening -> {});
    }

    /**
     * Opens a seat by its token, as the request says: with which detail of legal actions in prompts; without events and view,
     * for a player that goes by the legal actions alone; with words.
     */
    public PlayedSeat open(String token, Consumer<PlaySeatsRequest.Open.Builder> options) {
        PlaySeatsRequest.Open.Builder opening = PlaySeatsRequest.Open.newBuilder();
        options.accept(opening);
        opening.setSeatToken(Tokens.checked(token));
        synchronized (lock) {
            channels += 1;
            SeatProgress progress = new SeatProgress(channels, opening.build(), connection.policy());
            PlayedSeat seat = new PlayedSeat(this, progress);
            seats.put(channels, new Open(seat, progress));
            // Without a connection it goes with the next one, since seats keep all that is not answered.
            if (stream != null) {
                progress.toSend().forEach(stream::send);
            }
            return seat;
        }
    }

    /** Returns the number of the connections so far. */
    public int connections() {
        synchronized (lock) {
            return connections;
        }
    }

    /** Returns itself: a stream is iterated over once. */
    @Override
    public Iterator<PlayEvent> iterator() {
        return this;
    }

    /**
     * Waits for the next news; returns false when no seat is open any more, or the session was closed.
     *
     * @throws CallFailed if the stream got no answer for as long as the {@link RetryPolicy} says, the client is closed, or the
     *     thread is interrupted; the session is closed then
     */
    @Override
    public boolean hasNext() {
        if (ahead == null) {
            ahead = awaitNews();
        }
        return ahead != null;
    }

    /** Returns the next news, as {@link #hasNext} waits for it; throws {@link NoSuchElementException} at the end. */
    @Override
    public PlayEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no seat is open any more");
        }
        PlayEvent next = ahead;
        ahead = null;
        return next;
    }

    /** Ends the stream, and an iteration that waits. The seats keep their places. */
    @Override
    public void close() {
        ending.close();
    }

    Object lock() {
        return lock;
    }

    /** Sends a call of a seat, or keeps it for the next connection; returns its request id. */
    String send(SeatProgress progress, PlaySeatsRequest.Builder call) {
        synchronized (lock) {
            Optional<PlaySeatsRequest> request = progress.call(call);
            if (stream != null) {
                request.ifPresent(stream::send);
            }
            return call.getRequestId();
        }
    }

    private PlayEvent awaitNews() {
        try {
            while (!ending.isClosed()) {
                lookAtStale();
                synchronized (lock) {
                    PlayEvent next = news.poll();
                    if (next != null || seats.isEmpty()) {
                        if (next == null) {
                            hangUp();
                        }
                        return next;
                    }
                }
                ending.awaitConnection();
                receive();
            }
        } catch (EdgehillException failure) {
            boolean wasClosed = ending.isClosed();
            close();
            if (!wasClosed) {
                failure.fillInStackTrace();
                throw failure;
            }
        }
        return null;
    }

    /** Asks for the views of seats whose events do not give them. */
    private void lookAtStale() {
        Open seat;
        while ((seat = nextStale()) != null) {
            String matchId =
                    seat.seat().config().map(config -> config.getMatchId()).orElse("");
            GetViewRequest request = GetViewRequest.newBuilder()
                    .setMatchId(matchId)
                    .setIncludeText(seat.progress().includesText())
                    .build();
            Optional<String> token = Optional.of(seat.progress().token());
            GetViewResponse found = Futures.await(connection.call(MatchServiceGrpc.getGetViewMethod(), request, token));
            synchronized (lock) {
                seat.progress().looked(found);
                stale.removeLastOccurrence(seat);
            }
        }
    }

    private Open nextStale() {
        synchronized (lock) {
            return stale.peekLast();
        }
    }

    /** Takes the next message of the stream, or opens the stream again. */
    private void receive() {
        OpenStream.Item<PlaySeatsResponse> item;
        try {
            item = opened().take();
        } catch (InterruptedException interrupted) {
            throw Futures.interrupted(interrupted);
        }
        if (item.message() == null) {
            hangUp();
            EdgehillException failure = item.failure() != null
                    ? item.failure()
                    : new CallFailed(Status.Code.UNAVAILABLE, "the server has ended the stream", null);
            ending.pauseAfter(failure, outage);
            return;
        }
        connection.answered();
        outage.end();
        Optional<Duration> pause;
        synchronized (lock) {
            pause = take(item.message(), item.at());
        }
        if (pause.isPresent()) {
            hangUp();
            ending.pause(pause.get());
        }
    }

    private OpenStream<PlaySeatsRequest, PlaySeatsResponse> opened() {
        synchronized (lock) {
            if (stream == null) {
                // A seat's token lets in as well as a key where accounts are asked for.
                Optional<String> token = key.or(() -> seats.values().stream()
                        .findFirst()
                        .map(seat -> seat.progress().token()));
                stream = connection.open(MatchServiceGrpc.getPlaySeatsMethod(), token);
                connections += 1;
                for (Open seat : seats.values()) {
                    seat.progress().toSend().forEach(stream::send);
                }
                if (ending.hasEnded()) {
                    stream.cancel();
                }
            }
            return stream;
        }
    }

    private void hangUp() {
        synchronized (lock) {
            if (stream != null) {
                stream.cancel();
                stream = null;
            }
        }
    }

    /** Takes a message that came at a moment. Returns the time after which the stream has to be opened again, if it has to. */
    private Optional<Duration> take(PlaySeatsResponse response, long at) {
        Open open = seats.get(response.getChannel());
        if (open == null) {
            return Optional.empty();
        }
        String requestId = response.getRequestId();
        switch (response.getMessageCase()) {
            case OPENED -> open.progress().opened(response.getOpened());
            case UPDATE -> {
                if (!requestId.isEmpty()) {
                    refusals.end();
                }
                SeatProgress.Updated updated =
                        open.progress().updated(open.seat(), requestId, response.getUpdate(), at);
                news.add(updated.news());
                if (updated.isStale()) {
                    stale.add(open);
                }
            }
            case REFUSAL -> {
                return refused(open, requestId, new Refused(response.getRefusal()));
            }
            case CLOSED -> {
                if (!response.getClosed().hasRefusal()) {
                    end(open, Optional.empty());
                    return Optional.empty();
                }
                Refused refused = new Refused(response.getClosed().getRefusal());
                if (refused.code() == Status.Code.UNAVAILABLE) {
                    return Optional.of(refusals.pauseAfter(refused));
                }
                end(open, Optional.of(refused));
            }
            case MESSAGE_NOT_SET -> {
                // Something of a newer server.
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the pause if the call is to be repeated with a new stream, and hands the refusal on otherwise. A call that came
     * too fast is repeated with this one.
     */
    private Optional<Duration> refused(Open open, String requestId, Refused refused) {
        if (open.progress().cameBehind(requestId, refused)) {
            return Optional.empty();
        }
        if (refused.reason() == ErrorReason.ERROR_REASON_RATE_LIMITED) {
            Optional<Duration> pause = open.progress().pauseBeforeAgain(requestId, refused);
            if (pause.isPresent()) {
                sendAgain(open, requestId, pause.get());
                return Optional.empty();
            }
        } else if (RetryPolicy.leastPause(refused, refusals.failures() + 1).isPresent()) {
            return Optional.of(refusals.pauseAfter(refused));
        }
        if (!requestId.isEmpty()) {
            news.add(open.progress().refused(open.seat(), requestId, refused));
        } else if (open.progress().isClosing() && refused.reason() == ErrorReason.ERROR_REASON_UNKNOWN_CHANNEL) {
            // There was nothing to close: a server that closes a channel itself may say so instead of `closed`.
            end(open, Optional.empty());
        } else {
            end(open, Optional.of(refused));
        }
        return Optional.empty();
    }

    private void sendAgain(Open open, String requestId, Duration pause) {
        OpenStream<PlaySeatsRequest, PlaySeatsResponse> now = stream;
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS).execute(() -> {
            synchronized (lock) {
                if (stream == now && now != null) {
                    open.progress().again(requestId).forEach(now::send);
                }
            }
        });
    }

    private void end(Open open, Optional<Refused> refused) {
        seats.remove(open.progress().channel());
        news.add(open.progress().ended(open.seat(), refused));
    }
}
