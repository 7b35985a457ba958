"""A record, and what somebody may do to it who has no key to sign with."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from edgehill.record import unwrapped

_PAGE = Path(__file__).parents[3] / "docs" / "record.md"


def example() -> str:
    """The record of docs/record.md: signed, with its seed revealed."""
    return _PAGE.read_text(encoding="utf-8").split("```edg\n")[1].split("```")[0]


def resealed(text: str, signature: str = "") -> str:
    """The lines of a record up to its result, with a digest of their own and, if it is given, another's signature."""
    lines = text[: text.index("\nend ") + 1]
    joined = "".join(line + "\n" for line in unwrapped(lines))
    return f"{lines}end {sha256(b'edgehill/record/2' + joined.encode()).hexdigest()}\n{signature}"


def signature_of(text: str) -> str:
    """The lines of a record's signature."""
    return text[text.index("\nsigner ") + 1 :]
