"""Scenarios that are written once and run with both clients, against the server and against the fake one.

They are written for `edgehill.aio`; the blocking client takes its shape in `Threaded`.
"""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast

import edgehill
import edgehill.aio
from edgehill import Bot, BotReport, Refused, RetryPolicy, v1
from fake import FakeServer
from running import Server

T = TypeVar("T")
END = object()


class Threaded:
    """A blocking client, seat or stream in the shape of the asyncio one: each call runs in a thread."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not callable(found):
            return found
        at_once = {"seat", "watch", "seek", "play", "matches", "open"}
        if name in at_once or (name == "close" and not isinstance(self.inner, edgehill.Client)):
            return lambda *args, **kwargs: wrapped(found(*map(unwrapped, args), **kwargs))

        async def call(*args: Any, **kwargs: Any) -> Any:
            return wrapped(await asyncio.to_thread(found, *args, **kwargs))

        return call

    def __aiter__(self) -> Threaded:
        return self

    async def __anext__(self) -> Any:
        item = await asyncio.to_thread(next, self.inner, END)
        if item is END:
            raise StopAsyncIteration
        return item

    async def __aenter__(self) -> Threaded:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await asyncio.to_thread(self.inner.close)


def wrapped(value: Any) -> Any:
    is_pages = type(value).__name__ == "generator"
    if is_pages or isinstance(value, (edgehill.Client, edgehill.Seat, edgehill.Seek, edgehill.Watch, edgehill.Play)):
        return Threaded(value)
    return value


def unwrapped(value: Any) -> Any:
    return value.inner if isinstance(value, Threaded) else value


class Scenario(unittest.IsolatedAsyncioTestCase):
    """Tests with a client of one server. `load_tests` of their modules is `over_both(...)` or `over_server(...)`."""

    make_server: ClassVar[Callable[[], Server | FakeServer]]
    blocking: ClassVar[bool]
    asyncio_alone: ClassVar[bool] = False
    """True for what the asyncio client has alone."""
    fake_alone: ClassVar[bool] = False
    """True for what the real server does not do."""
    server: Server | FakeServer
    client: edgehill.aio.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = cls.make_server()
        cls.addClassCleanup(cls.server.close)

    async def asyncSetUp(self) -> None:
        # A test's loop says when something takes a tenth of a second; a machine that builds meanwhile takes longer.
        asyncio.get_running_loop().slow_callback_duration = 10
        self.client = self.connect(self.server.address)

    def connect(self, address: str, *, retry: RetryPolicy | None = None) -> edgehill.aio.Client:
        """A client, closed with the test."""
        if not self.blocking:
            client = edgehill.aio.Client(address, retry=retry)
        else:
            client = cast(edgehill.aio.Client, Threaded(edgehill.Client(address, retry=retry)))
        self.addAsyncCleanup(client.close)
        return client

    async def seats(self) -> tuple[edgehill.aio.Seat, edgehill.aio.Seat]:
        """Both seats of a match that has begun with this."""
        match = (await self.client.create("skirmish")).match.config.match_id
        return await self.client.join(match), await self.client.join(match)

    async def run_bots(self, bots: Mapping[edgehill.aio.Seat, Bot]) -> list[BotReport]:
        """Has bots play, over one stream."""
        if not self.blocking:
            return list((await edgehill.aio.run_bots(self.client, bots)).values())
        blocking = {unwrapped(seat): bot for seat, bot in bots.items()}
        return list((await asyncio.to_thread(edgehill.run_bots, unwrapped(self.client), blocking)).values())

    async def refused(self, reason: v1.ErrorReason, call: Awaitable[object]) -> Refused:
        """Expects a refusal."""
        with self.assertRaises(Refused) as caught:
            await call
        self.assertEqual(caught.exception.name, v1.ErrorReason.Name(reason).removeprefix("ERROR_REASON_"))
        return caught.exception


def over_both(*cases: type[Scenario]) -> Callable[..., unittest.TestSuite]:
    """A `load_tests` that runs these with both clients, against the fake server and the real one."""
    return _loading(cases, {"Fake": FakeServer, "Server": Server})


def over_server(*cases: type[Scenario]) -> Callable[..., unittest.TestSuite]:
    """A `load_tests` that runs these with both clients, against the real server."""
    return _loading(cases, {"Server": Server})


def over(server: type[Server], *cases: type[Scenario]) -> Callable[..., unittest.TestSuite]:
    """A `load_tests` that runs these with both clients, against this server."""
    return _loading(cases, {server.__name__: server})


def _loading(
    cases: tuple[type[Scenario], ...], servers: Mapping[str, Callable[[], Server | FakeServer]]
) -> Callable[..., unittest.TestSuite]:
    def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: object) -> unittest.TestSuite:
        suite = unittest.TestSuite(test for test in _flat(tests) if not isinstance(test, Scenario))
        for case in cases:
            for name, server in servers.items():
                if case.fake_alone and server is not FakeServer:
                    continue
                for blocking in (False,) if case.asyncio_alone else (True, False):
                    title = f"{case.__name__}{'Blocking' if blocking else 'Asyncio'}{name}"
                    attributes = {"make_server": staticmethod(server), "blocking": blocking}
                    variant = type(title, (case,), {**attributes, "__module__": case.__module__})
                    suite.addTests(loader.loadTestsFromTestCase(variant))
        return suite

    return load_tests


def _flat(tests: unittest.TestSuite) -> list[unittest.TestCase]:
    found: list[unittest.TestCase] = []
    for test in tests:
        found += _flat(test) if isinstance(test, unittest.TestSuite) else [test]
    return found
