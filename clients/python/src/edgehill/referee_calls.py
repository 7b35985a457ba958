"""The calls of a referee: time, players, adjournments and results of matches.

They need the key of an account with the role `v1.ACCOUNT_ROLE_REFEREE`. The reasons are for everybody to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from edgehill import v1
from edgehill.calls import Call, Script
from edgehill.client_calls import BaseClient, SeatT
from edgehill.spans import span


def add_match_time(
    client: BaseClient[SeatT],
    match_id: str,
    seat: int,
    added: timedelta,
    *,
    reason: str = "",
    request_id: str | None = None,
) -> Script[v1.Match]:
    """Adds time to a seat's clock: to its bank, if there is one, and to the limit of its question."""
    request = v1.AddMatchTimeRequest(
        match_id=match_id, request_id=request_id or client._ids.next(), seat=seat, added=span(added), reason=reason
    )
    answer: v1.AddMatchTimeResponse = yield Call("AddMatchTime", request, client._key, "referee")
    return answer.match


def replace_match_player(
    client: BaseClient[SeatT],
    match_id: str,
    seat: int,
    *,
    account_id: str = "",
    player: str = "",
    reason: str = "",
    request_id: str | None = None,
) -> Script[v1.ReplaceMatchPlayerResponse]:
    """Takes a seat from its player, for another one to go on with: for `join` with the answer's invitation.

    `account_id`: the account that alone may take it, without an invitation. `player`: the new player's name, until they
    give one.
    """
    request = v1.ReplaceMatchPlayerRequest(
        match_id=match_id,
        request_id=request_id or client._ids.next(),
        seat=seat,
        account_id=account_id,
        player=player,
        reason=reason,
    )
    answer: v1.ReplaceMatchPlayerResponse = yield Call("ReplaceMatchPlayer", request, client._key, "referee")
    return answer


def adjourn_match(
    client: BaseClient[SeatT],
    match_id: str,
    adjourn_for: timedelta,
    *,
    reason: str = "",
    request_id: str | None = None,
) -> Script[v1.Match]:
    """Adjourns a match with clocks, until a referee ends that or its time is over.

    `adjourn_for`: the longest time that it may last, from a minute to 30 days.
    """
    request = v1.AdjournMatchRequest(
        match_id=match_id,
        request_id=request_id or client._ids.next(),
        adjourn_for=span(adjourn_for),
        reason=reason,
    )
    answer: v1.AdjournMatchResponse = yield Call("AdjournMatch", request, client._key, "referee")
    return answer.match


def end_adjournment(
    client: BaseClient[SeatT], match_id: str, *, reason: str = "", request_id: str | None = None
) -> Script[v1.Match]:
    """Ends the adjournment of a match, whoever has adjourned it. The match goes on."""
    request = v1.EndAdjournmentRequest(match_id=match_id, request_id=request_id or client._ids.next(), reason=reason)
    answer: v1.EndAdjournmentResponse = yield Call("EndAdjournment", request, client._key, "referee")
    return answer.match


def void_match(
    client: BaseClient[SeatT], match_id: str, reason: str, *, request_id: str | None = None
) -> Script[v1.Match]:
    """Ends a match that is played. It does not count."""
    request = v1.VoidMatchRequest(match_id=match_id, request_id=request_id or client._ids.next(), reason=reason)
    answer: v1.VoidMatchResponse = yield Call("VoidMatch", request, client._key, "referee")
    return answer.match


def correct_match_result(
    client: BaseClient[SeatT],
    match_id: str,
    returns: Sequence[int],
    reason: str,
    *,
    request_id: str | None = None,
) -> Script[v1.Match]:
    """Corrects the result of a match that is finished: what each seat gets. The result itself stays as it was."""
    request = v1.CorrectMatchResultRequest(
        match_id=match_id, request_id=request_id or client._ids.next(), returns=returns, reason=reason
    )
    answer: v1.CorrectMatchResultResponse = yield Call("CorrectMatchResult", request, client._key, "referee")
    return answer.match
