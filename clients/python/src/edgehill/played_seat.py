"""One seat in a `Play` stream: what it has seen, what it owes, and its calls that are not answered yet."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from edgehill import v1
from edgehill.errors import Refused, UnknownChange
from edgehill.folding import fold
from edgehill.request_ids import RequestIds
from edgehill.actions import ActionsLike, actions


@dataclass(frozen=True)
class PlayEvent:
    """The news for a seat."""

    seat: PlayedSeat
    """The seat whose news it is."""
    events: Sequence[v1.Event] = ()
    """The events published to it, in order; folded into `seat.view` already."""
    legal: v1.LegalList | None = None
    """It owes an action, and these are the legal ones. `None`: nothing is asked of it now."""
    accepted: v1.Accepted | None = None
    """A call of it was carried out."""
    refused: Refused | None = None
    """A call of it was refused or, with `closed`, it was not opened or was closed by the server."""
    closed: bool = False
    """It is closed, and this is its last news: the match is over, `close` was called, or `refused` says why."""
    request_id: str = field(default="", compare=False)
    """The call that this answers; empty for what comes by itself."""


@dataclass(frozen=True)
class Opening:
    """The way in which a seat is opened: fields as in `v1.Open`."""

    token: str
    legal: v1.LegalDetail
    follow: bool
    """True if events are sent, and a view is kept."""
    words: bool


class PlayedSeat:
    """A seat that is open in a `Play` stream.

    The calls return at once; their answers come as `PlayEvent`. Each gets a request id, and is sent again with it when the
    stream was lost before the answer.
    """

    def __init__(
        self, channel: int, opening: Opening, lock: threading.RLock, send: Callable[[v1.PlayRequest], None]
    ) -> None:
        self._lock = lock
        self._send = send
        self._ids = RequestIds()
        self._opening: Final = opening
        self._cursor: int | None = None if opening.follow else 0
        self._view_seq = 0
        self._pending: deque[v1.PlayRequest] = deque()
        self.channel: Final = channel
        """Its number in the stream."""
        self.number: int | None = None
        """The seat's number in its match. `None`: the server has not answered yet."""
        self.terms = v1.MatchConfig()
        """The match's terms."""
        self.state = v1.MatchState()
        """The match's state."""
        self.view: v1.View | None = None
        """The view of the seat, after the last news. `None` before the match begins, or without `follow`."""
        self.seq = 0
        """The number of the last event."""
        self.legal: v1.LegalList | None = None
        """The legal actions of the prompt that is outstanding. `None`: the seat owes nothing."""
        self.closed = False
        """True if it was closed."""

    @property
    def token(self) -> str:
        """The seat's token."""
        return self._opening.token

    def apply(
        self,
        given: ActionsLike,
        *,
        expected_seq: int | None = None,
        keep: int | None = None,
        until_reveal: bool = False,
        request_id: str | None = None,
    ) -> str:
        """Takes actions, as `Seat.apply`. Returns the call's request id, as all calls do."""
        mode = v1.APPLY_MODE_UNTIL_REVEAL if until_reveal else v1.APPLY_MODE_ATOMIC
        call = v1.Apply(expected_seq=expected_seq, keep=keep, actions=actions(given), mode=mode)
        return self._call(v1.PlayRequest(apply=call), request_id)

    def undo(self, *, keep: int | None = None, expected_seq: int | None = None, request_id: str | None = None) -> str:
        """Takes back the last action of the draft, or all but the first `keep`."""
        return self._call(v1.PlayRequest(undo=v1.Undo(keep=keep, expected_seq=expected_seq)), request_id)

    def resign(self, *, request_id: str | None = None) -> str:
        """Gives up. The match is over."""
        return self._call(v1.PlayRequest(resign=v1.Resign()), request_id)

    def offer_draw(self, *, request_id: str | None = None) -> str:
        """Offers a draw, until the seat's next action is final."""
        return self._call(v1.PlayRequest(offer_draw=v1.OfferDraw()), request_id)

    def accept_draw(self, *, request_id: str | None = None) -> str:
        """Accepts the draw that all other seats offer. The match is over."""
        return self._call(v1.PlayRequest(accept_draw=v1.AcceptDraw()), request_id)

    def set_standing_passes(self, passes: Sequence[v1.StandingPass], *, request_id: str | None = None) -> str:
        """Replaces the windows that the server declines for the seat."""
        call = v1.SetStandingPasses(standing_passes=passes)
        return self._call(v1.PlayRequest(set_standing_passes=call), request_id)

    def close(self) -> None:
        """Closes the seat here. It keeps its place, its draft and its token."""
        self._call(v1.PlayRequest(close=v1.Close()), "")

    def _call(self, request: v1.PlayRequest, request_id: str | None) -> str:
        request.channel = self.channel
        request.request_id = self._ids.next() if request_id is None else request_id
        with self._lock:
            self._pending.append(request)
            self._send(request)
        return request.request_id

    # The methods that follow are called by the stream alone, which has the lock.

    def _to_send(self) -> list[v1.PlayRequest]:
        """Returns a new connection's first requests: the seat with its cursor, and the calls that were not answered."""
        how = self._opening
        opening = v1.Open(
            seat_token=how.token,
            after_seq=self._cursor,
            legal=how.legal,
            no_events=not how.follow,
            words=how.words,
        )
        return [v1.PlayRequest(channel=self.channel, open=opening), *self._pending]

    def _opened(self, opened: v1.Opened) -> None:
        self.number, self.terms = opened.seat, opened.terms
        if opened.HasField("view"):
            self._see(opened.view, opened.seq)

    def _see(self, view: v1.View, seq: int) -> None:
        self.view, self._view_seq = view, seq
        self._cursor = self.seq = seq

    def _updated(self, request_id: str, update: v1.Update, look: Callable[[], v1.ViewResponse]) -> PlayEvent:
        """Takes an update in; `look` asks for the present view."""
        if update.HasField("state"):
            self.state = update.state
        if update.HasField("view"):
            self._see(update.view, update.seq)
        else:
            self._fold(update.events, look)
        # Before the match has begun there is no number to go on from.
        if self.view is not None or not self._opening.follow:
            self._cursor = self.seq = update.seq
        accepted = update.accepted if update.HasField("accepted") else None
        if accepted is not None:
            self._answered(request_id)
            self.legal = None
        if update.HasField("prompt"):
            self.legal = update.prompt.legal
        asked = self.legal if update.HasField("prompt") and not self._pending else None
        return PlayEvent(self, update.events, asked, accepted, request_id=request_id)

    def _fold(self, events: Sequence[v1.Event], look: Callable[[], v1.ViewResponse]) -> None:
        if self.view is None:
            return
        for event in events:
            if event.seq <= self._view_seq:
                continue
            try:
                fold(self.view, event)
            except UnknownChange:
                # The server is newer than this client. Its view may be ahead of these events.
                present = look()
                self.view, self._view_seq = present.view, present.seq

    def _refused(self, request_id: str, refused: Refused) -> PlayEvent:
        """A call was refused: the prompt stands."""
        self._answered(request_id)
        asked = None if self._pending else self.legal
        return PlayEvent(self, legal=asked, refused=refused, request_id=request_id)

    def _ended(self, refused: Refused | None) -> PlayEvent:
        self.closed = True
        self.legal = None
        self._pending.clear()
        return PlayEvent(self, refused=refused, closed=True)

    def _answered(self, request_id: str) -> None:
        for call in self._pending:
            if call.request_id == request_id:
                self._pending.remove(call)
                return
