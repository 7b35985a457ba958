"""A stream that goes on behind a lost connection, and the state of one without its I/O."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import grpc

from edgehill import errors
from edgehill.connection import Connection
from edgehill.retry import Outage
from edgehill.server_url import metadata

News = TypeVar("News", covariant=True)


class Session(Protocol[News]):
    """What is left of a stream between two connections."""

    request: Any
    """The request of the next connection: its cursor is behind what the reader has."""
    outage: Outage
    """The failures since the last message."""
    closed: bool
    """True if the reader has closed it."""

    def take(self, response: Any) -> News | None:
        """Returns the news of a message; `None` if all of it is known."""


class ResumedStream(Generic[News]):
    """An iterator of what a server sends, over as many connections as it takes.

    `close` may be called from another thread; the iteration then ends.
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
        self._lock = threading.Lock()
        self._stream: Any = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> News:
        while True:
            news = self._receive()
            if news is not None:
                return news

    def close(self) -> None:
        """Ends the stream."""
        with self._lock:
            self._session.closed = True
            if self._stream is not None:
                self._stream.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive(self) -> News | None:
        """Takes the next message of the stream, or opens the stream again."""
        self._connection.connect()
        with self._lock:
            if self._session.closed:
                raise StopIteration
            if self._stream is None:
                method = getattr(getattr(self._connection, self._service), self._method)
                self._stream = method(self._session.request, metadata=metadata(self._token))
            stream = self._stream
        try:
            return self._session.take(next(stream))
        except grpc.RpcError as error:
            with self._lock:
                self._stream = None
                if self._session.closed:
                    raise StopIteration from None
            time.sleep(self._session.outage.pause(errors.of(error)))
            return None
