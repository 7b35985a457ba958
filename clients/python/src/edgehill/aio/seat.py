"""A seat that this client has taken, and the calls of its player."""

from __future__ import annotations

from edgehill import seat_calls, v1
from edgehill.aio.connection import Connection
from edgehill.aio.watch import Watch
from edgehill.calls import awaited
from edgehill.seat_calls import BaseSeat
from edgehill.watch_session import watch_request


class Seat(BaseSeat):
    """A seat of a match, by its token, as `edgehill.Seat`."""

    def __init__(self, connection: Connection, match_id: str, token: str) -> None:
        super().__init__(match_id, token)
        self._connection = connection

    get = awaited(seat_calls.get)
    view = awaited(seat_calls.view)
    receipt = awaited(seat_calls.receipt)
    legal = awaited(seat_calls.legal)
    explain = awaited(seat_calls.explain)
    apply = awaited(seat_calls.apply)
    undo = awaited(seat_calls.undo)
    resign = awaited(seat_calls.resign)
    leave = awaited(seat_calls.leave)
    rematch = awaited(seat_calls.rematch)
    offer_draw = awaited(seat_calls.offer_draw)
    accept_draw = awaited(seat_calls.accept_draw)
    decline_draw = awaited(seat_calls.decline_draw)
    offer_adjournment = awaited(seat_calls.offer_adjournment)
    accept_adjournment = awaited(seat_calls.accept_adjournment)
    decline_adjournment = awaited(seat_calls.decline_adjournment)
    resume = awaited(seat_calls.resume)
    set_standing_passes = awaited(seat_calls.set_standing_passes)
    reveal_entropy = awaited(seat_calls.reveal_entropy)

    def watch(
        self,
        *,
        after_seq: int | None = None,
        include_text: bool = False,
        legal: v1.LegalDetail = v1.LEGAL_DETAIL_UNSPECIFIED,
    ) -> Watch:
        """Streams the seat's updates as they come: after a cursor or, without one, from the present view on.

        `legal`: sends the legal actions, in this detail, whenever the seat comes to be to act.
        """
        return Watch(self._connection, self.token, watch_request(self.match_id, after_seq, include_text, legal))
