"""Bots: what they choose, what is refused, what comes before their choice."""

from __future__ import annotations

import asyncio
import random

from edgehill import Bot, PlayedSeat, Refused, aio, v1
from edgehill.random_bot import RandomBot
from scenario import Scenario, over_both


class Chooser(Bot):
    """Takes whole actions, at random."""

    detail = v1.LEGAL_DETAIL_FULL

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> v1.LegalAction:
        assert seat.view is not None
        return random.choice(legal.actions)


class Stubborn(Bot):
    """Takes what does not exist."""

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> list[int]:
        return [4095]


class Broken(Bot):
    """Fails."""

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        raise ZeroDivisionError


class Bots(Scenario):
    """Against one server."""

    async def test_many_matches_over_one_stream(self) -> None:
        seats = [seat for _ in range(3) for seat in await self.seats()]
        bots: list[Bot] = [Chooser(), RandomBot(1)] * 3
        reports = await self.run_bots(dict(zip(seats, bots)))
        self.assertEqual([report.match_id for report in reports], [seat.match_id for seat in seats])
        self.assertEqual({report.status for report in reports}, {v1.MATCH_STATUS_FINISHED})
        for report, seat in zip(reports, seats):
            self.assertEqual(report.result, (await seat.get()).state.result)

    async def test_a_choice_that_is_refused(self) -> None:
        north, south = await self.seats()
        with self.assertRaises(Refused) as caught:
            await self.run_bots({north: Stubborn(), south: RandomBot()})
        self.assertEqual(caught.exception.name, "UNKNOWN_ACTION")

    async def test_a_bot_that_fails(self) -> None:
        north, south = await self.seats()
        with self.assertRaises(ZeroDivisionError):
            await self.run_bots({north: Broken(), south: RandomBot()})

    async def test_a_match_that_ends_otherwise(self) -> None:
        """A match that another hand ends is no error of the bot, also while its choice is on the way."""
        north, south = await self.seats()
        playing = asyncio.create_task(self.run_bots({north: Chooser()}))
        await asyncio.sleep(0.1)
        await south.resign()
        (report,) = await asyncio.wait_for(playing, 10)
        assert report.result is not None
        self.assertEqual(report.result.termination, v1.TERMINATION_RESIGNATION)

    async def test_a_match_that_is_taken_back(self) -> None:
        made = await self.client.create("skirmish")
        seat = await self.client.join(made.match.config.match_id)
        playing = asyncio.create_task(self.run_bots({seat: Chooser()}))
        await asyncio.sleep(0.1)
        await self.client.abort(seat.match_id, made.creator_token)
        (report,) = await asyncio.wait_for(playing, 10)
        self.assertEqual((report.status, report.result), (v1.MATCH_STATUS_ABORTED, None))


class Slow(aio.Bot):
    """Awaits the other bots before it chooses, and then takes a moment."""

    def __init__(self, gate: asyncio.Barrier) -> None:
        self.gate: asyncio.Barrier | None = gate

    async def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        gate, self.gate = self.gate, None
        if gate is not None:
            await gate.wait()
        await asyncio.sleep(0.001)
        return random.choice(legal.ids)


class Never(aio.Bot):
    """Never chooses."""

    cancelled = False

    async def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        raise AssertionError("an event that nobody sets")


class AwaitedBots(Scenario):
    """Bots whose choice is awaited."""

    asyncio_alone = True

    async def test_choices_are_awaited_at_the_same_time(self) -> None:
        """All bots are asked before any has chosen: one after the other they would wait forever."""
        seats = [seat for _ in range(2) for seat in await self.seats()]
        gate = asyncio.Barrier(len(seats))
        bots: dict[aio.Seat, aio.Bot] = {seat: Slow(gate) for seat in seats}
        reports = await asyncio.wait_for(aio.run_bots(self.client, bots), 60)
        self.assertEqual({report.status for report in reports.values()}, {v1.MATCH_STATUS_FINISHED})

    async def test_a_choice_is_given_up_when_the_match_has_ended(self) -> None:
        north, south = await self.seats()
        bot = Never()
        playing = asyncio.create_task(aio.run_bot(self.client, north, bot))
        await asyncio.sleep(0.1)
        await south.resign()
        self.assertEqual((await asyncio.wait_for(playing, 10)).status, v1.MATCH_STATUS_FINISHED)
        self.assertTrue(bot.cancelled)

    async def test_playing_is_cancelled(self) -> None:
        north, _ = await self.seats()
        bot = Never()
        playing = asyncio.create_task(aio.run_bot(self.client, north, bot))
        watching = asyncio.create_task(anext(north.watch(after_seq=(await north.view()).seq)))
        await asyncio.sleep(0.2)
        for task in (playing, watching):
            task.cancel()
        done = await asyncio.gather(playing, return_exceptions=True)
        self.assertIsInstance(done[0], asyncio.CancelledError)
        self.assertTrue(bot.cancelled)


load_tests = over_both(Bots, AwaitedBots)
