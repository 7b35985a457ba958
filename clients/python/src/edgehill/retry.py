"""When a call is repeated, and how long to wait before. Every call may be: its request id makes it happen once."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

import grpc

from edgehill import v1
from edgehill.errors import CallFailed, EdgehillError, Refused

_AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_ONCE_MORE = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED}


@dataclass(frozen=True)
class Retry:
    """The retry policy of a client."""

    patience_seconds: float = 60.0
    """The time that a call or stream may go without an answer before its error is raised. 0: nothing is repeated."""
    first_pause_seconds: float = 0.05
    """The longest pause before the first repetition; each further one is up to twice as long."""
    longest_pause_seconds: float = 2.0
    """The longest pause of all, except where the server names one."""
    attempt_seconds: float = 30.0
    """The time that one attempt of a call may take. Streams have no such limit."""

    def begin(self) -> Pauses:
        """For one call, or from one answer of a stream to the next."""
        return Pauses(self)


@dataclass
class Pauses:
    """The pauses of what goes wrong again and again. After a quiet time as long as retry_policy it begins anew."""

    retry: Retry
    failures: int = 0
    _first: float = field(default=0.0, repr=False)
    _last: float = field(default=0.0, repr=False)

    def wait(self, error: EdgehillError) -> None:
        """Waits until the call can be repeated; raises `error` if that is of no use, or retry_policy has ended."""
        now, retry_policy = time.monotonic(), self.retry.patience_seconds
        if self.failures == 0 or now - self._last > retry_policy:
            self.failures, self._first = 0, now
        self.failures += 1
        self._last = now
        asked = asked_pause(error, self.failures)
        if asked is None:
            raise error
        ceiling = self.retry.first_pause_seconds * 2 ** min(self.failures - 1, 30)
        # Spread, so that the clients of a server that comes back don't all come back at once.
        pause = max(asked, random.uniform(0.5, 1.0) * min(ceiling, self.retry.longest_pause_seconds))
        if now + pause > self._first + retry_policy:
            raise error
        time.sleep(pause)

    def end(self) -> None:
        """It went well."""
        self.failures = 0


def asked_pause(error: EdgehillError, failures: int) -> float | None:
    """The least seconds to wait before the call is repeated; `None`: to repeat it is of no use (docs/errors.md)."""
    match error:
        case Refused(refusal=refusal, code=grpc.StatusCode.RESOURCE_EXHAUSTED):
            return _seconds(refusal) if refusal.HasField("retry_after_micros") else None
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
    return refusal.retry_after_micros / 1e6
