"""One seat in a `Play` stream: the view of it, its prompt, and its calls that are not answered yet."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from edgehill import v1
from edgehill.actions import ActionsLike
from edgehill.answer_deadline import AnswerDeadline
from edgehill.errors import FoldError, Refused
from edgehill.request_ids import RequestIds
from edgehill.retry import Outage, RetryPolicy
from edgehill.seat_calls import batch
from edgehill.spans import span
from edgehill.view_tracker import ViewTracker

OVERTAKEN: Final = {v1.ERROR_REASON_NOT_YOUR_TURN, v1.ERROR_REASON_MATCH_FINISHED, v1.ERROR_REASON_ADJOURNED}
"""The refusals of a choice that something else came before, such as a resignation: the prompt is void."""


@dataclass(frozen=True)
class PlayEvent:
    """The news for a seat."""

    seat: PlayedSeat
    """The seat whose news it is."""
    events: Sequence[v1.Event] = ()
    """The events published to it, in order; folded into `seat.view` already."""
    legal: v1.LegalActions | None = None
    """The prompt: the seat is to act, and these are the legal actions. `None`: nothing is asked of it now."""
    apply_result: v1.ApplyResult | None = None
    """The result of a call of it that took actions, or took them back."""
    refused: Refused | None = None
    """The refusal of a call or, with `closed`, of the seat: it was not opened, or the server has closed it."""
    closed: bool = False
    """True if it is closed, and this is its last news: the match has ended, `close` was called, or see `refused`."""
    request_id: str = field(default="", compare=False)
    """The call that this answers; empty for what comes by itself."""


@dataclass(frozen=True)
class Opening:
    """The way in which a seat is opened: fields as in `v1.PlaySeatsRequest.Open`."""

    token: str
    legal: v1.LegalDetail
    omit_events: bool
    include_text: bool


class PlayedSeat:
    """A seat that is open in a `Play` stream.

    The calls return at once; their answers come as `PlayEvent`. Each gets a request id, and is sent again with it when
    the stream was lost before the answer.
    """

    def __init__(
        self,
        channel: int,
        opening: Opening,
        lock: threading.RLock,
        send: Callable[[v1.PlaySeatsRequest], None],
        policy: RetryPolicy,
    ) -> None:
        self._lock = lock
        self._send = send
        self._ids = RequestIds()
        self._opening: Final = opening
        self._tracker = ViewTracker()
        self._cursor: int | None = 0 if opening.omit_events else None
        self._pending: deque[v1.PlaySeatsRequest] = deque()
        self._haste = Outage(policy)
        self._deadline = AnswerDeadline()
        self._opens_again = False
        self.channel: Final = channel
        """Its number in the stream."""
        self.number: int | None = None
        """The seat's number in its match. `None`: the server has not answered yet."""
        self.config = v1.MatchConfig()
        """The match's config."""
        self.legal: v1.LegalActions | None = None
        """The legal actions of the prompt that is outstanding. `None`: nothing is asked of the seat."""
        self.closed = False
        """True if it was closed."""

    @property
    def token(self) -> str:
        """The seat's token."""
        return self._opening.token

    @property
    def view(self) -> v1.View | None:
        """The view of the seat, after the last news. `None` before the match begins, or with `omit_events`."""
        return self._tracker.view

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._tracker.seq

    @property
    def state(self) -> v1.MatchState:
        """The match's state."""
        return self._tracker.state

    @property
    def time_left(self) -> timedelta | None:
        """The time that is left for the decision that the seat is asked for, at least none.

        It is what the server has told, less what has passed since that came, so that it is less with each look.
        `None`: nothing is asked of the seat, or no clock runs for it.
        """
        return self._deadline.left()

    def apply(
        self,
        actions: ActionsLike,
        *,
        expected_seq: int | None = None,
        keep_draft_actions: int | None = None,
        until_reveal: bool = False,
        request_id: str | None = None,
    ) -> str:
        """Takes actions, as `Seat.apply`. Returns the call's request id, as all calls do."""
        call = batch(actions, expected_seq, keep_draft_actions, until_reveal)
        return self._call(v1.PlaySeatsRequest(apply=call), request_id)

    def undo(
        self,
        *,
        expected_seq: int | None = None,
        keep_draft_actions: int | None = None,
        request_id: str | None = None,
    ) -> str:
        """Takes back the last action of the draft, or all but the first `keep_draft_actions`."""
        call = v1.UndoSpan(expected_seq=expected_seq, keep_draft_actions=keep_draft_actions)
        return self._call(v1.PlaySeatsRequest(undo=call), request_id)

    def resign(self, *, request_id: str | None = None) -> str:
        """Gives up. The match is finished."""
        return self._call(v1.PlaySeatsRequest(resign=v1.PlaySeatsRequest.Resign()), request_id)

    def offer_draw(self, *, request_id: str | None = None) -> str:
        """Offers a draw, until the seat's next action is final."""
        return self._call(v1.PlaySeatsRequest(offer_draw=v1.PlaySeatsRequest.OfferDraw()), request_id)

    def accept_draw(self, *, request_id: str | None = None) -> str:
        """Accepts the draw that all other seats offer. The match is finished."""
        return self._call(v1.PlaySeatsRequest(accept_draw=v1.PlaySeatsRequest.AcceptDraw()), request_id)

    def decline_draw(self, *, request_id: str | None = None) -> str:
        """Declines the draw that other seats offer. Their offers lapse."""
        return self._call(v1.PlaySeatsRequest(decline_draw=v1.PlaySeatsRequest.DeclineDraw()), request_id)

    def offer_adjournment(self, adjourn_for: timedelta, *, request_id: str | None = None) -> str:
        """Offers to adjourn the match for at most so long, until the seat's next action is final."""
        call = v1.PlaySeatsRequest.OfferAdjournment(adjourn_for=span(adjourn_for))
        return self._call(v1.PlaySeatsRequest(offer_adjournment=call), request_id)

    def accept_adjournment(self, adjourn_for: timedelta | None = None, *, request_id: str | None = None) -> str:
        """Accepts the adjournment that all other seats offer, as `Seat.accept_adjournment`."""
        longest = None if adjourn_for is None else span(adjourn_for)
        call = v1.PlaySeatsRequest.AcceptAdjournment(adjourn_for=longest)
        return self._call(v1.PlaySeatsRequest(accept_adjournment=call), request_id)

    def decline_adjournment(self, *, request_id: str | None = None) -> str:
        """Declines the adjournment that other seats offer. Their offers lapse."""
        call = v1.PlaySeatsRequest.DeclineAdjournment()
        return self._call(v1.PlaySeatsRequest(decline_adjournment=call), request_id)

    def resume(self, *, request_id: str | None = None) -> str:
        """Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked."""
        return self._call(v1.PlaySeatsRequest(resume=v1.PlaySeatsRequest.Resume()), request_id)

    def set_standing_passes(self, passes: Sequence[v1.StandingPass], *, request_id: str | None = None) -> str:
        """Replaces the windows that the server declines for the seat."""
        call = v1.PlaySeatsRequest.SetStandingPasses(standing_passes=passes)
        return self._call(v1.PlaySeatsRequest(set_standing_passes=call), request_id)

    def close(self) -> None:
        """Closes the seat here. It keeps its place, its draft and its token."""
        self._call(v1.PlaySeatsRequest(close=v1.PlaySeatsRequest.Close()), "")

    def _call(self, request: v1.PlaySeatsRequest, request_id: str | None) -> str:
        request.channel = self.channel
        request.request_id = self._ids.next() if request_id is None else request_id
        with self._lock:
            if self.closed:
                raise RuntimeError("the seat is closed in this stream")
            self._pending.append(request)
            # What would come before the seat is open goes with its opening.
            if not self._opens_again:
                self._send(request)
        return request.request_id

    # The methods that follow are called by the session alone, which has the lock.

    def _to_send(self) -> list[v1.PlaySeatsRequest]:
        """Returns a new connection's first requests: the seat with its cursor, and the calls that were not answered."""
        opening = v1.PlaySeatsRequest.Open(
            seat_token=self._opening.token,
            after_seq=self._cursor,
            legal=self._opening.legal,
            omit_events=self._opening.omit_events,
            include_text=self._opening.include_text,
        )
        return [v1.PlaySeatsRequest(channel=self.channel, open=opening), *self._pending]

    def _is_closing(self) -> bool:
        """Returns whether `close` was called."""
        return any(call.HasField("close") for call in self._pending)

    def _came_behind(self, request_id: str, refused: Refused) -> bool:
        """Returns whether a refusal is of a call that came behind an opening which is made again, and goes with it."""
        behind = {v1.ERROR_REASON_RATE_LIMITED, v1.ERROR_REASON_UNKNOWN_CHANNEL}
        return bool(request_id) and self._opens_again and refused.reason in behind

    def _again(self, request_id: str, refused: Refused) -> tuple[float, Callable[[], list[v1.PlaySeatsRequest]]] | None:
        """Returns when, and what, is sent once more of what came too fast; `None` if that can't be.

        Made again, a call would come after those that were made after it: so only the last one is.
        """
        is_last = bool(self._pending) and self._pending[-1].request_id == request_id
        if request_id and not is_last:
            return None
        try:
            pause = self._haste.pause(refused)
        except Refused:
            return None
        if not request_id:
            self._opens_again = True
            return pause, self._to_send_again
        call = self._pending[-1]
        return pause, lambda: [call] if call in self._pending else []

    def _to_send_again(self) -> list[v1.PlaySeatsRequest]:
        with self._lock:
            return [] if self.closed else self._to_send()

    def _opened(self, opened: v1.PlaySeatsResponse.Opened) -> None:
        self._haste.end()
        self._opens_again = False
        self.number, self.config = opened.seat, opened.match.config
        if opened.HasField("view"):
            self._tracker.begin(opened.view, opened.match.seq)
            self._cursor = opened.match.seq

    def _updated(self, request_id: str, update: v1.SeatUpdate) -> tuple[PlayEvent, bool]:
        """Takes an update. Returns the news, and whether a view has to be asked for since the events do not give it."""
        self._deadline.take(update)
        stale = False
        try:
            self._tracker.fold(update)
        except FoldError:
            stale = True
        # Before the match has begun there is no number to go on from: a new connection is to bring the view.
        if self._cursor is not None or self.view is not None:
            self._cursor = self.seq
        if request_id:
            self._answered(request_id)
            self.legal = None
        if update.state.HasField("adjournment"):
            # The seat is asked anew when the match goes on.
            self.legal = None
        prompt = update.HasField("legal_actions")
        if prompt:
            self.legal = update.legal_actions
        # While a call has no answer, a prompt may be out of date.
        asked = self.legal if prompt and not self._pending else None
        result = update.apply_result if update.HasField("apply_result") else None
        return PlayEvent(self, update.events, asked, result, request_id=request_id), stale

    def _looked(self, found: v1.GetViewResponse) -> None:
        self._tracker.begin(found.view, found.seq)
        self._cursor = found.seq

    def _refused(self, request_id: str, refused: Refused) -> PlayEvent:
        """Takes the refusal of a call: the prompt stands, unless something else came before."""
        self._answered(request_id)
        if refused.reason in OVERTAKEN:
            self.legal = None
            self._deadline.clear()
        asked = None if self._pending else self.legal
        return PlayEvent(self, legal=asked, refused=refused, request_id=request_id)

    def _ended(self, refused: Refused | None) -> PlayEvent:
        self.closed = True
        self.legal = None
        self._deadline.clear()
        self._pending.clear()
        return PlayEvent(self, refused=refused, closed=True)

    def _answered(self, request_id: str) -> None:
        self._haste.end()
        for call in self._pending:
            if call.request_id == request_id:
                self._pending.remove(call)
                return
