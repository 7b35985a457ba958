"""The state of a `Seek` without its I/O: the request, the time that is left, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import grpc

from edgehill import v1
from edgehill.errors import CallFailed
from edgehill.match_plan import written_options
from edgehill.retry import Outage, RetryPolicy


class SeekSession:
    """One seek, over as many connections as it takes."""

    def __init__(self, policy: RetryPolicy, request: v1.SeekMatchRequest) -> None:
        self._request = request
        self._ends: float | None = None
        self.outage = Outage(policy)
        """The failures since the last message."""
        self.closed = False
        """True if the caller has closed it."""
        self.result: v1.PairedSeat | None = None
        """The seat, once it was paired."""

    def request(self) -> v1.SeekMatchRequest:
        """Returns the request of the next connection: the same one, for as much time as is left."""
        if not self._request.HasField("wait"):
            return self._request
        now, request = time.monotonic(), v1.SeekMatchRequest()
        if self._ends is None:
            self._ends = now + self._request.wait.ToMilliseconds() / 1e3
        request.CopyFrom(self._request)
        request.wait.FromMilliseconds(max(1, round((self._ends - now) * 1e3)))
        return request

    def take(self, response: v1.SeekMatchResponse) -> v1.SeekCount | None:
        """Returns how many seek; `None` if it was paired."""
        self.outage.end()
        if response.HasField("paired"):
            self.result = response.paired
            return None
        return response.seeking


def lost() -> CallFailed:
    """The failure of a stream that ends before the seek was paired."""
    return CallFailed(grpc.StatusCode.UNAVAILABLE, "the stream ended before the pairing")


def seek_request(
    game: str,
    *,
    request_id: str,
    client_secret: bytes,
    scenario: str = "",
    options: Mapping[str, str | int | bool] | None = None,
    seat: int | None = None,
    rules: v1.RulesVersion | None = None,
    entropy_mode: v1.EntropyMode = v1.ENTROPY_MODE_OPEN,
    clock: v1.ClockConfig | None = None,
    wait_seconds: float | None = None,
) -> v1.SeekMatchRequest:
    """Returns the request of a seek."""
    request = v1.SeekMatchRequest(
        request_id=request_id,
        client_secret=client_secret,
        game=game,
        rules=rules,
        scenario=scenario,
        options=written_options(options),
        seat=seat,
        entropy_mode=entropy_mode,
        clock=clock,
    )
    if wait_seconds is not None:
        request.wait.FromMilliseconds(round(wait_seconds * 1e3))
    return request
