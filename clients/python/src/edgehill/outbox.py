"""What a `Play` stream sends, now and later, from any thread."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from edgehill import v1


class ThreadOutbox:
    """A queue whose messages one thread takes, as an iterator that ends with `None`."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._ready: deque[v1.PlaySeatsRequest | None] = deque()
        self._later: list[tuple[float, int, Callable[[], list[v1.PlaySeatsRequest]]]] = []
        self._order = itertools.count()

    def put_nowait(self, item: v1.PlaySeatsRequest | None) -> None:
        """Appends a message; `None` ends it."""
        with self._changed:
            self._ready.append(item)
            self._changed.notify()

    def put_later(self, seconds: float, messages: Callable[[], list[v1.PlaySeatsRequest]]) -> None:
        """Appends what there is to send after so many seconds."""
        with self._changed:
            heapq.heappush(self._later, (time.monotonic() + seconds, next(self._order), messages))
            self._changed.notify()

    def __iter__(self) -> Iterator[v1.PlaySeatsRequest]:
        while (item := self._next()) is not None:
            yield from item()

    def _next(self) -> Callable[[], list[v1.PlaySeatsRequest]] | None:
        """Waits for what comes next. It is made by the caller, without this queue's lock."""
        with self._changed:
            while True:
                if self._ready:
                    item = self._ready.popleft()
                    return None if item is None else partial(list, (item,))
                wait = self._later[0][0] - time.monotonic() if self._later else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._later)[2]
                self._changed.wait(wait)
