"""The calls of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from edgehill import v1
from edgehill.actions import ActionLike, ActionsLike, action_list, action_message
from edgehill.calls import Call, Script
from edgehill.request_ids import RequestIds
from edgehill.server_url import checked_token
from edgehill.spans import span

FULL: Final = v1.ResponseOptions(include_view=True, legal=v1.LEGAL_DETAIL_IDS, include_events=True)
"""View, legal actions and events in the answer of a call."""


class BaseSeat:
    """A seat of a match, by its token, without the connection."""

    def __init__(self, match_id: str, token: str) -> None:
        self._ids = RequestIds()
        self.match_id: Final = match_id
        """The match."""
        self.token: Final = checked_token(token)
        """The secret that plays the seat."""
        self.number: int | None = None
        """The seat's number, from 0. `None` for a seat that was taken up by its token alone."""
        self.joined: v1.JoinMatchResponse | None = None
        """The answer to `Client.join`. `None` for a seat that was taken up by its token alone."""
        self.entropy = b""
        """The entropy that `Client.join` gave for the dice; empty: none."""


def get(seat: BaseSeat) -> Script[v1.Match]:
    """Gets the match's config and state, with the last number of this seat's sequence."""
    answer: v1.GetMatchResponse = yield Call("GetMatch", v1.GetMatchRequest(match_id=seat.match_id), seat.token)
    return answer.match


def view(
    seat: BaseSeat, *, at_seq: int | None = None, spectator: bool = False, include_text: bool = False
) -> Script[v1.GetViewResponse]:
    """Gets the view of the seat, or of a spectator; now or, with `at_seq` 0, at the beginning of the match."""
    request = v1.GetViewRequest(match_id=seat.match_id, at_seq=at_seq, include_text=include_text)
    if spectator:
        request.observer.SetInParent()
    answer: v1.GetViewResponse = yield Call("GetView", request, seat.token)
    return answer


def receipt(seat: BaseSeat) -> Script[v1.Receipt]:
    """Gets the server's signed word for what it has published to the seat: what a `Transcript` of it has to come to."""
    request = v1.GetReceiptRequest(match_id=seat.match_id)
    answer: v1.GetReceiptResponse = yield Call("GetReceipt", request, seat.token)
    return answer.receipt


def legal(
    seat: BaseSeat,
    detail: v1.LegalDetail = v1.LEGAL_DETAIL_IDS,
    *,
    verbs: Sequence[str] = (),
    refs: Sequence[v1.Ref] = (),
) -> Script[v1.ListLegalActionsResponse]:
    """Lists the actions that the seat may take now; only of these verbs, only about these things."""
    request = v1.ListLegalActionsRequest(match_id=seat.match_id, detail=detail, verbs=verbs, refs=refs)
    answer: v1.ListLegalActionsResponse = yield Call("ListLegalActions", request, seat.token)
    return answer


def explain(seat: BaseSeat, action: ActionLike | v1.Action) -> Script[v1.ExplainActionResponse]:
    """Explains why the seat may not take an action now. A text is the action's notation."""
    request = v1.ExplainActionRequest(match_id=seat.match_id, action=action_message(action))
    answer: v1.ExplainActionResponse = yield Call("ExplainAction", request, seat.token)
    return answer


def apply(
    seat: BaseSeat,
    actions: ActionsLike,
    *,
    expected_seq: int | None = None,
    keep_draft_actions: int | None = None,
    until_reveal: bool = False,
    response_options: v1.ResponseOptions | None = None,
    request_id: str | None = None,
) -> Script[v1.SeatUpdate]:
    """Takes actions, as one; with `until_reveal` those up to the first point where something is revealed.

    `expected_seq`: refused with STALE_SEQUENCE if the seat has events after it. `keep_draft_actions`: number of actions
    of the draft that stay; without it all. `apply_result` of the update says how many were taken.
    """
    request = v1.ApplyActionsRequest(
        match_id=seat.match_id,
        request_id=request_id or seat._ids.next(),
        batch=batch(actions, expected_seq, keep_draft_actions, until_reveal),
        response_options=response_options,
    )
    answer: v1.ApplyActionsResponse = yield Call("ApplyActions", request, seat.token)
    return answer.update


def batch(
    actions: ActionsLike, expected_seq: int | None, keep_draft_actions: int | None, until_reveal: bool
) -> v1.ActionBatch:
    """Returns actions to take, as calls and streams send them."""
    return v1.ActionBatch(
        expected_seq=expected_seq,
        keep_draft_actions=keep_draft_actions,
        actions=action_list(actions),
        mode=v1.APPLY_MODE_UNTIL_REVEAL if until_reveal else v1.APPLY_MODE_ATOMIC,
    )


def undo(
    seat: BaseSeat,
    *,
    expected_seq: int | None = None,
    keep_draft_actions: int | None = None,
    response_options: v1.ResponseOptions | None = None,
    request_id: str | None = None,
) -> Script[v1.SeatUpdate]:
    """Takes back the last action of the draft, or all but the first `keep_draft_actions`."""
    request = v1.UndoActionsRequest(
        match_id=seat.match_id,
        request_id=request_id or seat._ids.next(),
        span=v1.UndoSpan(expected_seq=expected_seq, keep_draft_actions=keep_draft_actions),
        response_options=response_options,
    )
    answer: v1.UndoActionsResponse = yield Call("UndoActions", request, seat.token)
    return answer.update


def resign(
    seat: BaseSeat, *, response_options: v1.ResponseOptions | None = None, request_id: str | None = None
) -> Script[v1.SeatUpdate]:
    """Gives up. The match is finished."""
    request = v1.ResignMatchRequest(
        match_id=seat.match_id, request_id=request_id or seat._ids.next(), response_options=response_options
    )
    answer: v1.ResignMatchResponse = yield Call("ResignMatch", request, seat.token)
    return answer.update


def leave(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.Match]:
    """Gives the seat back before the match has begun. Its token is void from then on."""
    request = v1.LeaveMatchRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.LeaveMatchResponse = yield Call("LeaveMatch", request, seat.token)
    return answer.match


def rematch(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.RematchMatchResponse]:
    """Makes the match that follows this one, which is finished: the same players with their sides swapped.

    It is made once, whoever asks first. `Client.join` takes the new seat by `match.config.match_id`, `seat` and
    `invitation`.
    """
    request = v1.RematchMatchRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.RematchMatchResponse = yield Call("RematchMatch", request, seat.token)
    return answer


def offer_draw(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.Match]:
    """Offers a draw, until the seat's next action is final."""
    request = v1.OfferDrawRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.OfferDrawResponse = yield Call("OfferDraw", request, seat.token)
    return answer.match


def accept_draw(
    seat: BaseSeat, *, response_options: v1.ResponseOptions | None = None, request_id: str | None = None
) -> Script[v1.SeatUpdate]:
    """Accepts the draw that all other seats offer. The match is finished."""
    request = v1.AcceptDrawRequest(
        match_id=seat.match_id, request_id=request_id or seat._ids.next(), response_options=response_options
    )
    answer: v1.AcceptDrawResponse = yield Call("AcceptDraw", request, seat.token)
    return answer.update


def decline_draw(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.Match]:
    """Declines the draw that other seats offer. Their offers lapse."""
    request = v1.DeclineDrawRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.DeclineDrawResponse = yield Call("DeclineDraw", request, seat.token)
    return answer.match


def offer_adjournment(seat: BaseSeat, adjourn_for: timedelta, *, request_id: str | None = None) -> Script[v1.Match]:
    """Offers to adjourn the match, until the seat's next action is final.

    `adjourn_for`: the longest time that it may last, from a minute to 30 days. House bots agree at once.
    """
    request = v1.OfferAdjournmentRequest(
        match_id=seat.match_id, request_id=request_id or seat._ids.next(), adjourn_for=span(adjourn_for)
    )
    answer: v1.OfferAdjournmentResponse = yield Call("OfferAdjournment", request, seat.token)
    return answer.match


def accept_adjournment(
    seat: BaseSeat, adjourn_for: timedelta | None = None, *, request_id: str | None = None
) -> Script[v1.Match]:
    """Accepts the adjournment that all other seats offer: no clock runs, and nobody is to act.

    `adjourn_for`: the longest time that it may last for this seat; the least that was named holds.
    """
    request = v1.AcceptAdjournmentRequest(
        match_id=seat.match_id,
        request_id=request_id or seat._ids.next(),
        adjourn_for=None if adjourn_for is None else span(adjourn_for),
    )
    answer: v1.AcceptAdjournmentResponse = yield Call("AcceptAdjournment", request, seat.token)
    return answer.match


def decline_adjournment(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.Match]:
    """Declines the adjournment that other seats offer. Their offers lapse."""
    request = v1.DeclineAdjournmentRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.DeclineAdjournmentResponse = yield Call("DeclineAdjournment", request, seat.token)
    return answer.match


def resume(seat: BaseSeat, *, request_id: str | None = None) -> Script[v1.Match]:
    """Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked."""
    request = v1.ResumeMatchRequest(match_id=seat.match_id, request_id=request_id or seat._ids.next())
    answer: v1.ResumeMatchResponse = yield Call("ResumeMatch", request, seat.token)
    return answer.match


def set_standing_passes(
    seat: BaseSeat,
    passes: Sequence[v1.StandingPass],
    *,
    response_options: v1.ResponseOptions | None = None,
    request_id: str | None = None,
) -> Script[v1.SeatUpdate]:
    """Replaces the windows that the server declines for the seat; an empty list takes all back."""
    request = v1.SetStandingPassesRequest(
        match_id=seat.match_id,
        request_id=request_id or seat._ids.next(),
        standing_passes=passes,
        response_options=response_options,
    )
    answer: v1.SetStandingPassesResponse = yield Call("SetStandingPasses", request, seat.token)
    return answer.update


def reveal_entropy(
    seat: BaseSeat, *, response_options: v1.ResponseOptions | None = None, request_id: str | None = None
) -> Script[v1.RevealEntropyResponse]:
    """Reveals the entropy that `Client.join` has committed to: due once all have joined (COMMIT_REVEAL)."""
    request = v1.RevealEntropyRequest(
        match_id=seat.match_id,
        request_id=request_id or seat._ids.next(),
        entropy=seat.entropy,
        response_options=response_options,
    )
    answer: v1.RevealEntropyResponse = yield Call("RevealEntropy", request, seat.token)
    return answer
