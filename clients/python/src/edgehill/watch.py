"""`Watch`: an observer's updates as they come, over as many connections as it takes."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.connection import Connection
from edgehill.server_url import metadata
from edgehill.watch_session import WatchSession


class Watch:
    """An iterator of updates, which ends after the last event of a match that has come to its end.

    `ViewTracker.fold` takes them. A lost connection is opened again with the number of the last event as its cursor, so
    nothing is missed and nothing comes twice. `close` may be called from another thread; the iteration then ends.
    """

    def __init__(self, connection: Connection, token: str | None, request: v1.WatchMatchRequest) -> None:
        self._connection = connection
        self._token = token
        self._session = WatchSession(connection.policy, request)
        self._lock = threading.Lock()
        self._stream: Any = None

    @property
    def seq(self) -> int | None:
        """The cursor: the number of the last event that was taken from the stream. `None`: there is none yet."""
        return self._session.seq

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> v1.SeatUpdate:
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

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive(self) -> v1.SeatUpdate | None:
        """Takes the next message of the stream, or opens the stream again."""
        self._connection.connect()
        with self._lock:
            if self._session.closed:
                raise StopIteration
            if self._stream is None:
                method = self._connection.matches.WatchMatch
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
