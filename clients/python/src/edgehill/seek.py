"""`Seek`: somebody to play with, over as many connections as it takes."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any

import grpc

from edgehill import errors, v1
from edgehill.connection import Connection
from edgehill.seek_session import SeekSession, lost
from edgehill.server_url import metadata


class Seek:
    """An iterator of how many seek, which ends when the seek was paired or closed; `result` is the seat then.

    The seek is open while it is iterated or waited for. A lost connection is opened again with the same request id:
    nobody is paired twice, and who was paired meanwhile has their seat. `close`, also from another thread, takes the
    seek back.
    """

    def __init__(self, connection: Connection, key: str | None, request: v1.SeekMatchRequest) -> None:
        self._connection = connection
        self._key = key
        self._session = SeekSession(connection.policy, request)
        self._lock = threading.Lock()
        self._stream: Any = None

    @property
    def result(self) -> v1.PairedSeat | None:
        """The seat, for `Client.join`, once the seek was paired."""
        return self._session.result

    def paired(self) -> v1.PairedSeat:
        """Waits until the seek is paired. Raises `Refused` (SEEK_EXPIRED) if nobody comes in time."""
        for _ in self:
            pass
        if self.result is None:
            raise ValueError("the seek is closed")
        return self.result

    def __iter__(self) -> Seek:
        return self

    def __next__(self) -> v1.SeekCount:
        while True:
            count = self._receive()
            if count is not None:
                return count

    def close(self) -> None:
        """Takes the seek back."""
        with self._lock:
            self._session.closed = True
            if self._stream is not None:
                self._stream.cancel()

    def __enter__(self) -> Seek:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive(self) -> v1.SeekCount | None:
        """Takes the next message of the stream, or opens the stream again."""
        if self._session.result is not None:
            raise StopIteration
        self._connection.connect()
        with self._lock:
            if self._session.closed:
                raise StopIteration
            if self._stream is None:
                method = self._connection.matches.SeekMatch
                self._stream = method(self._session.request(), metadata=metadata(self._key))
            stream = self._stream
        try:
            response = next(stream, None)
            failure: errors.EdgehillError = lost()
        except grpc.RpcError as error:
            response, failure = None, errors.of(error)
        if response is not None:
            return self._session.take(response)
        with self._lock:
            self._stream = None
            if self._session.closed:
                raise StopIteration from None
        time.sleep(self._session.outage.pause(failure))
        return None
