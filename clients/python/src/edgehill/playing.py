"""`Play`: any number of seats over one stream, opened again where it was when the connection is lost."""

from __future__ import annotations

import itertools
import queue
import threading
from collections import deque
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.errors import CallFailed, EdgehillError, Refused
from edgehill.played_seat import PlayEvent, Opening, PlayedSeat
from edgehill.retry import Pauses, asked_pause
from edgehill.seat import Seat
from edgehill.wire import Wire, metadata


class Play:
    """A stream for any number of seats, of as many matches as one likes: an iterator of their news.

    The iteration ends when no seat is open any more. It belongs to one thread; seats may be opened, and called, from
    others. After a lost connection each seat goes on from its last event, and calls that were not answered are sent
    again as they were: no event is missed or repeated, and no call happens twice.
    """

    def __init__(self, wire: Wire, key: str | None) -> None:
        self._wire = wire
        self._key = key
        self._numbers = itertools.count(1)
        self._seats: dict[int, PlayedSeat] = {}
        self._news: deque[PlayEvent] = deque()
        self._pauses = wire.retry.begin()
        self._refusals = wire.retry.begin()
        self._lock = threading.RLock()
        self._outbox: queue.SimpleQueue[v1.PlayRequest | None] | None = None
        self._stream: Any = None
        self._closed = False

    def open(
        self,
        seat: Seat | str,
        *,
        legal: v1.LegalDetail = v1.LEGAL_DETAIL_IDS,
        follow: bool = True,
        words: bool = False,
    ) -> PlayedSeat:
        """Opens a seat, given itself or its token. Wherever else it is open, it is closed there.

        `legal`: how much of each legal action prompts tell. `follow`: whether events are sent and a view is kept; a
        player that goes by the legal actions alone does without. `words`: phrases and events in words, too.
        """
        token = seat.token if isinstance(seat, Seat) else seat
        with self._lock:
            how = Opening(token, legal, follow, words)
            played = PlayedSeat(next(self._numbers), how, self._lock, self._send)
            self._seats[played.channel] = played
            for message in played._to_send():
                self._send(message)
            return played

    def close(self) -> None:
        """Ends the stream, and the iteration. The seats keep their places."""
        with self._lock:
            self._closed = True
            self._hang_up()

    def __enter__(self) -> Play:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Play:
        return self

    def __next__(self) -> PlayEvent:
        while not self._news:
            with self._lock:
                if self._closed or not self._seats:
                    self._hang_up()
                    raise StopIteration
                stream = self._connected()
            try:
                response: v1.PlayResponse = next(stream)
            except grpc.RpcError as error:
                self._lost(errors.of(error), self._pauses)
            except StopIteration:
                self._lost(CallFailed(grpc.StatusCode.UNAVAILABLE, "the server has ended the stream"), self._pauses)
            else:
                with self._lock:
                    lost = self._take(response)
                self._pauses.end()
                if lost is not None:
                    self._lost(lost, self._refusals)
        return self._news.popleft()

    def _send(self, message: v1.PlayRequest) -> None:
        """Sends a message; without a connection it goes with the next one, since seats keep what is not answered."""
        with self._lock:
            if self._outbox is not None:
                self._outbox.put(message)

    def _connected(self) -> Any:
        """The stream, opened now if it is not: all seats with their cursors, and what was not answered."""
        if self._stream is None:
            outbox: queue.SimpleQueue[v1.PlayRequest | None] = queue.SimpleQueue()
            for seat in self._seats.values():
                for message in seat._to_send():
                    outbox.put(message)
            # A seat's token lets in as well as a key where accounts are asked for.
            token = self._key or next(iter(self._seats.values())).token
            self._outbox = outbox
            self._stream = self._wire.matches.Play(iter(outbox.get, None), metadata=metadata(token))
        return self._stream

    def _hang_up(self) -> None:
        if self._outbox is not None:
            self._outbox.put(None)
        if self._stream is not None:
            self._stream.cancel()
        self._outbox = self._stream = None

    def _lost(self, error: EdgehillError, pauses: Pauses) -> None:
        """Waits until the stream can be opened again; raises `error` if that is of no use."""
        with self._lock:
            self._hang_up()
            if self._closed:
                return
        pauses.wait(error)

    def _take(self, response: v1.PlayResponse) -> Refused | None:
        """Takes a message in. Returns why the stream has to be opened again, if it has to."""
        seat = self._seats.get(response.channel)
        if seat is None:
            return None
        match response.WhichOneof("message"):
            case "opened":
                seat._opened(response.opened)
            case "update":
                if response.update.HasField("accepted"):
                    self._refusals.end()
                news = seat._updated(response.request_id, response.update, lambda: self._look(seat))
                self._news.append(news)
            case "refusal":
                return self._refused(seat, response.request_id, Refused(response.refusal))
            case "closed" if response.closed.HasField("refusal"):
                refused = Refused(response.closed.refusal)
                if refused.code == grpc.StatusCode.UNAVAILABLE:
                    return refused
                self._end(seat, refused)
            case "closed":
                self._end(seat, None)
        return None

    def _refused(self, seat: PlayedSeat, request_id: str, refused: Refused) -> Refused | None:
        """Returns the refusal if the call is to be repeated with a new stream, and tells it otherwise."""
        if asked_pause(refused, self._refusals.failures + 1) is not None:
            return refused
        if request_id:
            self._news.append(seat._refused(request_id, refused))
        else:
            self._end(seat, refused)
        return None

    def _end(self, seat: PlayedSeat, refused: Refused | None) -> None:
        del self._seats[seat.channel]
        self._news.append(seat._ended(refused))

    def _look(self, seat: PlayedSeat) -> v1.ViewResponse:
        request = v1.ViewRequest(match_id=seat.terms.match_id, words=seat._opening.words)
        return self._wire.call(self._wire.matches.View, request, seat.token, v1.ViewResponse)
