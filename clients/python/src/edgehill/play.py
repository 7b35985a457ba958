"""`Play`: any number of seats over one stream, opened again where it was when the connection is lost."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.connection import Connection
from edgehill.outbox import ThreadOutbox
from edgehill.play_session import PlaySession, ended_early
from edgehill.played_seat import PlayedSeat, PlayEvent
from edgehill.seat_calls import BaseSeat
from edgehill.server_url import metadata


class Play:
    """A stream for any number of seats, of as many matches as one likes: an iterator of their news.

    The iteration ends when no seat is open any more. It belongs to one thread; seats may be opened, and called, from
    others. After a lost connection each seat goes on from its last event, and calls that were not answered are sent
    again as they were: no event is missed or repeated, and no call happens twice.
    """

    def __init__(self, connection: Connection, key: str | None) -> None:
        self._connection = connection
        self._session = PlaySession(connection.policy, key)
        self._stream: Any = None

    def open(
        self,
        seat: BaseSeat | str,
        *,
        legal: v1.LegalDetail = v1.LEGAL_DETAIL_IDS,
        omit_events: bool = False,
        include_text: bool = False,
    ) -> PlayedSeat:
        """Opens a seat, given itself or its token. Wherever else it is open, it is closed there.

        `legal`: the detail of the legal actions in prompts. `omit_events`: no events are sent and no view is kept, for
        a player that goes by the legal actions alone. `include_text`: phrases and events in words, too.
        """
        return self._session.open(seat, legal, omit_events, include_text)

    def close(self) -> None:
        """Ends the stream, and the iteration. The seats keep their places."""
        with self._session.lock:
            self._session.closed = True
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
        session = self._session
        while True:
            self._connection.run(session.looks())
            if (news := session.news()) is not None:
                return news
            with session.lock:
                if session.is_over():
                    self._hang_up()
                    raise StopIteration
            self._connection.connect()
            self._receive()

    def _receive(self) -> None:
        """Takes the next message of the stream, or opens the stream again."""
        with self._session.lock:
            if self._session.closed:
                return
            if self._stream is None:
                outbox = ThreadOutbox()
                self._session.connect(outbox)
                method = self._connection.matches.PlaySeats
                self._stream = method(iter(outbox), metadata=metadata(self._session.token()))
            stream = self._stream
        try:
            response: v1.PlaySeatsResponse = next(stream)
        except (grpc.RpcError, StopIteration) as error:
            lost = errors.of(error) if isinstance(error, grpc.RpcError) else ended_early()
            with self._session.lock:
                self._hang_up()
                if self._session.closed:
                    return
            time.sleep(self._session.outage.pause(lost))
            return
        with self._session.lock:
            pause = self._session.take(response)
            if pause is not None:
                self._hang_up()
        if pause is not None:
            time.sleep(pause)

    def _hang_up(self) -> None:
        self._session.disconnect()
        if self._stream is not None:
            self._stream.cancel()
        self._stream = None
