"""The client: the catalogue, and matches as somebody without a seat has to do with them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from edgehill import dice, v1
from edgehill.playing import Play
from edgehill.request_ids import RequestIds, secret_id
from edgehill.retry import Retry
from edgehill.seat import Seat
from edgehill.watching import Watch
from edgehill.wire import Wire


class Client:
    """A server, as one caller has it: an account, by its key, or nobody in particular.

    `server` is `host:port`, `http://host:port`, or `https://host` for one behind TLS. Calls that get no answer are
    repeated with their request ids as `retry` says. A client may be used from several threads.
    """

    def __init__(self, server: str, *, key: str | None = None, retry: Retry | None = None) -> None:
        self._wire = Wire(server, retry or Retry())
        self._key = key
        self._ids = RequestIds()

    def close(self) -> None:
        """Ends all calls and streams."""
        self._wire.channel.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def games(self) -> list[v1.GameSummary]:
        """The games that the server plays."""
        wire = self._wire
        return list(wire.call(wire.catalog.ListGames, v1.ListGamesRequest(), self._key, v1.ListGamesResponse).games)

    def game(self, game: str, *, actions: bool = False, rules: bool = False) -> v1.Game:
        """The static half of a game; `actions`: with its action table, `rules`: with its rules ledger. Keep it."""
        parts = [v1.GAME_PART_ACTIONS] * actions + [v1.GAME_PART_RULES] * rules
        request = v1.GetGameRequest(game=game, parts=parts)
        return self._wire.call(self._wire.catalog.GetGame, request, self._key, v1.GetGameResponse).game

    def limits(self) -> dict[v1.LimitName, int]:
        """The limits of this server, in the units that `v1.LimitName` says."""
        wire = self._wire
        limits = wire.call(wire.catalog.GetLimits, v1.GetLimitsRequest(), self._key, v1.GetLimitsResponse).limits
        return {limit.name: limit.value for limit in limits}

    def create(
        self,
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
        request_id: str | None = None,
    ) -> v1.CreateResponse:
        """Makes a match. Keep `terms`: after the match its dice are checked against them.

        `seats`: who may take each, in order (`open_seat`, `invited_seat`, `house_bot`); those that are not named are
        open.
        """
        request = v1.CreateRequest(
            request_id=request_id or self._ids.next(),
            game=game,
            rules=rules,
            scenario=scenario,
            options=[v1.OptionValue(id=id, value=_written(value)) for id, value in (options or {}).items()],
            seats=seats,
            position_json=position_json,
            entropy_mode=entropy_mode,
            chosen_seed=chosen_seed,
            group=group,
        )
        return self._wire.call(self._wire.matches.Create, request, self._key, v1.CreateResponse)

    def join(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        invitation: str = "",
        player: str = "",
        entropy: bytes | None = None,
        want: v1.ResponseOptions | None = None,
        request_id: str | None = None,
    ) -> Seat:
        """Takes a seat: `seat`, the invitation's, or the first that is open.

        Entropy is made here, after the match's commitment was seen, so that no host can choose the dice; `entropy`
        gives other bytes, and empty ones none. Where seats commit to it (COMMIT_REVEAL), `Seat.reveal_entropy` is due
        once all have joined, and an invitation's `seat` has to be named. In a seed group an entrant gives the same
        `entropy` in all its matches.
        """
        found = self.get(match_id)
        terms = found.terms
        if entropy is None:
            entropy = b"" if terms.dice.origin == v1.SEED_ORIGIN_CHOSEN else os.urandom(32)
        request = v1.JoinRequest(
            match_id=match_id,
            request_id=request_id or secret_id(),
            seat=seat,
            invitation=invitation,
            player=player,
            want=want,
        )
        if terms.dice.entropy_mode == v1.ENTROPY_MODE_COMMIT_REVEAL and entropy:
            if seat is None:
                request.seat = seat = _first_open(found.state, invitation)
            request.entropy_commitment = dice.entropy_commitment(*_place(terms, seat), entropy)
        else:
            request.entropy = entropy
        joined = self._wire.call(self._wire.matches.Join, request, self._key, v1.JoinResponse)
        taken = self.seat(match_id, joined.seat_token)
        taken.joined, taken.entropy = joined, entropy
        return taken

    def seat(self, match_id: str, token: str) -> Seat:
        """A seat that was taken before, by its token."""
        return Seat(self._wire, match_id, token)

    def get(self, match_id: str) -> v1.GetResponse:
        """A match's terms and state."""
        request = v1.GetRequest(match_id=match_id)
        return self._wire.call(self._wire.matches.Get, request, self._key, v1.GetResponse)

    def matches(
        self,
        *,
        game: str = "",
        statuses: Sequence[v1.MatchStatus] = (),
        open_seats: bool = False,
        group_id: str = "",
        page_size: int = 0,
    ) -> Iterator[v1.MatchEntry]:
        """The matches that satisfy all filters given, newest first; the next page is asked for when it is needed."""
        request = v1.ListRequest(
            game=game, statuses=statuses, open_seats=open_seats, group_id=group_id, page_size=page_size
        )
        while True:
            page = self._wire.call(self._wire.matches.List, request, self._key, v1.ListResponse)
            yield from page.matches
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def view(self, match_id: str, *, start: bool = False, words: bool = False) -> v1.ViewResponse:
        """Returns the view of a spectator, now or at the beginning. A seat's view is `Seat.view`."""
        moment = v1.VIEW_MOMENT_START if start else v1.VIEW_MOMENT_NOW
        request = v1.ViewRequest(match_id=match_id, moment=moment, words=words)
        return self._wire.call(self._wire.matches.View, request, self._key, v1.ViewResponse)

    def watch(self, match_id: str, *, after_seq: int | None = None, words: bool = False) -> Watch:
        """A spectator's events as they come: after a cursor or, without one, after a view of the present."""
        request = v1.WatchRequest(match_id=match_id, after_seq=after_seq, words=words)
        return Watch(self._wire, self._key, request)

    def record(self, match_id: str) -> v1.GetRecordResponse:
        """The record of a match that is over; of a running one it is the referee's."""
        request = v1.GetRecordRequest(match_id=match_id)
        return self._wire.call(self._wire.matches.GetRecord, request, self._key, v1.GetRecordResponse)

    def play(self) -> Play:
        """A stream for any number of seats, which are opened with `Play.open`."""
        return Play(self._wire, self._key)


def _written(value: str | int | bool) -> str:
    """An option's value as the wire writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first_open(state: v1.MatchState, invitation: str) -> int:
    """Returns the first seat that is open to anyone; what it commits to is made for it."""
    for number, seat in enumerate(state.seats):
        if not invitation and seat.kind == v1.SEAT_KIND_OPEN and not seat.joined:
            return number
    raise ValueError("entropy is committed to for a seat: say which")


def _place(terms: v1.MatchConfig, seat: int) -> tuple[str, int]:
    """Returns an entropy commitment's place: the match and the seat or, in a seed group, the group and the entrant."""
    if terms.dice.HasField("group"):
        return terms.dice.group.group_id, terms.dice.group.seat_entrants[seat]
    return terms.match_id, seat
