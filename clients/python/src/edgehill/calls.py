"""Calls without their I/O: `Call` is one request, a `Script` yields calls and is sent their answers.

`Client` and `Seat` run a script with blocking calls, those of `edgehill.aio` with calls that are awaited. So each
request, each page and each check of an answer stands in one place.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Base = TypeVar("Base")
Service: TypeAlias = Literal["admin", "catalog", "competitions", "matches", "referee"]
"""A service that has methods."""


@dataclass(frozen=True)
class Call:
    """One call: the same message in each attempt, and so the same request id."""

    method: str
    """The method's name."""
    request: Any
    """The request."""
    token: str | None = None
    """The caller's key or token."""
    service: Service = "matches"
    """The service that has the method."""
    streams: bool = False
    """True if the server answers with a stream; the answer is then the list of its messages."""


Script: TypeAlias = Generator[Call, Any, T]
"""Yields calls, is sent their answers, and returns a result."""


def paged(method: str, request: Any, field: str, token: str | None, service: Service) -> Script[list[Any]]:
    """Yields a call for each page, and returns all that is listed: `field` has the items of a page."""
    listed: list[Any] = []
    while True:
        page = yield Call(method, request, token, service)
        listed += getattr(page, field)
        if not page.next_page_token:
            return listed
        # Another message: that of the last call stays as it was sent.
        request = type(request).FromString(request.SerializeToString())
        request.page_token = page.next_page_token


def blocking(script: Callable[Concatenate[Base, P], Script[T]]) -> Callable[Concatenate[Base, P], T]:
    """Makes a method of a script's function: it returns when all calls are answered."""

    @functools.wraps(script)
    def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._connection.run(script(self, *args, **kwargs))
        return result

    described: Callable[Concatenate[Base, P], T] = _described(method, script)
    return described


def awaited(
    script: Callable[Concatenate[Base, P], Script[T]],
) -> Callable[Concatenate[Base, P], Coroutine[Any, Any, T]]:
    """Makes a coroutine method of a script's function."""

    @functools.wraps(script)
    async def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await self._connection.run(script(self, *args, **kwargs))
        return result

    described: Callable[Concatenate[Base, P], Coroutine[Any, Any, T]] = _described(method, script)
    return described


def _described(method: Any, script: Callable[..., Any]) -> Any:
    """Has `help` show the method's result where the function gives a script."""
    signature = inspect.signature(script)
    shown = str(signature.return_annotation).removeprefix("Script[").removesuffix("]")
    method.__signature__ = signature.replace(return_annotation=shown)
    return method
