"""Records (docs/record.md), read as far as the dice need it: what was settled, what was drawn, the result.

The end digest is BLAKE3 and is not looked at here: it notices damage, and keeps nobody from writing another record.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from struct import pack

from edgehill import dice
from edgehill.errors import Unverified

FIRST_LINE = "edgehill record 1"
_DRAWN = re.compile(r"(dice|draw) (\d+)/(\d+): (.+) \[[0-9a-f]{16}\]")


@dataclass(frozen=True)
class Drawn:
    """A chance event: a roll, or something drawn."""

    stream: int
    """The stream of the seed."""
    n: int
    """The count within the stream; of a draw from a bag, its epoch."""
    faces: tuple[int, ...] = ()
    """The faces of a roll, in the roll's order; empty for what is drawn."""
    what: str = ""
    """The outcome of a draw, by its id in the catalogue; empty for a roll."""


@dataclass
class Record:
    """A record's header and chance events. Seeds and hashes are bytes; empty where the record has none."""

    game: str = ""
    rules: str = ""
    content: bytes = b""
    scenario: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    match: str = ""
    position: str = ""
    dice: str = ""
    """The source of outcomes: `committed`, `chosen`, `scripted`, `entered`, `playout`."""
    group: str = ""
    commitment: bytes = b""
    server_seed: bytes = b""
    """Empty also while it is withheld."""
    seed: bytes = b""
    """Of a match whose seed was chosen."""
    entropies: list[bytes] = field(default_factory=list)
    """By place; zeros where none was given."""
    entropy_commitments: dict[int, bytes] = field(default_factory=dict)
    """By place; of those who were bound to their entropy."""
    drawn: list[Drawn] = field(default_factory=list)
    """The chance events in their order."""
    result: str = ""
    """The line of the result."""

    @property
    def id(self) -> str:
        """The id that commitment and seed were made for: the group or, without one, the match."""
        return self.group or self.match

    def options_hash(self) -> bytes:
        """The hash of scenario, options and position, part of what the commitment commits to."""
        texts = [text for option in self.options for text in option]
        head = b"edgehill/options/1" + dice.text(self.scenario) + pack("<I", len(self.options))
        return sha256(head + b"".join(map(dice.text, texts)) + dice.text(self.position)).digest()


def read(text: str) -> Record:
    """Reads the text of an `.edg` file. Raises `Unverified` for what is no record."""
    first, *lines = unwrapped(text)
    if first != FIRST_LINE:
        raise Unverified(f"a record begins with {FIRST_LINE!r}, this with {first!r}")
    record = Record()
    # The entries come after the header, and a seat may be called as a line of it is.
    header = True
    for line in lines:
        header &= not line.startswith("start [")
        if drawn := _DRAWN.fullmatch(line):
            record.drawn.append(_drawn(*drawn.groups()))
        elif header:
            _header_line(record, line)
        elif line.startswith("result "):
            record.result = line
    return record


def unwrapped(text: str) -> list[str]:
    """The lines of the text, with those that were broken at 100 bytes joined again."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("  \\") and lines:
            lines[-1] += line[3:]
        elif line.startswith("  ") and lines:
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines or [""]


def _drawn(kind: str, stream: str, n: str, what: str) -> Drawn:
    if kind == "dice":
        return Drawn(int(stream), int(n), faces=tuple(map(int, what.split())))
    return Drawn(int(stream), int(n), what=what)


def _header_line(record: Record, line: str) -> None:
    word, _, rest = line.partition(" ")
    match word, rest.split(" "):
        case (("game" | "rules" | "scenario" | "dice" | "position"), _):
            setattr(record, word, rest)
        case (("match" | "group"), _):
            setattr(record, word, json.loads(rest))
        case "option", [id, *value]:
            record.options.append((id, " ".join(value)))
        case "server-seed", ["withheld"]:
            pass
        case "seed", ["withheld"]:
            pass
        case (("content" | "commitment" | "seed"), [digits]):
            setattr(record, word, bytes.fromhex(digits))
        case "server-seed", [digits]:
            record.server_seed = bytes.fromhex(digits)
        case "entropy", [place, given, *bound]:
            if int(place) != len(record.entropies):
                raise Unverified(f"entropy of place {len(record.entropies)} was expected, found {line!r}")
            record.entropies.append(bytes(32) if given == "absent" else bytes.fromhex(given))
            if bound[:1] == ["committed"]:
                record.entropy_commitments[int(place)] = bytes.fromhex(bound[1])
