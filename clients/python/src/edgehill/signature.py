"""Ed25519 signatures (RFC 8032), by the package `cryptography` where it is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

SigningKeys: TypeAlias = bytes | Iterable[bytes]
"""A public key, or several of which each will do."""


def known_keys(given: SigningKeys) -> tuple[bytes, ...]:
    """Returns the public keys that are given as one or as several."""
    return (given,) if isinstance(given, bytes) else tuple(given)


def named(keys: tuple[bytes, ...]) -> str:
    """Returns the words for a key that is expected to be one of these."""
    return " or ".join(key.hex() for key in keys) or "a known key"


def has_signed(key: bytes, message: bytes, signature: bytes) -> bool | None:
    """Returns whether the holder of a public key has signed a message; None if the package is not there."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
