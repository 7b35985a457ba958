"""Records (docs/record.md), read as far as it goes without the rules: what was settled, what was drawn, the result, the
digest of the text, the signature.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256

from edgehill import dice
from edgehill.errors import Unverified

FIRST_LINE = "edgehill record 2"
SIGNED_KIND = b"edgehill record v2"
"""The name of what a host signs, before the digest."""
_TAG = b"edgehill/record/2"
_PRINTABLE = re.compile("[ -~]*")
_END = re.compile("end [0-9a-f]{64}")
_SIGNATURE = re.compile("signer ([0-9a-f]{64})\nsignature ([0-9a-f]{128})")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^ ]+')
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


@dataclass(frozen=True)
class RefereeAct:
    """An act of a referee, which the rules know nothing of."""

    entries: int
    """Number of the record's entries before it."""
    kind: str
    """`time`, `replaced`, `voided`, `corrected`, `adjourned` or `resumed`."""
    reason: str
    """The referee's reason; may be empty."""
    seat: str = ""
    """The seat whose clock was given time, or whose player was replaced."""
    added_ms: int = 0
    """The milliseconds that a clock was given."""
    former_player: str = ""
    """The name of the player who was replaced."""
    returns: tuple[int, ...] = ()
    """What each seat gets instead of the result."""
    longest_ms: int = 0
    """The longest time, in milliseconds, for which the match was adjourned."""


@dataclass(frozen=True)
class Adjournment:
    """A time for which the match was adjourned, which the rules know nothing of."""

    entries: int
    """Number of the record's entries before it."""
    by: str
    """`seats` or `referee`."""
    longest_ms: int
    """The longest time that it was to last, in milliseconds."""
    lasted_ms: int | None = None
    """The milliseconds that it lasted. `None`: it had not ended when the record was made."""


@dataclass
class Record:
    """A record's header and chance events. Seeds and hashes are bytes; empty where the record has none."""

    game: str = ""
    rules: str = ""
    content: bytes = b""
    repinned: str = ""
    """The rules version and the content, in hex, that took it up since; empty where there are none."""
    scenario: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    match: str = ""
    players: list[str] = field(default_factory=list)
    """The players' names, in the order of the seats; empty for those without a name."""
    position: str = ""
    dice: str = ""
    """The source of outcomes: `committed`, `chosen`, `scripted`, `entered`, `playout`."""
    group: str = ""
    commitment: bytes = b""
    server_seed: bytes = b""
    """Empty also while it is withheld."""
    salt: bytes = b""
    """The salt of the options hash; empty also while it is withheld."""
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
    given_up: str = ""
    """The id of the seat that gave up while the host could not play the match; empty if none did."""
    adjournments: list[Adjournment] = field(default_factory=list)
    """The times for which the match was adjourned, in order: its host's word."""
    referee_acts: list[RefereeAct] = field(default_factory=list)
    """The acts of referees, in order: its host's word."""
    digest: bytes = b""
    """The digest of the text, which its line `end` has."""
    signer: bytes = b""
    """The public key of the signature; empty where there is none."""
    signature: bytes = b""
    """The signature of `SIGNED_KIND` and the digest."""

    @property
    def id(self) -> str:
        """The id that commitment and seed were made for: the group or, without one, the match."""
        return self.group or self.match

    def options_hash(self) -> bytes:
        """The hash of scenario, options and position, part of what the commitment commits to."""
        return dice.options_hash(self.salt, self.scenario, self.options, self.position)


def read(text: str) -> Record:
    """Reads the text of an `.edg` file. Raises `Unverified` for what is no record, and where its digest is another.

    A signature is read, and not checked.
    """
    lines = unwrapped(text)
    if lines[0] != FIRST_LINE:
        raise Unverified(f"expected {FIRST_LINE!r}, the only format that is read here, found {lines[0]!r}")
    record = Record()
    lines = _sealed(record, lines)
    # The entries come after the header, and a seat may be called as a line of it is.
    header = True
    for line in lines[1:]:
        header &= not line.startswith("start [")
        try:
            if record.result and line.startswith("given-up "):
                record.given_up = _given_up(record, line)
            elif record.result and line.startswith("adjourned "):
                record.adjournments.append(_adjournment(line))
            elif record.result:
                record.referee_acts.append(_referee_act(line))
            elif drawn := _DRAWN.fullmatch(line):
                record.drawn.append(_drawn(*drawn.groups()))
            elif header:
                _header_line(record, line)
            elif line.startswith("result "):
                record.result = line
        except (ValueError, IndexError) as error:
            raise Unverified(f"the line {line!r} is none of a record") from error
    return record


def _given_up(record: Record, line: str) -> str:
    seat = line.removeprefix("given-up ")
    after = bool(record.given_up or record.adjournments or record.referee_acts)
    if after or record.result != "result none" or not seat or " " in seat:
        raise ValueError("after `result none`, and once")
    return seat


def _sealed(record: Record, lines: list[str]) -> list[str]:
    """Reads digest and signature; returns the lines that they are of."""
    signed = _SIGNATURE.fullmatch("\n".join(lines[-2:]))
    if signed:
        record.signer, record.signature = map(bytes.fromhex, signed.groups())
        lines = lines[:-2]
    *lines, end = lines
    if not _END.fullmatch(end) or not lines:
        raise Unverified(f"a record ends with `end` and 64 digits, or with a signature after that; this with {end!r}")
    record.digest = sha256(_TAG + "".join(line + "\n" for line in lines).encode()).digest()
    if end != f"end {record.digest.hex()}":
        raise Unverified(f"the digest of the text: expected {record.digest.hex()}, found {end.removeprefix('end ')}")
    return lines


def unwrapped(text: str) -> list[str]:
    """The lines of the text, with those that were broken at 100 bytes joined again.

    Raises `Unverified` for characters that no record has.
    """
    lines: list[str] = []
    for number, line in enumerate(text.rstrip("\r\n ").split("\n"), 1):
        line = line.rstrip("\r ")
        if not _PRINTABLE.fullmatch(line):
            raise Unverified(f"line {number} has other characters than printable ASCII")
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


def _referee_act(line: str) -> RefereeAct:
    """Reads a line after the result."""
    match _words(line):
        case ["referee", entries, "time", seat, added_ms, "reason", reason]:
            return RefereeAct(int(entries), "time", json.loads(reason), seat=seat, added_ms=int(added_ms))
        case ["referee", entries, "replaced", seat, former, "reason", reason]:
            return RefereeAct(int(entries), "replaced", json.loads(reason), seat=seat, former_player=json.loads(former))
        case ["referee", entries, "voided", "reason", reason]:
            return RefereeAct(int(entries), "voided", json.loads(reason))
        case ["referee", entries, "corrected", *returns, "reason", reason] if returns:
            return RefereeAct(int(entries), "corrected", json.loads(reason), returns=tuple(map(int, returns)))
        case ["referee", entries, "adjourned", longest_ms, "reason", reason]:
            return RefereeAct(int(entries), "adjourned", json.loads(reason), longest_ms=int(longest_ms))
        case ["referee", entries, "resumed", "reason", reason]:
            return RefereeAct(int(entries), "resumed", json.loads(reason))
    raise ValueError(line)


def _adjournment(line: str) -> Adjournment:
    """Reads the line of an adjournment."""
    match line.split(" "):
        case ["adjourned", entries, "by", ("seats" | "referee") as by, "for", longest_ms]:
            return Adjournment(int(entries), by, int(longest_ms))
        case ["adjourned", entries, "by", ("seats" | "referee") as by, "for", longest_ms, "lasted", lasted_ms]:
            return Adjournment(int(entries), by, int(longest_ms), int(lasted_ms))
    raise ValueError(line)


def _words(line: str) -> list[str]:
    """The words of a line, where what stands in quotes is one."""
    words = _WORD.findall(line)
    if " ".join(words) != line:
        raise ValueError(line)
    return words


def _header_line(record: Record, line: str) -> None:
    word, _, rest = line.partition(" ")
    match word, rest.split(" "):
        case (("game" | "rules" | "repinned" | "scenario" | "dice" | "position"), _):
            setattr(record, word, rest)
        case (("match" | "group"), _):
            setattr(record, word, json.loads(rest))
        case "option", [id, *value]:
            record.options.append((id, " ".join(value)))
        case "server-seed", ["withheld"]:
            pass
        case (("seed" | "salt"), ["withheld"]):
            pass
        case "seat", [_, *_]:
            record.players.append(json.loads(rest.partition(" ")[2]))
        case (("content" | "commitment" | "seed" | "salt"), [digits]):
            setattr(record, word, bytes.fromhex(digits))
        case "server-seed", [digits]:
            record.server_seed = bytes.fromhex(digits)
        case "entropy", [place, given, *bound]:
            if int(place) != len(record.entropies):
                raise Unverified(f"entropy of place {len(record.entropies)} was expected, found {line!r}")
            record.entropies.append(bytes(32) if given == "absent" else bytes.fromhex(given))
            if bound[:1] == ["committed"]:
                record.entropy_commitments[int(place)] = bytes.fromhex(bound[1])
