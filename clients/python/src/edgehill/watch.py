"""Streams of what comes: `Watch`, `AccountWatch`, and `CompetitionWatch`."""

from __future__ import annotations

from edgehill import v1
from edgehill.connection import Connection
from edgehill.resumed import ResumedStream
from edgehill.watch_session import AccountWatchSession, CompetitionWatchSession, WatchSession


class Watch(ResumedStream[v1.SeatUpdate]):
    """An iterator of updates, which ends after the last event of a match that has come to its end.

    `ViewTracker.fold` takes them. A lost connection is opened again with the number of the last event as its cursor, so
    nothing is missed and nothing comes twice. `close` may be called from another thread; the iteration then ends.
    """

    def __init__(self, connection: Connection, token: str | None, request: v1.WatchMatchRequest) -> None:
        self._watch = WatchSession(connection.policy, request)
        super().__init__(connection, token, "WatchMatch", self._watch)

    @property
    def seq(self) -> int | None:
        """The cursor: the number of the last event that was taken from the stream. `None`: there is none yet."""
        return self._watch.seq


class AccountWatch(ResumedStream[v1.WatchAccountResponse]):
    """An iterator of how the matches of an account stand, which ends when it is closed.

    Each response about a match is complete: the last one holds. A lost connection is opened again with the cursor of
    the last response: results since then come, and all that is not over comes again. `close` may be called from another
    thread; the iteration then ends.
    """

    def __init__(self, connection: Connection, token: str | None, cursor: str) -> None:
        self._watch = AccountWatchSession(connection.policy, cursor)
        super().__init__(connection, token, "WatchAccount", self._watch)

    @property
    def cursor(self) -> str:
        """The cursor of the last response that was taken from the stream; empty: there is none yet."""
        return self._watch.request.cursor


class CompetitionWatch(ResumedStream[v1.WatchCompetitionResponse]):
    """An iterator of what happens in a competition, which ends with it.

    Each response has the events since the one before it, and the competition after them; the first may have no events.
    A lost connection is opened again with the last event as cursor, so nothing is missed and nothing comes twice.
    `close` may be called from another thread; the iteration then ends.
    """

    def __init__(self, connection: Connection, token: str | None, competition_id: str, after_event: int) -> None:
        self._watch = CompetitionWatchSession(connection.policy, competition_id, after_event)
        super().__init__(connection, token, "WatchCompetition", self._watch, "competitions")

    @property
    def event(self) -> int:
        """The cursor: the number of the last event that was taken from the stream; 0: none was."""
        return self._watch.request.after_event
