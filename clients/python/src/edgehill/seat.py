"""A seat that this client has taken, and the calls of its player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from edgehill import v1
from edgehill.request_ids import RequestIds
from edgehill.actions import ActionsLike, actions
from edgehill.watching import Watch
from edgehill.wire import Wire

FULL: Final = v1.ResponseOptions(view=True, legal=v1.LEGAL_DETAIL_IDS, events=True)
"""All that an answer can carry."""


class Seat:
    """A seat of a match, by its token. The holder of the token plays the seat, so it is a secret.

    Each call that changes something takes a new request id and keeps it in every repetition; `request_id` sets
    another one, for programs that write down what they are about to do.
    """

    def __init__(self, wire: Wire, match_id: str, token: str) -> None:
        self._wire = wire
        self._ids = RequestIds()
        self.match_id: Final = match_id
        self.token: Final = token
        self.joined: v1.JoinResponse | None = None
        """The answer to `Client.join`. `None` for a seat that was taken up by its token alone."""
        self.entropy = b""
        """The entropy that `Client.join` gave for the dice; empty: nothing."""

    def get(self) -> v1.GetResponse:
        """The match's terms and state, and the last number of this seat's sequence."""
        return self._wire.call(
            self._wire.matches.Get, v1.GetRequest(match_id=self.match_id), self.token, v1.GetResponse
        )

    def view(self, *, start: bool = False, spectator: bool = False, words: bool = False) -> v1.ViewResponse:
        """Returns the view of the seat, or of a spectator; now or, with `start`, at the beginning of the match."""
        request = v1.ViewRequest(match_id=self.match_id, words=words)
        if start:
            request.moment = v1.VIEW_MOMENT_START
        if spectator:
            request.observer.SetInParent()
        return self._wire.call(self._wire.matches.View, request, self.token, v1.ViewResponse)

    def legal(
        self,
        detail: v1.LegalDetail = v1.LEGAL_DETAIL_IDS,
        *,
        verbs: Sequence[str] = (),
        refs: Sequence[v1.Ref] = (),
    ) -> v1.LegalResponse:
        """The actions that the seat may take now; only of these verbs, only about these things."""
        request = v1.LegalRequest(match_id=self.match_id, detail=detail, verbs=verbs, refs=refs)
        return self._wire.call(self._wire.matches.Legal, request, self.token, v1.LegalResponse)

    def explain(self, action: int | str | v1.ActionStructure) -> v1.ExplainResponse:
        """Returns the reasons that the seat may not take an action now: id, notation or structure."""
        match action:
            case int():
                message = v1.Action(id=action)
            case str():
                message = v1.Action(notation=action)
            case _:
                message = v1.Action(structure=action)
        request = v1.ExplainRequest(match_id=self.match_id, action=message)
        return self._wire.call(self._wire.matches.Explain, request, self.token, v1.ExplainResponse)

    def apply(
        self,
        given: ActionsLike,
        *,
        expected_seq: int | None = None,
        keep: int | None = None,
        until_reveal: bool = False,
        want: v1.ResponseOptions | None = None,
        request_id: str | None = None,
    ) -> v1.ApplyResponse:
        """Takes actions, as one; with `until_reveal` those up to the first point where something is learnt.

        `expected_seq`: refused with STALE_SEQUENCE if the seat has events after it. `keep`: how many actions of the
        draft stay.
        """
        request = v1.ApplyRequest(
            match_id=self.match_id,
            request_id=request_id or self._ids.next(),
            expected_seq=expected_seq,
            keep=keep,
            actions=actions(given),
            mode=v1.APPLY_MODE_UNTIL_REVEAL if until_reveal else v1.APPLY_MODE_ATOMIC,
            want=want,
        )
        return self._wire.call(self._wire.matches.Apply, request, self.token, v1.ApplyResponse)

    def undo(
        self,
        *,
        keep: int | None = None,
        expected_seq: int | None = None,
        want: v1.ResponseOptions | None = None,
        request_id: str | None = None,
    ) -> v1.UndoResponse:
        """Takes back the last action of the draft, or all but the first `keep`."""
        request = v1.UndoRequest(
            match_id=self.match_id,
            request_id=request_id or self._ids.next(),
            expected_seq=expected_seq,
            keep=keep,
            want=want,
        )
        return self._wire.call(self._wire.matches.Undo, request, self.token, v1.UndoResponse)

    def resign(self, *, want: v1.ResponseOptions | None = None, request_id: str | None = None) -> v1.ResignResponse:
        """Gives up. The match is over."""
        request = v1.ResignRequest(match_id=self.match_id, request_id=request_id or self._ids.next(), want=want)
        return self._wire.call(self._wire.matches.Resign, request, self.token, v1.ResignResponse)

    def offer_draw(self, *, request_id: str | None = None) -> v1.OfferDrawResponse:
        """Offers a draw, until the seat's next action is final."""
        request = v1.OfferDrawRequest(match_id=self.match_id, request_id=request_id or self._ids.next())
        return self._wire.call(self._wire.matches.OfferDraw, request, self.token, v1.OfferDrawResponse)

    def accept_draw(self, *, want: v1.ResponseOptions | None = None, request_id: str | None = None) -> v1.AcceptDrawResponse:
        """Accepts the draw that all other seats offer. The match is over."""
        request = v1.AcceptDrawRequest(match_id=self.match_id, request_id=request_id or self._ids.next(), want=want)
        return self._wire.call(self._wire.matches.AcceptDraw, request, self.token, v1.AcceptDrawResponse)

    def set_standing_passes(
        self, passes: Sequence[v1.StandingPass], *, want: v1.ResponseOptions | None = None, request_id: str | None = None
    ) -> v1.SetStandingPassesResponse:
        """Replaces the windows that the server declines for the seat; an empty list takes all back."""
        request = v1.SetStandingPassesRequest(
            match_id=self.match_id,
            request_id=request_id or self._ids.next(),
            standing_passes=passes,
            want=want,
        )
        return self._wire.call(self._wire.matches.SetStandingPasses, request, self.token, v1.SetStandingPassesResponse)

    def reveal_entropy(self, *, want: v1.ResponseOptions | None = None, request_id: str | None = None) -> v1.RevealEntropyResponse:
        """Reveals the entropy that `Client.join` has committed to: due once all have joined (COMMIT_REVEAL)."""
        request = v1.RevealEntropyRequest(
            match_id=self.match_id, request_id=request_id or self._ids.next(), entropy=self.entropy, want=want
        )
        return self._wire.call(self._wire.matches.RevealEntropy, request, self.token, v1.RevealEntropyResponse)

    def watch(self, *, after_seq: int | None = None, words: bool = False) -> Watch:
        """The seat's events as they come: after a cursor or, without one, after a view of the present."""
        request = v1.WatchRequest(match_id=self.match_id, after_seq=after_seq, words=words)
        return Watch(self._wire, self.token, request)
