"""A client of Edgehill: `Client` makes, joins, watches and reads matches, a `Seat` plays one, `play` has bots play.

    from edgehill import Client, house_bot

    with Client("localhost:7400") as client:
        made = client.create("skirmish", seats=[house_bot()])
        seat = client.join(made.terms.match_id)
        print(seat.legal().legal.ids)

Messages are those of the wire, in `edgehill.v1`; docs/sdk-python.md is the manual.
"""

from edgehill import v1
from edgehill.bot import Bot, play
from edgehill.client import Client
from edgehill.errors import CallFailed, EdgehillError, Refused, UnknownChange, Unverified
from edgehill.folding import fold
from edgehill.played_seat import PlayEvent, PlayedSeat
from edgehill.playing import Play
from edgehill.retry import Retry
from edgehill.seat import FULL, Seat
from edgehill.seat_config import house_bot, invited_seat, open_seat
from edgehill.verify import Checked, check_dice
from edgehill.watching import Watch, WatchItem

__all__ = [
    "FULL",
    "Bot",
    "CallFailed",
    "Checked",
    "Client",
    "EdgehillError",
    "PlayEvent",
    "Play",
    "PlayedSeat",
    "Refused",
    "Retry",
    "Seat",
    "UnknownChange",
    "Unverified",
    "Watch",
    "WatchItem",
    "check_dice",
    "fold",
    "house_bot",
    "invited_seat",
    "open_seat",
    "play",
    "v1",
]
