"""The connection to a server: each call with the caller's token, repeated as it is until it is answered or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import grpc

from edgehill import errors
from edgehill.retry import Retry
from edgehill.v1.catalog_service_pb2_grpc import CatalogServiceStub
from edgehill.v1.match_service_pb2_grpc import MatchServiceStub

Reply = TypeVar("Reply")

OPTIONS: Final = [
    # A record has up to 8 MiB of text.
    ("grpc.max_receive_message_length", 16 << 20),
    # Repetitions are ours: only we know what may be repeated, and for how long.
    ("grpc.enable_retries", 0),
    # A connection that died without a word is noticed in half a minute, also by who only listens.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 1000),
]


class Wire:
    """One channel to one server. It may be used from several threads."""

    def __init__(self, server: str, retry: Retry) -> None:
        target, safe = address(server)
        self.retry: Final = retry
        self.channel: Final = (
            grpc.secure_channel(target, grpc.ssl_channel_credentials(), options=OPTIONS)
            if safe
            else grpc.insecure_channel(target, options=OPTIONS)
        )
        self.catalog: Final = CatalogServiceStub(self.channel)
        self.matches: Final = MatchServiceStub(self.channel)

    def call(self, method: Any, request: Any, token: str | None, reply: Callable[..., Reply]) -> Reply:
        """Makes a call. `request` is the same message in each attempt, and so is its request id.

        Raises `Refused`, or `CallFailed` when retry_policy has ended. `reply` is what the method answers with.
        """
        pauses = self.retry.begin()
        while True:
            try:
                answer: Reply = method(request, metadata=metadata(token), timeout=self.retry.attempt_seconds)
                return answer
            except grpc.RpcError as error:
                pauses.wait(errors.of(error))


def metadata(token: str | None) -> list[tuple[str, str]]:
    """Returns what a call says of its caller: an account's key or a seat's token."""
    return [("authorization", f"Bearer {token}")] if token else []


def address(server: str) -> tuple[str, bool]:
    """Host and port of `localhost:7400`, `http://localhost:7400`, `https://play.example`, and whether to speak TLS."""
    if "://" not in server:
        return server, False
    url = urlsplit(server)
    if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/") or url.query:
        raise ValueError(f"expected host:port, http://host:port or https://host, found {server!r}")
    port = url.port or (443 if url.scheme == "https" else 80)
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return f"{host}:{port}", url.scheme == "https"
