"""`Watch`: an observer's updates as they come, over as many connections as it takes."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.aio.cancelling import is_cancelled
from edgehill.aio.connection import Connection
from edgehill.server_url import metadata
from edgehill.watch_session import WatchSession


class Watch:
    """An asynchronous iterator of updates, as `edgehill.Watch`. `close` may be called from another task."""

    def __init__(self, connection: Connection, token: str | None, request: v1.WatchMatchRequest) -> None:
        self._connection = connection
        self._token = token
        self._session = WatchSession(connection.policy, request)
        self._stream: Any = None

    @property
    def seq(self) -> int | None:
        """The cursor: the number of the last event that was taken from the stream. `None`: there is none yet."""
        return self._session.seq

    def __aiter__(self) -> Watch:
        return self

    async def __anext__(self) -> v1.SeatUpdate:
        while True:
            news = await self._receive()
            if news is not None:
                return news

    def close(self) -> None:
        """Ends the stream."""
        self._session.closed = True
        if self._stream is not None:
            self._stream.cancel()

    async def __aenter__(self) -> Watch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _receive(self) -> v1.SeatUpdate | None:
        """Takes the next message of the stream, or opens the stream again."""
        await self._connection.connect()
        if self._session.closed:
            raise StopAsyncIteration
        if self._stream is None:
            method = self._connection.matches.WatchMatch
            self._stream = method(self._session.request, metadata=metadata(self._token))
        try:
            response = await self._stream.read()
        except (grpc.RpcError, asyncio.CancelledError) as error:
            self._stream = None
            if is_cancelled(error):
                raise
            if self._session.closed:
                raise StopAsyncIteration from None
            await asyncio.sleep(self._session.outage.pause(errors.of(error)))
            return None
        if response is grpc.aio.EOF:
            raise StopAsyncIteration
        return self._session.take(response)
