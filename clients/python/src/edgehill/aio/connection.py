"""The connection of calls that are awaited: each is repeated as it is until it is answered or refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, TypeVar

import grpc

from edgehill import errors
from edgehill.calls import Call, Script
from edgehill.errors import ConnectError
from edgehill.retry import Outage, RetryPolicy
from edgehill.server_url import (
    PROBE,
    PROBE_SECONDS,
    Certificates,
    ServerUrl,
    channel_options,
    connect_fault,
    metadata,
)
from edgehill.v1.admin_service_pb2_grpc import AdminServiceStub
from edgehill.v1.catalog_service_pb2_grpc import CatalogServiceStub
from edgehill.v1.competition_service_pb2_grpc import CompetitionServiceStub
from edgehill.v1.match_service_pb2_grpc import MatchServiceStub
from edgehill.v1.referee_service_pb2_grpc import RefereeServiceStub

T = TypeVar("T")


class Connection:
    """One channel to one server, of one event loop: that of the first call."""

    def __init__(self, url: ServerUrl, policy: RetryPolicy, certificates: Certificates) -> None:
        self.policy: Final = policy
        self._url = url
        self._credentials = certificates.credentials(url)
        self._connected = False
        self._channel: Any = None
        self._admin: Any = None
        self._catalog: Any = None
        self.competitions: Any = None
        self._referee: Any = None
        self.matches: Any = None
        """The stub of the match service, once `connect` was awaited."""

    async def close(self) -> None:
        """Ends all calls and streams."""
        if self._channel is not None:
            await self._channel.close()

    async def connect(self) -> None:
        """Waits for the first connection. Raises `ConnectError` if there is none in time."""
        if self._connected:
            return
        if self._channel is None:
            self._make_channel()
        try:
            async with asyncio.timeout(self.policy.connect_seconds):
                await self._channel.channel_ready()
        except TimeoutError:
            raise ConnectError(self._url.target, await self._fault()) from None
        self._connected = True

    def _make_channel(self) -> None:
        # A channel belongs to the loop that runs when it is made; a client may be made before.
        target, options = self._url.target, channel_options(self.policy.connect_seconds)
        self._channel = (
            grpc.aio.insecure_channel(target, options=options)
            if self._credentials is None
            else grpc.aio.secure_channel(target, self._credentials, options=options)
        )
        self._admin = AdminServiceStub(self._channel)
        self._catalog = CatalogServiceStub(self._channel)
        self.competitions = CompetitionServiceStub(self._channel)
        self._referee = RefereeServiceStub(self._channel)
        self.matches = MatchServiceStub(self._channel)

    async def _fault(self) -> str:
        """Returns the fault of the last attempt to connect."""
        try:
            await self._channel.unary_unary(PROBE)(b"", timeout=PROBE_SECONDS)
        except grpc.RpcError as error:
            return connect_fault(error, self.policy.connect_seconds)
        return connect_fault(None, self.policy.connect_seconds)

    async def run(self, script: Script[T]) -> T:
        """Makes the calls of a script, and returns its result."""
        answer = None
        while True:
            try:
                call = script.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = await self._answer(call)

    async def stream(self, call: Call) -> AsyncIterator[Any]:
        """Yields the messages of a stream that ends by itself. It is opened again as long as none has come."""
        await self.connect()
        method = self._method(call)
        outage = Outage(self.policy)
        has_begun = False
        while True:
            stream = method(call.request, metadata=metadata(call.token))
            try:
                async for message in stream:
                    has_begun = True
                    yield message
                return
            except grpc.RpcError as error:
                if has_begun:
                    raise errors.of(error) from None
                await asyncio.sleep(outage.pause(errors.of(error)))
            finally:
                stream.cancel()

    def _method(self, call: Call) -> Any:
        stubs = {
            "admin": self._admin,
            "catalog": self._catalog,
            "competitions": self.competitions,
            "matches": self.matches,
            "referee": self._referee,
        }
        return getattr(stubs[call.service], call.method)

    async def _answer(self, call: Call) -> Any:
        await self.connect()
        method = self._method(call)
        outage = Outage(self.policy)
        while True:
            try:
                answer = method(call.request, metadata=metadata(call.token), timeout=self.policy.attempt_seconds)
                return [message async for message in answer] if call.streams else await answer
            except grpc.RpcError as error:
                await asyncio.sleep(outage.pause(errors.of(error)))
