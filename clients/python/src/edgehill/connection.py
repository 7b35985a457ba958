"""The connection of blocking calls: each is repeated as it is until it is answered or refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
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
    """One channel to one server. It may be used from several threads."""

    def __init__(self, url: ServerUrl, policy: RetryPolicy, certificates: Certificates) -> None:
        self.policy: Final = policy
        self._url = url
        self._connected = False
        options = channel_options(policy.connect_seconds)
        credentials = certificates.credentials(url)
        self._channel = (
            grpc.insecure_channel(url.target, options=options)
            if credentials is None
            else grpc.secure_channel(url.target, credentials, options=options)
        )
        self._admin = AdminServiceStub(self._channel)
        self._catalog = CatalogServiceStub(self._channel)
        self.competitions: Final = CompetitionServiceStub(self._channel)
        self._referee = RefereeServiceStub(self._channel)
        self.matches: Final = MatchServiceStub(self._channel)

    def close(self) -> None:
        """Ends all calls and streams."""
        self._channel.close()

    def connect(self) -> None:
        """Waits for the first connection. Raises `ConnectError` if there is none in time."""
        if self._connected:
            return
        ready = grpc.channel_ready_future(self._channel)
        try:
            ready.result(timeout=self.policy.connect_seconds)
        except grpc.FutureTimeoutError:
            raise ConnectError(self._url.target, self._fault()) from None
        finally:
            ready.cancel()
        self._connected = True

    def _fault(self) -> str:
        """Returns the fault of the last attempt to connect."""
        try:
            self._channel.unary_unary(PROBE)(b"", timeout=PROBE_SECONDS)
        except grpc.RpcError as error:
            return connect_fault(error, self.policy.connect_seconds)
        return connect_fault(None, self.policy.connect_seconds)

    def run(self, script: Script[T]) -> T:
        """Makes the calls of a script, and returns its result."""
        answer = None
        while True:
            try:
                call = script.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = self._answer(call)

    def stream(self, call: Call) -> Iterator[Any]:
        """Yields the messages of a stream that ends by itself. It is opened again as long as none has come."""
        method = self._method(call)
        self.connect()
        outage = Outage(self.policy)
        has_begun = False
        while True:
            stream = method(call.request, metadata=metadata(call.token))
            try:
                for message in stream:
                    has_begun = True
                    yield message
                return
            except grpc.RpcError as error:
                if has_begun:
                    raise errors.of(error) from None
                time.sleep(outage.pause(errors.of(error)))
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

    def _answer(self, call: Call) -> Any:
        method = self._method(call)
        self.connect()
        outage = Outage(self.policy)
        while True:
            try:
                answer = method(call.request, metadata=metadata(call.token), timeout=self.policy.attempt_seconds)
                return list(answer) if call.streams else answer
            except grpc.RpcError as error:
                time.sleep(outage.pause(errors.of(error)))
