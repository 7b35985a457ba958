"""Streams of what comes: `Watch`, `AccountWatch`, and `CompetitionWatch`."""

from __future__ import annotations

from edgehill import v1
from edgehill.aio.connection import Connection
from edgehill.aio.resumed import ResumedStream
from edgehill.watch_session import AccountWatchSession, CompetitionWatchSession, WatchSession


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


class CompetitionWatch(ResumedStream[v1.WatchCompetitionResponse]):
    """An asynchronous iterator of what happens in a competition, as `edgehill.CompetitionWatch`."""

    def __init__(self, connection: Connection, token: str | None, competition_id: str, after_event: int) -> None:
        self._watch = CompetitionWatchSession(connection.policy, competition_id, after_event)
        super().__init__(connection, token, "WatchCompetition", self._watch, "competitions")

    @property
    def event(self) -> int:
        """The cursor: the number of the last event that was taken from the stream; 0: none was."""
        return self._watch.request.after_event
