"""`Play`: any number of seats over one stream, opened again where it was when the connection is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.aio.cancelling import is_cancelled
from edgehill.aio.connection import Connection
from edgehill.play_session import PlaySession, ended_early
from edgehill.played_seat import PlayedSeat, PlayEvent
from edgehill.seat_calls import BaseSeat
from edgehill.server_url import metadata


class Play:
    """A stream for any number of seats: an asynchronous iterator of their news, as `edgehill.Play`.

    Seats are opened and called without waiting, from any task of the loop.
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
        self._session.closed = True
        self._hang_up()

    async def __aenter__(self) -> Play:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __aiter__(self) -> Play:
        return self

    async def __anext__(self) -> PlayEvent:
        session = self._session
        while True:
            await self._connection.run(session.looks())
            if (news := session.news()) is not None:
                return news
            if session.is_over():
                self._hang_up()
                raise StopAsyncIteration
            await self._connection.connect()
            await self._receive()

    async def _receive(self) -> None:
        """Takes the next message of the stream, or opens the stream again."""
        if self._session.closed:
            return
        if self._stream is None:
            outbox = LoopOutbox()
            self._session.connect(outbox)
            method = self._connection.matches.PlaySeats
            self._stream = method(_until_none(outbox), metadata=metadata(self._session.token()))
        try:
            response = await self._stream.read()
        except (grpc.RpcError, asyncio.CancelledError) as error:
            if is_cancelled(error):
                raise
            await self._reopen(errors.of(error) if isinstance(error, grpc.RpcError) else ended_early())
            return
        if response is grpc.aio.EOF:
            await self._reopen(ended_early())
            return
        pause = self._session.take(response)
        if pause is not None:
            self._hang_up()
            await asyncio.sleep(pause)

    async def _reopen(self, lost: errors.EdgehillError) -> None:
        self._hang_up()
        if not self._session.closed:
            await asyncio.sleep(self._session.outage.pause(lost))

    def _hang_up(self) -> None:
        self._session.disconnect()
        if self._stream is not None:
            self._stream.cancel()
        self._stream = None


class LoopOutbox(asyncio.Queue["v1.PlaySeatsRequest | None"]):
    """A queue of what one connection sends; `None` ends it."""

    def put_later(self, seconds: float, messages: Callable[[], list[v1.PlaySeatsRequest]]) -> None:
        """Appends what there is to send after so many seconds."""

        def due() -> None:
            for message in messages():
                self.put_nowait(message)

        asyncio.get_running_loop().call_later(seconds, due)


async def _until_none(outbox: LoopOutbox) -> AsyncIterator[v1.PlaySeatsRequest]:
    while (message := await outbox.get()) is not None:
        yield message
