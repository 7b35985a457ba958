"""`Watch`: what one observer hears, as it comes, over as many connections as it takes."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType
from typing import Any, TypeAlias

import grpc

from edgehill import errors, v1
from edgehill.wire import Wire, metadata

WatchItem: TypeAlias = v1.MatchState | v1.Snapshot | v1.Event
"""A state takes the place of the last one; a snapshot has a view; an event is to be folded over it."""


class Watch:
    """An iterator of items, which ends after the last event of a match that is over.

    A lost connection is opened again with the number of the last event as its cursor, so nothing is missed and
    nothing comes twice. `close` may be called from another thread; the iteration then ends.
    """

    def __init__(self, wire: Wire, token: str | None, request: v1.WatchRequest) -> None:
        self._wire = wire
        self._token = token
        self._request = v1.WatchRequest()
        self._request.CopyFrom(request)
        self._state: v1.MatchState | None = None
        self._items: deque[WatchItem] = deque()
        self._pauses = wire.retry.begin()
        self._lock = threading.Lock()
        self._closed = False
        self._stream: Any = None

    @property
    def seq(self) -> int | None:
        """The cursor: the number of the last event that was taken from the stream. `None`: there is none yet."""
        return self._request.after_seq if self._request.HasField("after_seq") else None

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> WatchItem:
        while not self._items:
            self._receive()
        item = self._items.popleft()
        match item:
            case v1.Snapshot() | v1.Event():
                self._request.after_seq = item.seq
        return item

    def close(self) -> None:
        """Ends the stream."""
        with self._lock:
            self._closed = True
            if self._stream is not None:
                self._stream.cancel()

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive(self) -> None:
        """Takes the next message of the stream, or opens the stream again."""
        with self._lock:
            if self._closed:
                raise StopIteration
            if self._stream is None:
                self._stream = self._wire.matches.Watch(self._request, metadata=metadata(self._token))
            stream = self._stream
        try:
            message: v1.WatchResponse = next(stream)
        except grpc.RpcError as error:
            with self._lock:
                self._stream = None
                if self._closed:
                    raise StopIteration from None
            self._pauses.wait(errors.of(error))
            return
        self._pauses.end()
        self._take(message)

    def _take(self, message: v1.WatchResponse) -> None:
        match message.WhichOneof("item"):
            # Each connection begins with the state; the reader has it already if nothing has happened.
            case "state" if message.state != self._state:
                self._state = message.state
                self._items.append(message.state)
            case "snapshot":
                self._items.append(message.snapshot)
            case "events":
                self._items.extend(message.events.events)
