"""A seat that this client has taken, and the calls of its player."""

from __future__ import annotations

from edgehill import seat_calls, v1
from edgehill.calls import blocking
from edgehill.connection import Connection
from edgehill.seat_calls import BaseSeat
from edgehill.watch import Watch
from edgehill.watch_session import watch_request


class Seat(BaseSeat):
    """A seat of a match, by its token. The holder of the token plays the seat, so it is a secret.

    Each call that changes something takes a new request id and keeps it in every repetition; `request_id` sets
    another one, for programs that write down what they are about to do. `help(Seat.apply)` shows a call.
    """

    def __init__(self, connection: Connection, match_id: str, token: str) -> None:
        super().__init__(match_id, token)
        self._connection = connection

    get = blocking(seat_calls.get)
    view = blocking(seat_calls.view)
    receipt = blocking(seat_calls.receipt)
    legal = blocking(seat_calls.legal)
    explain = blocking(seat_calls.explain)
    apply = blocking(seat_calls.apply)
    undo = blocking(seat_calls.undo)
    resign = blocking(seat_calls.resign)
    leave = blocking(seat_calls.leave)
    rematch = blocking(seat_calls.rematch)
    offer_draw = blocking(seat_calls.offer_draw)
    accept_draw = blocking(seat_calls.accept_draw)
    decline_draw = blocking(seat_calls.decline_draw)
    offer_adjournment = blocking(seat_calls.offer_adjournment)
    accept_adjournment = blocking(seat_calls.accept_adjournment)
    decline_adjournment = blocking(seat_calls.decline_adjournment)
    resume = blocking(seat_calls.resume)
    set_standing_passes = blocking(seat_calls.set_standing_passes)
    reveal_entropy = blocking(seat_calls.reveal_entropy)

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
