"""Request ids: what makes a call safe to repeat."""

from __future__ import annotations

import itertools
import secrets


class RequestIds:
    """Ids that no other run of a program uses: a random prefix and a counter."""

    def __init__(self) -> None:
        self._prefix = secrets.token_hex(8)
        self._counter = itertools.count(1)

    def next(self) -> str:
        """Returns a new id, for a new call. A repetition keeps its own."""
        return f"{self._prefix}-{next(self._counter)}"
