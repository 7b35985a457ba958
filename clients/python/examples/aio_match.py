"""Two bots play some matches at the same time, and one task watches each: `python aio_match.py [server]`."""

import asyncio
import random
import sys

from edgehill import PlayedSeat, ViewTracker, v1
from edgehill.aio import Bot, Client, run_bots

MATCHES = 3


class Ponderer(Bot):
    """Awaits something before it chooses; here it is a pause, elsewhere a model's answer."""

    async def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        await asyncio.sleep(0.001)
        return random.choice(legal.ids)


async def watch(client: Client, match_id: str) -> str:
    """Follows a match as a spectator to its end."""
    tracker = ViewTracker()
    async for update in client.watch(match_id):
        tracker.fold(update)
    result = tracker.state.result
    return f"{match_id}: {tracker.seq} events, {result.code}, returns {list(result.returns)}"


async def main(server: str) -> None:
    async with Client(server) as client:
        made = await asyncio.gather(*(client.create("skirmish") for _ in range(MATCHES)))
        ids = [answer.match.config.match_id for answer in made]
        # The second seat begins a match, so spectators come before.
        watching = [asyncio.create_task(watch(client, match_id)) for match_id in ids]
        seats = [await client.join(match_id, player=name) for match_id in ids for name in ("Ada", "Ben")]
        reports = await run_bots(client, {seat: Ponderer() for seat in seats})
        for line in await asyncio.gather(*watching):
            print(line)
        print(f"{sum(report.actions for report in reports.values())} actions by {len(reports)} bots")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "localhost:7400"))
