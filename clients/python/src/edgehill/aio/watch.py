"""Streams of what comes: `Watch`, an observer's updates, and `AccountWatch`, the matches of an account."""

from __future__ import annotations

from edgehill import v1
from edgehill.aio.connection import Connection
from edgehill.aio.resumed import ResumedStream
from edgehill.watch_session import AccountWatchSession, WatchSession


class Watch(ResumedStream[v1.SeatUpdate]):
    """An asynchronous iterator of updates, as `edgehill.Watch`. `close` may be called from another task."""

    def __init__(self, connection: Connection, token: str | None, request: v1.WatchMatchRequest) -> None:
        self._watch = WatchSession(connection.policy, request)
        super().__init__(connection, token, "WatchMatch", self._watch)

    @property
    def seq(self) -> int | None:
        """The cursor: the number of the last event that was taken from the stream. `None`: there is none yet."""
        return self._watch.seq


class AccountWatch(ResumedStream[v1.WatchAccountResponse]):
    """An asynchronous iterator of an account's matches, as `edgehill.AccountWatch`."""

    def __init__(self, connection: Connection, token: str | None, cursor: str) -> None:
        self._watch = AccountWatchSession(connection.policy, cursor)
        super().__init__(connection, token, "WatchAccount", self._watch)

    @property
    def cursor(self) -> str:
        """The cursor of the last response that was taken from the stream; empty: there is none yet."""
        return self._watch.request.cursor
