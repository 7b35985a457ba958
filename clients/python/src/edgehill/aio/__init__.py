"""The client for asyncio: the classes of `edgehill`, with calls that are awaited and streams for `async for`.

    from edgehill import house_bot
    from edgehill.aio import Client

    async with Client("localhost:7400") as client:
        made = await client.create("skirmish", seats=[house_bot()])
        seat = await client.join(made.match.config.match_id)
        print((await seat.legal()).legal_actions.ids)

All that makes no calls is `edgehill`'s: errors, `ViewTracker`, `check_dice`, `RetryPolicy`, actions, messages.
"""

from edgehill.aio.bot import Bot
from edgehill.aio.bot_runner import run_bot, run_bots
from edgehill.aio.client import Client
from edgehill.aio.play import Play
from edgehill.aio.seat import Seat
from edgehill.aio.seek import Seek
from edgehill.aio.watch import AccountWatch, CompetitionWatch, Watch

__all__ = ["AccountWatch", "Bot", "Client", "CompetitionWatch", "Play", "Seat", "Seek", "Watch", "run_bot", "run_bots"]
