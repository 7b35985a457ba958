"""Addresses, credentials and the settings of a channel."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import grpc

from edgehill.errors import InvalidCertificate, InvalidToken, InvalidUrl

PROBE: Final = "/grpc.health.v1.Health/Check"
"""A call whose failure tells why there is no connection."""
PROBE_SECONDS: Final = 0.1
"""The time for it: while a connection is attempted, it fails by this alone."""

_EXPECTED: Final = "a server is host:port, http://host:port or https://host"
_HOST_AND_PORT: Final = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):(\d+)")


def channel_options(connect_seconds: float) -> list[tuple[str, int]]:
    """Returns the settings of a channel that is given up if it is not connected within `connect_seconds`."""
    # Time for several attempts, and never more than a second between two.
    pause = min(1000, int(connect_seconds * 1000 / 5))
    return [
        # A game's whole action table, or the view of a large one.
        ("grpc.max_receive_message_length", 16 << 20),
        # Repetitions are ours: only we know what may be repeated, and for how long.
        ("grpc.enable_retries", 0),
        # A connection that died without a word is noticed in half a minute, also by a client that only listens.
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
        # One attempt may take a second.
        ("grpc.min_reconnect_backoff_ms", 1000),
        ("grpc.initial_reconnect_backoff_ms", min(50, pause)),
        ("grpc.max_reconnect_backoff_ms", pause),
    ]


@dataclass(frozen=True)
class ServerUrl:
    """The address of a server."""

    target: str
    """Host and port."""
    tls: bool
    """True if the connection is encrypted."""

    @classmethod
    def parse(cls, server: str) -> ServerUrl:
        """Reads `localhost:7400`, `http://localhost:7400`, `https://play.example`. Raises `InvalidUrl`."""
        if "://" not in server:
            found = _HOST_AND_PORT.fullmatch(server)
            if found is None or not 0 < int(found.group(2)) < 1 << 16:
                raise InvalidUrl(f"{_EXPECTED}; found {server!r}")
            return cls(server, False)
        try:
            url = urlsplit(server)
            port = url.port or (443 if url.scheme == "https" else 80)
        except ValueError as error:
            raise InvalidUrl(f"{_EXPECTED}; found {server!r}: {error}") from None
        if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/") or url.query or url.fragment:
            raise InvalidUrl(f"{_EXPECTED}; found {server!r}")
        host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
        return cls(f"{host}:{port}", url.scheme == "https")


@dataclass(frozen=True)
class Certificates:
    """The certificates that a client trusts and shows, in PEM."""

    ca: bytes | None = None
    """Of the server's authorities; None: those that gRPC knows."""
    cert: bytes | None = None
    """The client's own."""
    cert_key: bytes | None = field(default=None, repr=False)
    """Its key."""

    def credentials(self, url: ServerUrl) -> grpc.ChannelCredentials | None:
        """Returns the credentials of a channel; None for one in clear. Raises `InvalidCertificate`."""
        if (self.cert is None) != (self.cert_key is None):
            raise InvalidCertificate("a certificate goes with its key: cert= and cert_key=")
        for name, pem in (("ca", self.ca), ("cert", self.cert)):
            if pem is not None and b"-----BEGIN CERTIFICATE-----" not in pem:
                raise InvalidCertificate(f"{name} holds no certificate in PEM")
        if self.cert_key is not None and b"PRIVATE KEY-----" not in self.cert_key:
            raise InvalidCertificate("cert_key holds no private key in PEM")
        if url.tls:
            return grpc.ssl_channel_credentials(self.ca, self.cert_key, self.cert)
        if self.ca is not None or self.cert is not None:
            raise InvalidCertificate("certificates go with https://")
        return None


def checked_token(token: str) -> str:
    """Returns an account's key or a seat's token. Raises `InvalidToken` for one that no header takes."""
    if not re.fullmatch(r"[!-~]+", token):
        # The text stays out of the message: it may be a secret with a line feed at its end.
        raise InvalidToken("a key or token is printable ASCII without blanks, at least one character")
    return token


def metadata(token: str | None) -> list[tuple[str, str]]:
    """Returns the metadata that names a call's caller: an account's key or a seat's token."""
    return [("authorization", f"Bearer {token}")] if token else []


def connect_fault(probe: Any, seconds: float) -> str:
    """Returns the fault of a connection that was not made in time, from the error of the probe."""
    if probe is None or probe.code() != grpc.StatusCode.UNAVAILABLE:
        return f"no answer within {seconds:g} s"
    details = probe.details() or ""
    return details.rpartition("last error: ")[2] or f"no answer within {seconds:g} s"
