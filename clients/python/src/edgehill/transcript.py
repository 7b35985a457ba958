"""What a server has shown to one observer of a match, and its signed word for it (docs/record.md, "Receipts")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from google.protobuf.message import DecodeError

from edgehill import v1
from edgehill.errors import SequenceGap, Unverified
from edgehill.signature import SigningKeys, has_signed, known_keys

FIRST_LINE = "edgehill transcript 1"
SIGNED_KIND = b"edgehill receipt v1"
"""The name of what a server signs, before the digest."""


class Transcript:
    """The events that were shown to an observer, from number 1 on, and receipts for them.

    `add` takes every event as it comes; `hash` is then what a receipt for the same number says. `seat`: the observer's
    seat; `None` for a spectator.
    """

    def __init__(self, match_id: str, seat: int | None = None) -> None:
        self.match_id = match_id
        self.seat = seat
        self.seq = 0
        """The number of the last event; 0: none."""
        start = f"edgehill/stream/1\nmatch {match_id}\nobserver {_observer(seat)}\n"
        self.hash = sha256(start.encode()).digest()
        """The running hash after that event."""
        self.shown: list[v1.Event | v1.Receipt] = []
        """Events without words, and receipts, in the order in which they came."""

    def add(self, event: v1.Event) -> None:
        """Adds an event; one that is there already is passed over. Raises `SequenceGap` if there is a gap before it."""
        if 0 < event.seq <= self.seq:
            return
        if event.seq != self.seq + 1:
            raise SequenceGap(f"event {event.seq} does not follow number {self.seq}")
        bare = _without_words(event)
        self.hash = event.stream_hash or sha256(self.hash + _bytes(bare)).digest()
        self.seq += 1
        bare.seq = self.seq
        self.shown.append(bare)

    def add_receipt(self, receipt: v1.Receipt) -> None:
        """Adds a receipt for what is there by now, right or wrong. Raises `Unverified` for one of something else."""
        seat = receipt.observer.seat if receipt.observer.HasField("seat") else None
        if (receipt.match_id, seat, receipt.seq) != (self.match_id, self.seat, self.seq):
            raise Unverified(f"the receipt is not for this match, this observer and number {self.seq}")
        self.shown.append(receipt)

    @property
    def events(self) -> Iterator[v1.Event]:
        """The events, in order."""
        return (shown for shown in self.shown if isinstance(shown, v1.Event))

    def text(self) -> str:
        """Returns the text of the `.edt` file: what `edgehill verify --receipt` reads."""
        lines = [FIRST_LINE, f"match {self.match_id}", f"observer {_observer(self.seat)}"]
        for shown in self.shown:
            if isinstance(shown, v1.Receipt):
                parts = (shown.stream_hash, shown.signer, shown.signature)
                lines.append("receipt " + " ".join(part.hex() for part in parts))
            else:
                lines.append("event " + _bytes(shown).hex())
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, text: str) -> Transcript:
        """Reads the text of an `.edt` file. Raises `Unverified` for a line that is none of a transcript."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        match lines[:3]:
            case [first, match, who] if (
                first == FIRST_LINE and match.startswith("match ") and who.startswith("observer ")
            ):
                given = who.removeprefix("observer ")
            case _:
                raise Unverified(f"a transcript begins with {FIRST_LINE!r}, its match and its observer")
        if given != "spectator" and not given.isdecimal():
            raise Unverified(f"the observer: a seat's number or `spectator` expected, found {given!r}")
        read = cls(match.removeprefix("match "), None if given == "spectator" else int(given))
        for line in lines[3:]:
            try:
                read._line(line)
            except (ValueError, DecodeError) as error:
                raise Unverified(f"the line {line[:80]!r} is none of a transcript") from error
        return read

    def _line(self, line: str) -> None:
        match line.split(" "):
            case ["event", digits]:
                event = v1.Event.FromString(bytes.fromhex(digits))
                event.seq = self.seq + 1
                self.add(event)
            case ["receipt", *parts] if len(parts) == 3:
                hash, signer, signature = map(bytes.fromhex, parts)
                receipt = v1.Receipt(
                    match_id=self.match_id, seq=self.seq, stream_hash=hash, signer=signer, signature=signature
                )
                receipt.observer.CopyFrom(v1.Observer(seat=self.seat))
                self.shown.append(receipt)
            case _:
                raise ValueError(line)


@dataclass(frozen=True)
class TranscriptCheck:
    """A transcript in which nothing contradicts anything."""

    receipts: int
    """Number of receipts."""
    unproven: tuple[range, ...]
    """Numbers of events that no receipt proves."""
    signed: bool
    """True if the holder of a known key has signed all receipts."""

    @property
    def complete(self) -> bool:
        """True if a known server has signed for every event."""
        return self.signed and self.receipts > 0 and not self.unproven


def check_transcript(transcript: Transcript, *, signing_key: SigningKeys | None = None) -> TranscriptCheck:
    """Checks the receipts of a transcript against the events before them.

    `signing_key`: the public key of the server (`Client.signing_key`), kept from before there was something to check,
    or all that it has signed with (`Client.signing_keys`).

    Raises `Unverified` for the first receipt that is wrong. What was shown is compared with a record by
    `edgehill verify --receipt`, which has the rules.
    """
    again = Transcript(transcript.match_id, transcript.seat)
    receipts = proven = jump = 0
    known = None if signing_key is None else known_keys(signing_key)
    signed = known is not None
    unproven: list[range] = []
    for shown in transcript.shown:
        if isinstance(shown, v1.Event):
            again.add(shown)
            jump = again.seq if shown.stream_hash else jump
            continue
        if shown.stream_hash != again.hash:
            raise Unverified(f"the receipt for number {again.seq} is for other events, or for another order")
        if known is not None and shown.signer not in known:
            raise Unverified(f"the receipt for number {again.seq}: found the signature of {shown.signer.hex()}")
        valid = has_signed(shown.signer, SIGNED_KIND + receipt_digest(shown), shown.signature)
        if valid is False:
            raise Unverified(f"the receipt for number {again.seq} is not signed by {shown.signer.hex()}")
        signed &= valid is True
        receipts += 1
        if jump > proven:
            unproven.append(range(proven + 1, jump + 1))
        proven = again.seq
    if proven < again.seq:
        unproven.append(range(proven + 1, again.seq + 1))
    return TranscriptCheck(receipts, tuple(unproven), signed)


def receipt_digest(receipt: v1.Receipt) -> bytes:
    """Returns the digest that a receipt's signature is of."""
    seat = receipt.observer.seat if receipt.observer.HasField("seat") else None
    text = (
        f"edgehill/receipt/1\nmatch {receipt.match_id}\nobserver {_observer(seat)}\n"
        f"seq {receipt.seq}\nstream-hash {receipt.stream_hash.hex()}\n"
    )
    return sha256(text.encode()).digest()


def _observer(seat: int | None) -> str:
    return "spectator" if seat is None else str(seat)


def _bytes(event: v1.Event) -> bytes:
    """The bytes of an event without its number: fields in the order of theirs, as protobuf's libraries write them."""
    bare = v1.Event()
    bare.CopyFrom(event)
    bare.ClearField("seq")
    return bare.SerializeToString(deterministic=True)


def _without_words(event: v1.Event) -> v1.Event:
    bare = v1.Event()
    bare.CopyFrom(event)
    bare.ClearField("text")
    for change in bare.changes:
        phrases: list[v1.Phrase] = []
        if change.HasField("turn_state"):
            state = change.turn_state
            phrases += [state.prompt] if state.HasField("prompt") else []
            phrases += [*state.warnings, *(one.what for one in state.entitlements if one.HasField("what"))]
        elif change.HasField("known"):
            phrases += [fact for known in change.known.known for fact in known.facts]
        for phrase in phrases:
            phrase.ClearField("text")
    return bare
