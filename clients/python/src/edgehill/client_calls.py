"""The calls of a client: the catalogue, and matches as a caller without a seat has to do with them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from edgehill import dice, v1
from edgehill.calls import Call, Script, paged
from edgehill.match_plan import written_options
from edgehill.request_ids import RequestIds
from edgehill.seat_calls import BaseSeat
from edgehill.server_url import checked_token

SeatT = TypeVar("SeatT", bound=BaseSeat)


class BaseClient(Generic[SeatT]):
    """A caller of a server, without the connection."""

    def __init__(self, key: str | None, client_secret: bytes | None) -> None:
        self._key = None if key is None else checked_token(key)
        self._ids = RequestIds()
        self.client_secret = secrets.token_bytes(32) if client_secret is None else client_secret
        """What tells this client's requests from others': who repeats one with it after a restart is given the same."""

    def seat(self, match_id: str, token: str) -> SeatT:
        """Returns a seat that was taken before, by its token."""
        raise NotImplementedError


@dataclass(frozen=True)
class ExportedRecord:
    """The record of a match, as the server gives it."""

    text: str
    """The text of the `.edg` file."""
    complete: bool
    """True if the match is finished."""


def games(client: BaseClient[SeatT]) -> Script[list[v1.GameSummary]]:
    """Lists the games that the server plays."""
    return (yield from paged("ListGames", v1.ListGamesRequest(), "games", client._key, "catalog"))


def game(
    client: BaseClient[SeatT], game: str, *, include_rules: bool = False, content_hash: bytes = b""
) -> Script[v1.Game]:
    """Gets the static half of a game; with `include_rules` its rules ledger, too. Keep it.

    `content_hash` is that of a match which was begun before the server's content changed (of `MatchConfig.repinned`,
    if it has that, else of `rules`); without one, it is that of new matches.
    """
    request = v1.GetGameRequest(game=game, include_rules=include_rules, content_hash=content_hash)
    answer: v1.GetGameResponse = yield Call("GetGame", request, client._key, "catalog")
    return answer.game


def action_defs(client: BaseClient[SeatT], game: str, *, content_hash: bytes = b"") -> Script[list[v1.ActionDef]]:
    """Lists a game's whole action table: the place of each entry is its id. Keep it. `content_hash` is as in `game`."""
    request = v1.ListActionDefsRequest(game=game, content_hash=content_hash)
    return (yield from paged("ListActionDefs", request, "action_defs", client._key, "catalog"))


def limits(client: BaseClient[SeatT]) -> Script[dict[v1.LimitName, int]]:
    """Gets the limits of this server, in the units that `v1.LimitName` says."""
    answer: v1.GetLimitsResponse = yield Call("GetLimits", v1.GetLimitsRequest(), client._key, "catalog")
    return {limit.name: limit.value for limit in answer.limits}


def signing_key(client: BaseClient[SeatT]) -> Script[bytes]:
    """Gets the public key with which the server signs records. Keep it: `check_record` and `check_dice` take it."""
    request = v1.GetSigningKeyRequest()
    answer: v1.GetSigningKeyResponse = yield Call("GetSigningKey", request, client._key, "catalog")
    return answer.signing_key


def signing_keys(client: BaseClient[SeatT]) -> Script[tuple[bytes, ...]]:
    """Gets all public keys that the server has signed with and still vouches for: that of now, then the last replaced.

    `check_record`, `check_dice` and `check_transcript` take them in the place of one.
    """
    request = v1.GetSigningKeyRequest()
    answer: v1.GetSigningKeyResponse = yield Call("GetSigningKey", request, client._key, "catalog")
    return (answer.signing_key, *(former.signing_key for former in answer.former_signing_keys))


def create(
    client: BaseClient[SeatT],
    game: str,
    *,
    scenario: str = "",
    options: Mapping[str, str | int | bool] | None = None,
    seats: Sequence[v1.SeatConfig] = (),
    rules: v1.RulesVersion | None = None,
    position_json: str = "",
    entropy_mode: v1.EntropyMode = v1.ENTROPY_MODE_OPEN,
    chosen_seed: bytes | None = None,
    group: v1.SeedGroup | None = None,
    clock: v1.ClockConfig | None = None,
    spectator_delay: v1.SpectatorDelay | None = None,
    request_id: str | None = None,
) -> Script[v1.CreateMatchResponse]:
    """Makes a match. Keep `match.config`: after the match its dice are checked against it.

    `seats`: the callers that may take each, in order (`open_seat`, `invited_seat`, `account_seat`, `house_bot`); those
    that are not named are open. `clock`: a bank, or a limit for each question; without it nobody's time runs out.
    `spectator_delay`: how far spectators are behind it; without it they see the match as it is.
    """
    request = v1.CreateMatchRequest(
        request_id=request_id or client._ids.next(),
        client_secret=client.client_secret,
        game=game,
        rules=rules,
        scenario=scenario,
        options=written_options(options),
        seats=seats,
        position_json=position_json,
        entropy_mode=entropy_mode,
        chosen_seed=chosen_seed,
        group=group,
        clock=clock,
        spectator_delay=spectator_delay,
    )
    answer: v1.CreateMatchResponse = yield Call("CreateMatch", request, client._key)
    return answer


def create_all(
    client: BaseClient[SeatT],
    matches: Sequence[v1.MatchPlan],
    *,
    groups: Sequence[v1.GroupPlan] = (),
    request_id: str | None = None,
) -> Script[list[v1.CreateMatchResponse]]:
    """Makes several matches, all of them or none. They come in the order in which they were named.

    `matches`: each as `match_plan` gives it. `groups`: new seed groups; the matches of each are those that name its
    index (`match_plan(..., group=v1.GroupPlace(group=0, seat_entrants=[0, 1]))`).
    """
    request = v1.CreateMatchesRequest(
        request_id=request_id or client._ids.next(),
        client_secret=client.client_secret,
        matches=matches,
        groups=groups,
    )
    answer: v1.CreateMatchesResponse = yield Call("CreateMatches", request, client._key)
    return list(answer.created)


def abort(
    client: BaseClient[SeatT], match_id: str, creator_token: str = "", *, request_id: str | None = None
) -> Script[v1.Match]:
    """Takes a match back before it has begun.

    `creator_token`: the one that `create` gave; not needed by the account that made the match.
    """
    request = v1.AbortMatchRequest(
        match_id=match_id, request_id=request_id or client._ids.next(), creator_token=creator_token
    )
    answer: v1.AbortMatchResponse = yield Call("AbortMatch", request, client._key)
    return answer.match


def join(
    client: BaseClient[SeatT],
    match_id: str,
    *,
    seat: int | None = None,
    invitation: str = "",
    player: str = "",
    entropy: bytes | None = None,
    response_options: v1.ResponseOptions | None = None,
    request_id: str | None = None,
) -> Script[SeatT]:
    """Takes a seat: `seat`, the invitation's, or the first that is open.

    Entropy is made here, after the match's commitment was seen, so that no host can choose the dice; `entropy`
    gives other bytes, and empty ones none. Where seats commit to it (COMMIT_REVEAL), `Seat.reveal_entropy` is due
    once all have joined, and an invitation's `seat` has to be named. In a seed group an entrant gives the same
    `entropy` in all its matches.
    """
    match = yield from get(client, match_id)
    config = match.config
    # Of a seat that was another player's the part in the dice stays.
    if match.state.status == v1.MATCH_STATUS_RUNNING or (
        entropy is None and config.dice.origin == v1.SEED_ORIGIN_CHOSEN
    ):
        entropy = b""
    elif entropy is None:
        entropy = os.urandom(32)
    request = v1.JoinMatchRequest(
        match_id=match_id,
        request_id=request_id or client._ids.next(),
        client_secret=client.client_secret,
        seat=seat,
        invitation=invitation,
        player=player,
        response_options=response_options,
    )
    if config.dice.entropy_mode == v1.ENTROPY_MODE_COMMIT_REVEAL and entropy:
        if seat is None:
            request.seat = seat = _first_open(match.state, invitation)
        request.entropy_commitment = dice.entropy_commitment(match_id, seat, entropy)
    else:
        request.entropy = entropy
    joined: v1.JoinMatchResponse = yield Call("JoinMatch", request, client._key)
    taken = client.seat(match_id, joined.seat_token)
    taken.number, taken.joined, taken.entropy = joined.seat, joined, entropy
    return taken


def get(client: BaseClient[SeatT], match_id: str) -> Script[v1.Match]:
    """Gets a match's config and state."""
    answer: v1.GetMatchResponse = yield Call("GetMatch", v1.GetMatchRequest(match_id=match_id), client._key)
    return answer.match


def matches_page(
    client: BaseClient[SeatT],
    page_token: str,
    *,
    game: str = "",
    statuses: Sequence[v1.MatchStatus] = (),
    open_seats: bool = False,
    group_id: str = "",
    invited: bool = False,
    page_size: int = 0,
) -> Script[v1.ListMatchesResponse]:
    """Gets one page of the matches that satisfy all filters given."""
    request = v1.ListMatchesRequest(
        game=game,
        statuses=statuses,
        open_seats=open_seats,
        group_id=group_id,
        invited=invited,
        page_size=page_size,
        page_token=page_token,
    )
    answer: v1.ListMatchesResponse = yield Call("ListMatches", request, client._key)
    return answer


def view(
    client: BaseClient[SeatT], match_id: str, *, at_seq: int | None = None, include_text: bool = False
) -> Script[v1.GetViewResponse]:
    """Gets the view of a spectator, now or, with `at_seq` 0, at the beginning. A seat's view is `Seat.view`."""
    request = v1.GetViewRequest(match_id=match_id, at_seq=at_seq, include_text=include_text)
    answer: v1.GetViewResponse = yield Call("GetView", request, client._key)
    return answer


def receipt(client: BaseClient[SeatT], match_id: str) -> Script[v1.Receipt]:
    """Gets the server's signed word for what it has published to spectators: the hash of a `Transcript` of it."""
    request = v1.GetReceiptRequest(match_id=match_id)
    answer: v1.GetReceiptResponse = yield Call("GetReceipt", request, client._key)
    return answer.receipt


def record(client: BaseClient[SeatT], match_id: str) -> Script[ExportedRecord]:
    """Gets the record of a match that is finished, whole; of a running one it is the referee's."""
    request = v1.ExportRecordRequest(match_id=match_id)
    parts: list[v1.ExportRecordResponse] = yield Call("ExportRecord", request, client._key, streams=True)
    return ExportedRecord("".join(part.text for part in parts), any(part.complete for part in parts))


def _first_open(state: v1.MatchState, invitation: str) -> int:
    """Returns the first seat that is open to anyone; the entropy commitment is made for it."""
    for number, seat in enumerate(state.seats):
        if not invitation and seat.kind == v1.SEAT_KIND_OPEN and not seat.joined:
            return number
    raise ValueError("an entropy commitment is made for one seat: name it with `seat`")
