"""`Seek`: somebody to play with, over as many connections as it takes."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.aio.cancelling import is_cancelled
from edgehill.aio.connection import Connection
from edgehill.seek_session import SeekSession, lost
from edgehill.server_url import metadata


class Seek:
    """An asynchronous iterator of how many seek, as `edgehill.Seek`. `close` may be called from another task."""

    def __init__(self, connection: Connection, key: str | None, request: v1.SeekMatchRequest) -> None:
        self._connection = connection
        self._key = key
        self._session = SeekSession(connection.policy, request)
        self._stream: Any = None

    @property
    def result(self) -> v1.PairedSeat | None:
        """The seat, for `Client.join`, once the seek was paired."""
        return self._session.result

    async def paired(self) -> v1.PairedSeat:
        """Waits until the seek is paired. Raises `Refused` (SEEK_EXPIRED) if nobody comes in time."""
        async for _ in self:
            pass
        if self.result is None:
            raise ValueError("the seek is closed")
        return self.result

    def __aiter__(self) -> Seek:
        return self

    async def __anext__(self) -> v1.SeekCount:
        while True:
            count = await self._receive()
            if count is not None:
                return count

    def close(self) -> None:
        """Takes the seek back."""
        self._session.closed = True
        if self._stream is not None:
            self._stream.cancel()

    async def __aenter__(self) -> Seek:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _receive(self) -> v1.SeekCount | None:
        """Takes the next message of the stream, or opens the stream again."""
        if self._session.result is not None:
            raise StopAsyncIteration
        await self._connection.connect()
        if self._session.closed:
            raise StopAsyncIteration
        if self._stream is None:
            method = self._connection.matches.SeekMatch
            self._stream = method(self._session.request(), metadata=metadata(self._key))
        failure: errors.EdgehillError = lost()
        try:
            response = await self._stream.read()
        except (grpc.RpcError, asyncio.CancelledError) as error:
            if is_cancelled(error):
                self._stream = None
                raise
            response, failure = grpc.aio.EOF, errors.of(error)
        if response is not grpc.aio.EOF:
            return self._session.take(response)
        self._stream = None
        if self._session.closed:
            raise StopAsyncIteration
        await asyncio.sleep(self._session.outage.pause(failure))
        return None
