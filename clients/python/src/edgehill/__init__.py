"""A client of Edgehill: `Client` makes, joins, watches and reads matches, a `Seat` plays one, `run_bot` has a bot play.

    from edgehill import Client, house_bot

    with Client("localhost:7400") as client:
        made = client.create("skirmish", seats=[house_bot()])
        seat = client.join(made.match.config.match_id)
        print(seat.legal().legal_actions.ids)

`edgehill.aio` has the same for asyncio. Messages are those of the wire, in `edgehill.v1`; docs/sdk-python.md is the
manual.
"""

from edgehill import v1
from edgehill.actions import ActionLike, ActionsLike
from edgehill.bot import Bot, BotReport
from edgehill.bot_runner import run_bot, run_bots
from edgehill.check_record import RecordCheck, check_record
from edgehill.client import Client
from edgehill.client_calls import ExportedRecord
from edgehill.errors import (
    CallFailed,
    ConnectError,
    EdgehillError,
    FoldError,
    InvalidCertificate,
    InvalidToken,
    InvalidUrl,
    Refused,
    SequenceGap,
    UnknownChange,
    Unverified,
)
from edgehill.folding import fold
from edgehill.match_plan import match_plan
from edgehill.play import Play
from edgehill.played_seat import PlayedSeat, PlayEvent
from edgehill.retry import RetryPolicy
from edgehill.seat import Seat
from edgehill.seat_calls import FULL
from edgehill.seat_config import account_seat, house_bot, invited_seat, open_seat
from edgehill.seek import Seek
from edgehill.transcript import Transcript, TranscriptCheck, check_transcript
from edgehill.verify import Checked, check_dice
from edgehill.view_tracker import ViewTracker
from edgehill.watch import AccountWatch, CompetitionWatch, Watch

# The API that it speaks: the package of its messages. Clients of all languages have one version, and move together.
API = "edgehill.v1"

__all__ = [
    "API",
    "FULL",
    "AccountWatch",
    "ActionLike",
    "ActionsLike",
    "Bot",
    "BotReport",
    "CallFailed",
    "Checked",
    "Client",
    "CompetitionWatch",
    "ConnectError",
    "EdgehillError",
    "ExportedRecord",
    "FoldError",
    "InvalidCertificate",
    "InvalidToken",
    "InvalidUrl",
    "Play",
    "PlayEvent",
    "PlayedSeat",
    "RecordCheck",
    "Refused",
    "RetryPolicy",
    "Seat",
    "Seek",
    "SequenceGap",
    "Transcript",
    "TranscriptCheck",
    "UnknownChange",
    "Unverified",
    "ViewTracker",
    "Watch",
    "account_seat",
    "check_dice",
    "check_record",
    "check_transcript",
    "fold",
    "house_bot",
    "invited_seat",
    "match_plan",
    "open_seat",
    "run_bot",
    "run_bots",
    "v1",
]
