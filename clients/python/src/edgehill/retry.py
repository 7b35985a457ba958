"""The decision to repeat a call, and when. Every call may be repeated: its request id makes it happen once."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import grpc

from edgehill import v1
from edgehill.errors import CallFailed, EdgehillError, Refused

_AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_ONCE_MORE = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED}


@dataclass(frozen=True)
class RetryPolicy:
    """The times within which a client connects, and repeats what got no answer. All are seconds."""

    connect_seconds: float = 1.5
    """The time for the first connection. After it `ConnectError` says that there is no server; a connection that is
    lost later is a matter of `deadline_seconds`."""
    deadline_seconds: float = 60.0
    """The time that a call or stream may go without an answer before its error is raised. 0: nothing is repeated."""
    attempt_seconds: float = 30.0
    """The time that one attempt of a call may take. Streams have no such limit."""
    pause_min_seconds: float = 0.05
    """The longest pause before the first repetition; each further one is up to twice as long."""
    pause_max_seconds: float = 2.0
    """The longest pause of all, except where the server names one."""


class Outage:
    """The failures of one call, or of a stream between two answers.

    After a quiet time longer than the deadline and an attempt it begins anew: so long no call waits, but a stream on
    which nothing comes.
    """

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._began = self._last = 0.0
        self.failures = 0
        """Number of failures since it began."""

    def pause(self, error: EdgehillError) -> float:
        """Returns the seconds to wait before the next attempt; raises `error` if there is to be none."""
        now, deadline = time.monotonic(), self._policy.deadline_seconds
        if self.failures == 0 or now - self._last > deadline + self._policy.attempt_seconds:
            self.failures, self._began = 0, now
        self.failures += 1
        self._last = now
        at_least = pause_min(error, self.failures)
        if at_least is None:
            raise error
        ceiling = self._policy.pause_min_seconds * 2.0 ** min(self.failures - 1, 30)
        # Spread, so that the clients of a server that comes back don't all come back at once.
        pause = max(at_least, random.uniform(0.5, 1.0) * min(ceiling, self._policy.pause_max_seconds))
        if now + pause >= self._began + deadline:
            raise error
        return pause

    def end(self) -> None:
        """Ends it: there was an answer."""
        self.failures = 0


def pause_min(error: EdgehillError, failures: int) -> float | None:
    """Returns the least seconds before the call is repeated; `None`: to repeat it is of no use (docs/errors.md)."""
    match error:
        case Refused(refusal=refusal, code=grpc.StatusCode.RESOURCE_EXHAUSTED):
            return _seconds(refusal) if refusal.HasField("retry_after") else None
        case Refused(refusal=refusal, code=grpc.StatusCode.UNAVAILABLE):
            return _seconds(refusal)
        case Refused(code=grpc.StatusCode.INTERNAL):
            return 0.0 if failures == 1 else None
        case CallFailed(code=code) if code in _AGAIN:
            return 0.0
        case CallFailed(code=code) if code in _ONCE_MORE:
            return 0.0 if failures == 1 else None
    return None


def _seconds(refusal: v1.Refusal) -> float:
    return float(refusal.retry_after.seconds + refusal.retry_after.nanos / 1e9)
