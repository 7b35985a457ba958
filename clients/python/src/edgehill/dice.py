"""Edgehill's dice, from docs/dice.md and the standard library alone: derive every outcome, compare, done."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, count, islice
from struct import pack, unpack


def text(value: str) -> bytes:
    return pack("<I", len(value.encode())) + value.encode()


def options_hash(salt: bytes, scenario: str, options: Sequence[tuple[str, str]], position: str) -> bytes:
    listed = pack("<I", len(options)) + b"".join(text(id) + text(value) for id, value in options)
    return sha256(b"edgehill/options/2" + salt + text(scenario) + listed + text(position)).digest()


def commitment(
    match_id: str, game: str, rules_version: str, content: bytes, options: bytes, server_seed: bytes
) -> bytes:
    terms = text(match_id) + text(game) + text(rules_version) + content + options
    return sha256(b"edgehill/commit/1" + terms + server_seed).digest()


def entropy_commitment(match_id: str, seat: int, entropy: bytes) -> bytes:
    return sha256(b"edgehill/entropy/1" + text(match_id) + pack("<I", seat) + entropy).digest()


def seed(match_id: str, server_seed: bytes, entropies: Sequence[bytes]) -> bytes:
    listed = pack("<I", len(entropies)) + b"".join(entropies)
    return sha256(b"edgehill/seed/1" + text(match_id) + server_seed + listed).digest()


def series_seed(series: bytes, account: str, n: int) -> bytes:
    return sha256(b"edgehill/series/1" + series + text(account) + pack("<I", n)).digest()


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """The ChaCha20 block function, RFC 8439 section 2.3."""
    start = unpack("<16I", b"expand 32-byte k" + key + pack("<I", counter) + nonce)
    x = list(start)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            for to, by, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = (x[to] + x[by]) & 0xFFFFFFFF
                x[into] ^= x[to]
                x[into] = (x[into] << turn | x[into] >> 32 - turn) & 0xFFFFFFFF
    return pack("<16I", *((word + first) & 0xFFFFFFFF for word, first in zip(x, start)))


def key_stream(key: bytes, stream: int, n: int) -> Iterator[int]:
    return (byte for counter in count() for byte in block(key, counter, bytes(4) + pack("<II", stream, n)))


def roll(key: bytes, stream: int, n: int, dice: int, sides: int) -> list[int]:
    accepted = (byte for byte in key_stream(key, stream, n) if byte < 256 - 256 % sides)
    return [byte % sides + 1 for byte in islice(accepted, dice)]


def choice(key: bytes, stream: int, n: int, weights: Sequence[int]) -> int:
    source, total = key_stream(key, stream, n), sum(weights)
    numbers = (int.from_bytes(bytes(islice(source, 8)), "little") for _ in count())
    point = next(r for r in numbers if r < 2**64 // total * total) % total
    return next(index for index, reached in enumerate(accumulate(weights)) if reached > point)


def bag(key: bytes, stream: int, epoch: int, cards: Sequence[int]) -> int:
    """The card drawn (not its index)."""
    head = b"edgehill/bag/1" + key + pack("<II", stream, epoch)
    return min(cards, key=lambda card: (sha256(head + pack("<I", card)).digest()[:16], card))
