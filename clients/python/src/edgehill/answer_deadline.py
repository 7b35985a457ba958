"""The time that a seat has left for its question, by this machine's own clock."""

from __future__ import annotations

import time
from datetime import timedelta

from edgehill import v1


class AnswerDeadline:
    """The moment until which a seat may answer its question, kept up to date by its updates."""

    def __init__(self) -> None:
        self._at: float | None = None

    def take(self, update: v1.SeatUpdate, now: float | None = None) -> None:
        """Takes an update that has just come, at `now` by `time.monotonic()`: it says all that there is to know."""
        self._at = None
        if update.time_left.HasField("left"):
            left = update.time_left.left
            self._at = (time.monotonic() if now is None else now) + left.seconds + left.nanos / 1e9

    def clear(self) -> None:
        """Takes note that nothing is asked of the seat."""
        self._at = None

    def left(self, now: float | None = None) -> timedelta | None:
        """Returns the time that is left at `now`, at least none.

        `None`: nothing is asked of the seat, or no clock runs for it.
        """
        if self._at is None:
            return None
        seconds = self._at - (time.monotonic() if now is None else now)
        # A server may send any number: what is longer than any time is as long as a time can be.
        return timedelta(seconds=min(max(seconds, 0.0), timedelta.max.total_seconds() // 2))
