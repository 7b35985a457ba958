"""Ed25519 signatures (RFC 8032), by the package `cryptography` where it is installed."""

from __future__ import annotations


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
