"""The check that the dice of a finished match were those that its host was bound to before anyone sat down.

The procedure is that of docs/dice.md, "Checking a match"; that each die was due is for a replay by the rules to say
(`edgehill verify`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from edgehill import dice, v1
from edgehill.check_record import check_record
from edgehill.errors import Unverified
from edgehill.record import Drawn, Record
from edgehill.signature import SigningKeys

_ACTS = {
    v1.REFEREE_ACT_KIND_TIME_ADDED: "time",
    v1.REFEREE_ACT_KIND_PLAYER_REPLACED: "replaced",
    v1.REFEREE_ACT_KIND_MATCH_VOIDED: "voided",
    v1.REFEREE_ACT_KIND_RESULT_CORRECTED: "corrected",
    v1.REFEREE_ACT_KIND_MATCH_ADJOURNED: "adjourned",
    v1.REFEREE_ACT_KIND_ADJOURNMENT_ENDED: "resumed",
}
"""The acts of referees as a record calls them."""


@dataclass(frozen=True)
class Checked:
    """The outcomes that were drawn again from the seed, and are as the record has them."""

    seed: bytes
    """The seed that everything was drawn from."""
    rolls: int
    """Rolls that are as the seed gives them."""
    draws: int
    """Draws from bags that are as the seed gives them."""
    unchecked: tuple[Drawn, ...]
    """Draws whose options only the rules know: choices, and bags that were not named or have been refilled."""
    unchecked_parts: Mapping[str, str]
    """The parts of the record that could not be checked, each with the reason, as `RecordCheck.unchecked` has them."""


def check_dice(
    published: v1.MatchConfig,
    state: v1.MatchState,
    text: str,
    *,
    entropies: Mapping[int, bytes] | None = None,
    events: Iterable[v1.Event] = (),
    sides: int = 6,
    bags: Mapping[int, Sequence[str]] | None = None,
    signing_key: SigningKeys | None = None,
) -> Checked:
    """Checks the dice of a finished match against what was written down while it ran.

    `published`: the config as it was shown when the match was made. `state`, `text`: as the server has them now, from
    `get` and `record`. `entropies`: one's own, by seat. `events`: those that one has seen; each draw that they rest
    on has to be in the record. `sides`: what the game rolls. `bags`: for a stream, the ids of the cards that its bag
    begins with, each at the place that is its number, and "" for numbers that no card of it has. `signing_key`: the
    server's public key (`Client.signing_key`), or all that it has signed with (`Client.signing_keys`); the record has
    to be signed with it, or with one of them.

    Raises `Unverified` for the first thing that does not check.
    """
    checked = check_record(text, signing_key=signing_key)
    if not state.HasField("reveal"):
        raise Unverified("the seed is not revealed: the match, or its seed group, is not finished")
    read, reveal = checked.record, state.reveal
    _same_match(published, reveal, read)
    seed = _bound_seed(published, state, read)
    for seat, given in (entropies or {}).items():
        _same(f"the entropy of seat {seat}", given, reveal.entropies[_place(published, seat)])
    _same_end(state, read)
    unchecked_parts = dict(checked.unchecked)
    rolls, draws, unchecked = _draw_again(seed, read.drawn, sides, bags or {})
    if unchecked:
        unchecked_parts["seed"] = f"the options of {len(unchecked)} draws are for the rules to say"
    else:
        del unchecked_parts["seed"]
    places = {(drawn.stream, drawn.n) for drawn in read.drawn}
    for event in events:
        if event.HasField("chance_ref") and (event.chance_ref.stream, event.chance_ref.n) not in places:
            what = f"draw {event.chance_ref.stream}/{event.chance_ref.n}"
            raise Unverified(f"event {event.seq} rests on {what}, which is not in the record")
    return Checked(seed, rolls, draws, unchecked, unchecked_parts)


def _same_match(published: v1.MatchConfig, reveal: v1.DiceReveal, read: Record) -> None:
    """Checks that record, reveal and config speak of one match."""
    source = published.dice
    _same("the match", published.match_id, read.match)
    _same("the game", published.game, read.game)
    _same("the rules version", str(published.rules.number), read.rules)
    _same("the content", published.rules.content_hash, read.content)
    _same("the salt of the record", reveal.options_salt, read.salt)
    _same("the hash of the options", published.options_hash, read.options_hash())
    _same("the group", reveal.group_id, read.group)
    _same("the commitment of the record", source.commitment, read.commitment)
    _same("the server seed of the record", reveal.server_seed, read.server_seed)
    _same("the entropies of the record", list(reveal.entropies), read.entropies)


def _bound_seed(published: v1.MatchConfig, state: v1.MatchState, read: Record) -> bytes:
    """Returns the seed, as far as anybody is bound to it."""
    reveal, source = state.reveal, published.dice
    if source.origin == v1.SEED_ORIGIN_CHOSEN:
        _same("the seed of the record", reveal.seed, read.seed)
        return reveal.seed
    rules = published.rules
    derived = dice.commitment(
        read.id,
        published.game,
        str(rules.number),
        rules.content_hash,
        published.options_hash,
        reveal.server_seed,
    )
    _same("the commitment", source.commitment, derived)
    for seat, shown in enumerate(state.seats):
        if shown.entropy_commitment:
            place = _place(published, seat)
            bound = dice.entropy_commitment(read.id, place, reveal.entropies[place])
            _same(f"the entropy commitment of seat {seat}", shown.entropy_commitment, bound)
    seed = dice.seed(read.id, reveal.server_seed, list(reveal.entropies))
    _same("the seed", seed, reveal.seed)
    return seed


def _same_end(state: v1.MatchState, read: Record) -> None:
    """Checks that the record has the players and the result that the server tells."""
    _same("the names", [seat.player for seat in state.seats], read.players)
    result = state.result
    acts = [act.kind for act in read.referee_acts]
    corrected = next((list(act.returns) for act in reversed(read.referee_acts) if act.kind == "corrected"), [])
    _same("the acts of referees", [_ACTS.get(act.kind, "") for act in state.referee_acts], acts)
    _same("the corrected result", list(state.corrected_returns), corrected)
    if read.given_up or "voided" in acts:
        _same("the result", "result none", read.result)
        return
    returns = " ".join(map(str, result.returns))
    told = f"result {result.code} rule {result.rule} returns {returns} grade {json.dumps(result.grade)}"
    _same("the result", told, read.result)


def _draw_again(
    seed: bytes, drawn: Sequence[Drawn], sides: int, bags: Mapping[int, Sequence[str]]
) -> tuple[int, int, tuple[Drawn, ...]]:
    """Draws every event again, and looks for gaps in each stream. Returns counts of rolls and draws, and the rest."""
    following: dict[int, int] = {}
    left = {stream: {number for number, card in enumerate(cards) if card} for stream, cards in bags.items()}
    rolls = draws = 0
    unchecked = []
    for event in drawn:
        what = f"{event.stream}/{event.n}"
        due = following.get(event.stream, 0)
        if event.faces:
            _same(f"the number of the dice {what}", due, event.n)
            again = dice.roll(seed, event.stream, event.n, len(event.faces), sides)
            _same(f"the dice {what}", tuple(again), event.faces)
            rolls += 1
        elif event.stream in bags and event.n == 0:
            # Of a draw from a bag the number is its epoch.
            if not left[event.stream]:
                raise Unverified(f"the bag of the draw {what} is empty")
            card = dice.bag(seed, event.stream, 0, sorted(left[event.stream]))
            left[event.stream].remove(card)
            _same(f"the draw {what}", bags[event.stream][card], event.what)
            draws += 1
            continue
        else:
            unchecked.append(event)
        if event.n == due:
            following[event.stream] = due + 1
    return rolls, draws, tuple(unchecked)


def _place(published: v1.MatchConfig, seat: int) -> int:
    """Returns the place of a seat's entropy: in a seed group, its entrant's place."""
    dice = published.dice
    return dice.group.seat_entrants[seat] if dice.HasField("group") else seat


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise Unverified(f"{what}: expected {_shown(expected)}, found {_shown(found)}")


def _shown(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value
