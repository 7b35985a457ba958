"""A stream that goes on behind a lost connection."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeVar

import grpc

from edgehill import errors
from edgehill.aio.cancelling import is_cancelled
from edgehill.aio.connection import Connection
from edgehill.resumed import Session
from edgehill.server_url import metadata

News = TypeVar("News", covariant=True)


class ResumedStream(Generic[News]):
    """An asynchronous iterator of what a server sends, over as many connections as it takes.

    `close` may be called from another task; the iteration then ends.
    """

    def __init__(
        self,
        connection: Connection,
        token: str | None,
        method: str,
        session: Session[News],
        service: Literal["competitions", "matches"] = "matches",
    ) -> None:
        self._connection = connection
        self._token = token
        self._method = method
        self._service = service
        self._session = session
        self._stream: Any = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        while True:
            news = await self._receive()
            if news is not None:
                return news

    def close(self) -> None:
        """Ends the stream."""
        self._session.closed = True
        if self._stream is not None:
            self._stream.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _receive(self) -> News | None:
        """Takes the next message of the stream, or opens the stream again."""
        await self._connection.connect()
        if self._session.closed:
            raise StopAsyncIteration
        if self._stream is None:
            method = getattr(getattr(self._connection, self._service), self._method)
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
