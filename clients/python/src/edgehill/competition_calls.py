"""The calls of those who organise competitions, take part in them, or follow them.

They need an account's key. Entrants find their matches with `watch_account`, as seats that are kept for them.
"""

from __future__ import annotations

from typing import Final

from edgehill import v1
from edgehill.calls import Call, Script, paged
from edgehill.client_calls import BaseClient, SeatT

SERVICE: Final = "competitions"


def create_competition(
    client: BaseClient[SeatT], settings: v1.CompetitionSettings, *, request_id: str | None = None
) -> Script[v1.Competition]:
    """Makes a competition, in which entrants may enrol. For referees."""
    request = v1.CreateCompetitionRequest(request_id=request_id or client._ids.next(), settings=settings)
    answer: v1.CreateCompetitionResponse = yield Call("CreateCompetition", request, client._key, SERVICE)
    return answer.competition


def competition(client: BaseClient[SeatT], competition_id: str) -> Script[v1.GetCompetitionResponse]:
    """A competition with its entrants."""
    request = v1.GetCompetitionRequest(competition_id=competition_id)
    answer: v1.GetCompetitionResponse = yield Call("GetCompetition", request, client._key, SERVICE)
    return answer


def competitions(
    client: BaseClient[SeatT], *, phase: v1.CompetitionPhase = v1.COMPETITION_PHASE_UNSPECIFIED
) -> Script[list[v1.Competition]]:
    """The competitions of the server in a phase, or in all; last made first."""
    request = v1.ListCompetitionsRequest(phase=phase)
    return (yield from paged("ListCompetitions", request, "competitions", client._key, SERVICE))


def enrol_entrant(
    client: BaseClient[SeatT],
    competition_id: str,
    *,
    name: str = "",
    rating: int | None = None,
    account_id: str = "",
    house_bot: str = "",
    request_id: str | None = None,
) -> Script[v1.Entrant]:
    """Enrols the client's own account; an organizer enrols other accounts and house bots, and gives ratings."""
    request = v1.EnrolEntrantRequest(
        request_id=request_id or client._ids.next(),
        competition_id=competition_id,
        name=name,
        rating=rating,
        account_id=account_id,
        house_bot=house_bot,
    )
    answer: v1.EnrolEntrantResponse = yield Call("EnrolEntrant", request, client._key, SERVICE)
    return answer.entrant


def withdraw_entrant(
    client: BaseClient[SeatT], competition_id: str, entrant: int, *, request_id: str | None = None
) -> Script[v1.Entrant]:
    """Lets an entrant leave, by its number."""
    request = v1.WithdrawEntrantRequest(
        request_id=request_id or client._ids.next(), competition_id=competition_id, entrant=entrant
    )
    answer: v1.WithdrawEntrantResponse = yield Call("WithdrawEntrant", request, client._key, SERVICE)
    return answer.entrant


def disqualify_entrant(
    client: BaseClient[SeatT], competition_id: str, entrant: int, evidence: str, *, request_id: str | None = None
) -> Script[v1.Entrant]:
    """Sends an entrant away, by its number; the grounds are for everybody to see."""
    request = v1.DisqualifyEntrantRequest(
        request_id=request_id or client._ids.next(), competition_id=competition_id, entrant=entrant, evidence=evidence
    )
    answer: v1.DisqualifyEntrantResponse = yield Call("DisqualifyEntrant", request, client._key, SERVICE)
    return answer.entrant


def start_competition(
    client: BaseClient[SeatT], competition_id: str, *, request_id: str | None = None
) -> Script[v1.Competition]:
    """Ends enrolment, and begins to play."""
    request = v1.StartCompetitionRequest(request_id=request_id or client._ids.next(), competition_id=competition_id)
    answer: v1.StartCompetitionResponse = yield Call("StartCompetition", request, client._key, SERVICE)
    return answer.competition


def cancel_competition(
    client: BaseClient[SeatT], competition_id: str, *, reason: str = "", request_id: str | None = None
) -> Script[v1.Competition]:
    """Calls a competition off; the reason is for everybody to see."""
    request = v1.CancelCompetitionRequest(
        request_id=request_id or client._ids.next(), competition_id=competition_id, reason=reason
    )
    answer: v1.CancelCompetitionResponse = yield Call("CancelCompetition", request, client._key, SERVICE)
    return answer.competition


def void_competition_match(
    client: BaseClient[SeatT],
    competition_id: str,
    slot: str,
    evidence: str,
    *,
    replay: bool = False,
    request_id: str | None = None,
) -> Script[v1.Competition]:
    """Takes a match back by its place, such as `2.5.1`, to be played again or not."""
    request = v1.VoidCompetitionMatchRequest(
        request_id=request_id or client._ids.next(),
        competition_id=competition_id,
        slot=slot,
        replay=replay,
        evidence=evidence,
    )
    answer: v1.VoidCompetitionMatchResponse = yield Call("VoidCompetitionMatch", request, client._key, SERVICE)
    return answer.competition


def standings(
    client: BaseClient[SeatT], competition_id: str, *, cross_table_of: int = 0
) -> Script[v1.GetStandingsResponse]:
    """The standings as they are now, with the matches of one entrant against each other."""
    request = v1.GetStandingsRequest(competition_id=competition_id, cross_table_of=cross_table_of)
    answer: v1.GetStandingsResponse = yield Call("GetStandings", request, client._key, SERVICE)
    return answer


def encounters(client: BaseClient[SeatT], competition_id: str, *, round: int = 0) -> Script[list[v1.Encounter]]:
    """The encounters of a round, or of all for 0."""
    request = v1.ListEncountersRequest(competition_id=competition_id, round=round)
    return (yield from paged("ListEncounters", request, "encounters", client._key, SERVICE))


def export_competition(
    client: BaseClient[SeatT],
    competition_id: str,
    *,
    form: v1.CompetitionExport = v1.COMPETITION_EXPORT_JSON,
) -> Script[str]:
    """A competition as a page, a table or a document."""
    request = v1.ExportCompetitionRequest(competition_id=competition_id, form=form)
    parts: list[v1.ExportCompetitionResponse] = yield Call(
        "ExportCompetition", request, client._key, SERVICE, streams=True
    )
    return "".join(part.chunk for part in parts)
