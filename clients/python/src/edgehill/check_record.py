"""The check of a record as far as it goes without the rules and without knowing how the match was made.

`edgehill verify` has the whole of it; the parts are called as they are there (docs/record.md, "What a check shows").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edgehill import dice, record
from edgehill.errors import Unverified
from edgehill.record import SIGNED_KIND, Record
from edgehill.signature import SigningKeys, has_signed, known_keys, named


@dataclass(frozen=True)
class RecordCheck:
    """A record in which nothing contradicts anything."""

    record: Record
    """What it says."""
    unchecked: Mapping[str, str]
    """The parts that could not be checked, each with the reason: `rules`, `seed`, `entropy`, `end`, `names`,
    `host's word`, `signature`. Whoever writes a record can write there what they like."""

    def __str__(self) -> str:
        return "consistent, but unchecked: " + ", ".join(self.unchecked)


def check_record(text: str, *, signing_key: SigningKeys | None = None) -> RecordCheck:
    """Checks the digest of a record, its signature, its commitment and those of the seats.

    `signing_key`: the public key of the server that it is said to be of (`Client.signing_key`), or all that the server
    has signed with (`Client.signing_keys`); the record has to be signed with it, or with one of them.

    Raises `Unverified` for the first thing that is wrong. What is not wrong is not yet true: `RecordCheck.unchecked`.
    """
    read = record.read(text)
    unchecked = {
        "rules": "actions, digests and result are for a replay by the rules, `edgehill verify`",
        "seed": "outcomes are drawn again by `check_dice`",
    }
    if read.dice not in ("committed", "chosen"):
        unchecked["seed"] = "there is none: outcomes can be any"
    elif not (read.server_seed or read.seed):
        unchecked["seed"] = "it is withheld: outcomes and digests can be any"
    _check_commitments(read)
    whose = _check_signature(read, signing_key, unchecked)
    if read.dice == "committed":
        if not read.server_seed:
            unchecked["entropy"] = "it is withheld with the seed"
        elif whose:
            unchecked["entropy"] = whose
    ended = read.given_up or any(act.kind == "voided" for act in read.referee_acts)
    if read.result in ("", "result none") and not ended:
        unchecked["end"] = "the match was not over when it was recorded"
    elif whose:
        unchecked["end"] = whose
    if whose:
        unchecked |= {"names": whose, "host's word": whose}
    return RecordCheck(read, unchecked)


def _check_signature(read: Record, given: SigningKeys | None, unchecked: dict[str, str]) -> str:
    """Returns why nobody vouches for the record; empty if the holder of a known key does."""
    known = None if given is None else known_keys(given)
    if not read.signature:
        if known is not None:
            raise Unverified(f"the signature of {named(known)}: there is none")
        return "it is not signed"
    if known is not None and read.signer not in known:
        raise Unverified(f"the signature of {named(known)}: found that of {read.signer.hex()}")
    valid = has_signed(read.signer, SIGNED_KIND + read.digest, read.signature)
    if valid is None:
        unchecked["signature"] = "the package `cryptography` is not installed"
        return "its signature is not checked"
    if not valid:
        raise Unverified(f"the signature: {read.signer.hex()} has not signed these lines")
    return "" if known is not None else "whose key has signed it is not known"


def _check_commitments(read: Record) -> None:
    for place, bound in read.entropy_commitments.items():
        derived = dice.entropy_commitment(read.id, place, read.entropies[place])
        if derived != bound:
            raise Unverified(f"the entropy commitment of place {place}: expected {derived.hex()}, found {bound.hex()}")
    if not read.server_seed:
        return
    if not read.group and len(read.entropies) != len(read.players):
        raise Unverified(f"the entropies: expected {len(read.players)}, found {len(read.entropies)}")
    terms = (read.id, read.game, read.rules, read.content, read.options_hash(), read.server_seed)
    derived = dice.commitment(*terms)
    if derived != read.commitment:
        raise Unverified(f"the commitment: expected {derived.hex()}, found {read.commitment.hex()}")
