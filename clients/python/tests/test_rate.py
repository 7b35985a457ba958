"""Clients that ask faster than a server lets them."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from running import Server
from scenario import Scenario, over

MATCHES = 12


class SlowServer(Server):
    """Lets a caller make a few calls at once, and then forty a second."""

    variables: ClassVar[dict[str, str]] = {
        "EDGEHILL_CAPACITY__CALLS_PER_SECOND": "40",
        "EDGEHILL_CAPACITY__CALLS_BURST": "5",
    }


class Rate(Scenario):
    """More seats and calls at once than a caller may make."""

    async def test_seats_and_calls_wait_their_turn_on_one_stream(self) -> None:
        seats = [seat for _ in range(MATCHES) for seat in await self.seats()]
        acted: set[int] = set()
        async with self.client.play() as stream:
            played = [stream.open(seat) for seat in seats]
            while len(acted) < len(seats):
                news = await asyncio.wait_for(anext(stream), 60)
                self.assertIsNone(news.refused)
                if news.legal is not None and news.seat.channel not in acted:
                    news.seat.apply(news.legal.ids[0])
                if news.apply_result is not None:
                    acted.add(news.seat.channel)
            session = getattr(stream, "inner", stream)._session
            # The call that opens the stream may come too fast as well.
            self.assertLessEqual(session.connections, 3)
            self.assertEqual([seat.number for seat in played], [0, 1] * MATCHES)


load_tests = over(SlowServer, Rate)
