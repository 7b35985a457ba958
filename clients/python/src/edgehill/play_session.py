"""The state of a `Play` stream without its I/O: its seats, their news, and when it is opened again."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

import grpc

from edgehill import v1
from edgehill.calls import Call, Script
from edgehill.errors import CallFailed, Refused
from edgehill.played_seat import Opening, PlayedSeat, PlayEvent
from edgehill.retry import Outage, RetryPolicy, pause_min
from edgehill.seat_calls import BaseSeat


class Outbox(Protocol):
    """A queue of what one connection sends; `None` ends it."""

    def put_nowait(self, item: v1.PlaySeatsRequest | None) -> None:
        """Appends a message."""

    def put_later(self, seconds: float, messages: Callable[[], list[v1.PlaySeatsRequest]]) -> None:
        """Appends what there is to send after so many seconds."""


class PlaySession:
    """Any number of seats, over as many connections as it takes."""

    def __init__(self, policy: RetryPolicy, key: str | None) -> None:
        self._policy = policy
        self._key = key
        self._channels = itertools.count(1)
        self._seats: dict[int, PlayedSeat] = {}
        self._news: deque[PlayEvent] = deque()
        self._stale: list[PlayedSeat] = []
        self._outbox: Outbox | None = None
        self._refusals = Outage(policy)
        self.outage = Outage(policy)
        """The failures of connections since the last message."""
        self.lock = threading.RLock()
        """Held while seats are changed: they may be called from other threads."""
        self.closed = False
        """True if the reader has closed it."""
        self.connections = 0
        """Number of the connections so far."""

    def open(self, seat: BaseSeat | str, legal: v1.LegalDetail, omit_events: bool, include_text: bool) -> PlayedSeat:
        """Opens a seat, given itself or its token."""
        token = seat.token if isinstance(seat, BaseSeat) else seat
        opening = Opening(token, legal, omit_events, include_text)
        with self.lock:
            played = PlayedSeat(next(self._channels), opening, self.lock, self._send, self._policy)
            self._seats[played.channel] = played
            for message in played._to_send():
                self._send(message)
            return played

    def is_over(self) -> bool:
        """Returns whether nothing more comes: no seat is open."""
        return self.closed or not self._seats

    def token(self) -> str | None:
        """Returns the caller of the stream: a seat's token lets in as well as a key where accounts are asked for."""
        return self._key or next(iter(self._seats.values())).token

    def connect(self, outbox: Outbox) -> None:
        """Sends to a new connection from now on: all seats with their cursors, and what was not answered."""
        self.connections += 1
        for seat in self._seats.values():
            for message in seat._to_send():
                outbox.put_nowait(message)
        self._outbox = outbox

    def disconnect(self) -> None:
        """Ends what the connection sends."""
        if self._outbox is not None:
            self._outbox.put_nowait(None)
        self._outbox = None

    def news(self) -> PlayEvent | None:
        """Returns the next news, if there is any."""
        return self._news.popleft() if self._news else None

    def looks(self) -> Script[None]:
        """Asks for the views of seats whose events do not give them."""
        while self._stale:
            seat = self._stale[-1]
            request = v1.GetViewRequest(match_id=seat.config.match_id, include_text=seat._opening.include_text)
            found: v1.GetViewResponse = yield Call("GetView", request, seat.token)
            with self.lock:
                seat._looked(found)
            self._stale.pop()

    def take(self, response: v1.PlaySeatsResponse) -> float | None:
        """Takes a message. Returns the seconds after which the stream has to be opened again, if it has to."""
        self.outage.end()
        seat = self._seats.get(response.channel)
        if seat is None:
            return None
        match response.WhichOneof("message"):
            case "opened":
                seat._opened(response.opened)
            case "update":
                self._update(seat, response)
            case "refusal":
                return self._refused(seat, response.request_id, Refused(response.refusal))
            case "closed" if response.closed.HasField("refusal"):
                refused = Refused(response.closed.refusal)
                if refused.code == grpc.StatusCode.UNAVAILABLE:
                    return self._refusals.pause(refused)
                self._end(seat, refused)
            case "closed":
                self._end(seat, None)
        return None

    def _update(self, seat: PlayedSeat, response: v1.PlaySeatsResponse) -> None:
        if response.request_id:
            self._refusals.end()
        news, stale = seat._updated(response.request_id, response.update)
        self._news.append(news)
        if stale:
            self._stale.append(seat)

    def _refused(self, seat: PlayedSeat, request_id: str, refused: Refused) -> float | None:
        """Returns the pause if the call is to be repeated with a new stream, and hands the refusal on otherwise.

        What came too fast is repeated with this one.
        """
        if seat._came_behind(request_id, refused):
            return None
        if refused.reason == v1.ERROR_REASON_RATE_LIMITED:
            again = seat._again(request_id, refused)
            if again is not None and self._outbox is not None:
                self._outbox.put_later(*again)
                return None
        elif pause_min(refused, self._refusals.failures + 1) is not None:
            return self._refusals.pause(refused)
        if request_id:
            self._news.append(seat._refused(request_id, refused))
        elif seat._is_closing() and refused.reason == v1.ERROR_REASON_UNKNOWN_CHANNEL:
            # There was nothing to close: a server that closes a channel itself may say so instead of `closed`.
            self._end(seat, None)
        else:
            self._end(seat, refused)
        return None

    def _end(self, seat: PlayedSeat, refused: Refused | None) -> None:
        del self._seats[seat.channel]
        self._news.append(seat._ended(refused))

    def _send(self, message: v1.PlaySeatsRequest) -> None:
        """Sends a message; without a connection it goes with the next one, since seats keep what is not answered."""
        with self.lock:
            if self._outbox is not None:
                self._outbox.put_nowait(message)


def ended_early() -> CallFailed:
    """Returns the error of a stream that has ended while seats are open."""
    return CallFailed(grpc.StatusCode.UNAVAILABLE, "the server has ended the stream")
