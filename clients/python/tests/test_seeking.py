"""Seeking somebody to play with: against the real server, and through connections that break."""

from __future__ import annotations

import asyncio

from edgehill import RetryPolicy, v1
from running import Relay, Server
from scenario import Scenario, over_server


class Seeking(Scenario):
    """Against one server."""

    async def test_two_who_seek_the_same_play_each_other(self) -> None:
        other = self.connect(self.server.address)
        clock = v1.ClockConfig()
        clock.bank.FromSeconds(600)
        south = self.client.seek("skirmish", seat=1, clock=clock, wait_seconds=60)
        counts = [await anext(south)]
        self.assertEqual((counts[0].same_terms, counts[0].same_game), (1, 1))
        found = await other.seek("skirmish", clock=clock).paired()
        async for count in south:
            counts.append(count)
        paired = south.result
        assert paired is not None
        self.assertEqual((paired.seat, found.seat), (1, 0))
        match = paired.match.config.match_id
        self.assertEqual((found.match.config.match_id, paired.match.config.clock), (match, clock_of(paired)))
        self.assertNotEqual(paired.invitation, found.invitation)
        seats = [
            await client.join(match, seat=one.seat, invitation=one.invitation)
            for client, one in ((self.client, paired), (other, found))
        ]
        self.assertEqual([seat.number for seat in seats], [1, 0])
        self.assertTrue(all(len(seat.entropy) == 32 for seat in seats))
        self.assertEqual((await other.get(match)).state.status, v1.MATCH_STATUS_RUNNING)
        await seats[0].resign()

    async def test_a_request_that_was_paired_leads_to_the_same_seat(self) -> None:
        other = self.connect(self.server.address)
        first = self.client.seek("skirmish", request_id="mine")
        await anext(first)
        await other.seek("skirmish").paired()
        paired = await first.paired()
        again = await self.client.seek("skirmish", request_id="mine").paired()
        self.assertEqual((again.invitation, again.seat), (paired.invitation, paired.seat))
        call = self.client.seek("skirmish", request_id="mine", seat=0).paired()
        await self.refused(v1.ERROR_REASON_REQUEST_ID_REUSED, call)

    async def test_a_seek_that_finds_nobody_expires_and_one_that_is_closed_is_taken_back(self) -> None:
        call = self.client.seek("skirmish", wait_seconds=0.05).paired()
        await self.refused(v1.ERROR_REASON_SEEK_EXPIRED, call)
        await self.refused(v1.ERROR_REASON_NO_OPPONENT, self.client.seek("cruel-necessity").paired())
        seek = self.client.seek("skirmish", seat=0)
        await anext(seek)
        seek.close()
        self.assertEqual([count async for count in seek], [])
        self.assertIsNone(seek.result)
        with self.assertRaises(ValueError):
            await seek.paired()

    async def test_a_seek_goes_on_through_a_restart(self) -> None:
        server = Server()
        self.addCleanup(server.close)
        with Relay(server.address) as relay:
            retry = RetryPolicy(pause_max_seconds=0.1)
            ada, bob = [self.connect(relay.address, retry=retry) for _ in range(2)]
            seek = ada.seek("skirmish", seat=0)
            await anext(seek)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            relay.move_to(server.address)
            # The next count is the new server's, where it is the only seek again.
            self.assertEqual((await anext(seek)).same_terms, 1)
            found = await bob.seek("skirmish").paired()
            paired = await seek.paired()
            self.assertEqual((paired.seat, found.seat), (0, 1))
            self.assertEqual(paired.match.config.match_id, found.match.config.match_id)


def clock_of(paired: v1.PairedSeat) -> v1.ClockConfig:
    """The clock that was asked for, as the server has it."""
    clock = v1.ClockConfig(at_end=v1.TIMEOUT_RULE_DEFAULT_ACTION)
    clock.bank.FromSeconds(600)
    return clock


load_tests = over_server(Seeking)
