"""Answers that are lost, servers that are killed: nothing happens twice, nothing is missed, nothing comes twice."""

from __future__ import annotations

import asyncio
import socket
import time
import unittest.mock
from collections.abc import Awaitable, Callable
from typing import TypeVar

from edgehill import CallFailed, ConnectError, RetryPolicy, ViewTracker, aio, v1
from edgehill.random_bot import RandomBot
from fake import FakeServer
from running import Relay
from scenario import Scenario, over_both

Answer = TypeVar("Answer")


class Connections(Scenario):
    """A server of its own for each test, behind a relay."""

    @classmethod
    def setUpClass(cls) -> None:
        """Starts none: each test does."""

    async def asyncSetUp(self) -> None:
        self.server = await asyncio.to_thread(type(self).make_server)
        self.addCleanup(self.server.close)
        await super().asyncSetUp()
        self.relay = self.enterContext(Relay(self.server.address))
        self.client = self.connect(self.relay.address)

    def restart(self) -> None:
        """Kills the server, and starts it again over the same store."""
        self.server.kill()
        self.server.start()
        self.relay.move_to(self.server.address)

    async def while_answers_are_lost(
        self, call: Callable[[], Awaitable[Answer]], until: Callable[[aio.Client], Awaitable[None]]
    ) -> Answer:
        """Makes a call whose answer is lost.

        The server is killed when `until` has seen, by a way of its own, that the call went through, and is started
        again; then the call's repetition gets an answer.
        """
        self.relay.lose_answers()
        caller = asyncio.ensure_future(call())
        await until(self.connect(self.server.address))
        await asyncio.to_thread(self.restart)
        return await caller

    async def test_apply_happens_once(self) -> None:
        north, _ = await self.seats()
        seq, action = (await north.view()).seq, (await north.legal()).legal_actions.ids[0]

        async def until(direct: aio.Client) -> None:
            async for update in direct.seat(north.match_id, north.token).watch(after_seq=seq):
                if update.events:
                    return

        answer = await self.while_answers_are_lost(lambda: north.apply(action), until)
        self.assertEqual(answer.apply_result.actions, 1)
        now = await north.view()
        self.assertEqual((now.seq, list(now.view.draft)), (seq + 1, [action]))
        # With an id of its own it would have been refused: a card is picked already.
        await self.refused(v1.ERROR_REASON_ILLEGAL_ACTION, north.apply(action))

    async def test_create_happens_once(self) -> None:
        await self.client.games()

        async def until(direct: aio.Client) -> None:
            while not [match async for match in direct.matches()]:
                pass

        made = await self.while_answers_are_lost(lambda: self.client.create("skirmish"), until)
        listed = [match.config async for match in self.client.matches()]
        self.assertEqual(listed, [made.match.config])

    async def test_join_happens_once(self) -> None:
        match = (await self.client.create("skirmish")).match.config.match_id
        relay, lose = self.relay, self.relay.lose_answers

        async def until(direct: aio.Client) -> None:
            while not (await direct.get(match)).state.seats[0].joined:
                pass

        # A join looks at the match first; the answer to lose is the one after that.
        def make_entropy(count: int) -> bytes:
            lose()
            return bytes(range(count))

        with unittest.mock.patch("os.urandom", make_entropy), unittest.mock.patch.object(relay, "lose_answers"):
            seat = await self.while_answers_are_lost(lambda: self.client.join(match), until)
        self.assertEqual(seat.number, 0)
        state = (await self.client.get(match)).state
        self.assertEqual([seat.joined for seat in state.seats], [True, False])
        self.assertEqual((await seat.get()).state.status, v1.MATCH_STATUS_WAITING)

    async def test_watch_resumes(self) -> None:
        north, south = await self.seats()
        watch, tracker, seen = north.watch(legal=v1.LEGAL_DETAIL_IDS), ViewTracker(), list[int]()
        states, prompts = list[v1.MatchState](), list[tuple[int, list[int]]]()

        def take(update: v1.SeatUpdate) -> None:
            tracker.fold(update)
            seen.extend(event.seq for event in update.events)
            if update.HasField("state"):
                states.append(update.state)
            if update.HasField("legal_actions"):
                prompts.append((update.seq, list(update.legal_actions.ids)))

        async def follow(until: int) -> None:
            while tracker.seq < until:
                take(await anext(watch))

        while tracker.view is None or not prompts:
            take(await anext(watch))
        first = tracker.seq
        legal = await north.legal()
        self.assertEqual(prompts, [(legal.seq, list(legal.legal_actions.ids))])
        await north.apply(legal.legal_actions.ids[0])
        await follow((await north.view()).seq)
        await asyncio.to_thread(self.restart)
        # The new connection begins with a prompt that was handed out before.
        reader = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0.5)
        await north.apply("done")
        take(await reader)
        card = (await south.legal(v1.LEGAL_DETAIL_NOTATION)).legal_actions.notations[0]
        await south.apply(f"{card}; done")
        now = await north.view()
        await follow(now.seq)
        self.assertEqual(seen, list(range(first + 1, now.seq + 1)))
        self.assertEqual(tracker.view, now.view)

        # It says so when the match is finished, and ends.
        await south.resign()
        async for update in watch:
            take(update)
        self.assertEqual(watch.seq, (await north.view()).seq)
        self.assertEqual(states[-1].status, v1.MATCH_STATUS_FINISHED)
        # No prompt and no state comes twice.
        self.assertEqual(len(prompts), len({seq for seq, _ in prompts}))
        self.assertFalse([pair for pair in zip(states, states[1:]) if pair[0] == pair[1]])
        watch.close()

    async def test_watch_resumes_after_an_orderly_stop(self) -> None:
        north, _ = await self.seats()
        async with north.watch() as watch:
            while not (await anext(watch)).HasField("view"):
                pass
            await asyncio.to_thread(self.server.stop)
            self.server.start()
            self.relay.move_to(self.server.address)
            await north.apply((await north.legal()).legal_actions.ids[0])
            update = await anext(watch)
            self.assertEqual([event.seq for event in update.events], [(await north.view()).seq])

    async def test_watch_begins_before_the_match(self) -> None:
        """Without a number to go on from, a new connection brings the view."""
        match = (await self.client.create("skirmish")).match.config.match_id
        watch, tracker = self.client.watch(match), ViewTracker()
        tracker.fold(await anext(watch))
        self.assertEqual((watch.seq, tracker.view), (None, None))
        await asyncio.to_thread(self.restart)
        north, _ = await self.client.join(match), await self.client.join(match)
        await north.resign()
        async for update in watch:
            tracker.fold(update)
        self.assertEqual(tracker.view, (await self.client.view(match)).view)
        self.assertEqual(tracker.state.status, v1.MATCH_STATUS_FINISHED)

    async def test_a_watch_is_closed_from_elsewhere(self) -> None:
        north, _ = await self.seats()
        watch = north.watch()
        while not (await anext(watch)).HasField("view"):
            pass

        async def rest() -> list[v1.SeatUpdate]:
            return [update async for update in watch]

        reader = asyncio.create_task(rest())
        await asyncio.sleep(0.1)
        watch.close()
        self.assertEqual(await asyncio.wait_for(reader, 10), [])

    async def test_play_goes_on(self) -> None:
        """A server that is killed with every tenth call under way: both bots finish, and have seen everything once."""
        north, south = await self.seats()
        bots = {north.token: RandomBot(3), south.token: RandomBot(4)}
        seen: dict[str, list[int]] = {north.token: [], south.token: []}
        calls = 0
        async with self.client.play() as stream:
            played = [stream.open(north), stream.open(south)]
            async for news in stream:
                seen[news.seat.token] += [event.seq for event in news.events]
                self.assertIsNone(news.refused)
                if news.legal is not None:
                    calls += 1
                    if calls % 10 == 0:
                        self.relay.lose_answers()
                    news.seat.apply(bots[news.seat.token].choose(news.seat, news.legal))
                    if calls % 10 == 0:
                        await asyncio.to_thread(self.restart)
        self.assertGreater(calls, 15)
        for seat, mine in zip((north, south), played):
            now = await seat.view()
            self.assertEqual(mine.view, now.view)
            self.assertEqual(mine.state.status, v1.MATCH_STATUS_FINISHED)
            first = now.seq - len(seen[seat.token]) + 1
            self.assertEqual(seen[seat.token], list(range(first, now.seq + 1)))

    async def test_play_begins_before_the_match(self) -> None:
        match = (await self.client.create("skirmish")).match.config.match_id
        north = await self.client.join(match)
        async with self.client.play() as stream:
            mine = stream.open(north)
            self.assertEqual((await anext(stream)).seat.state.status, v1.MATCH_STATUS_WAITING)
            self.assertIsNone(mine.view)
            await asyncio.to_thread(self.restart)
            south = await self.client.join(match)
            while mine.legal is None:
                await anext(stream)
            self.assertEqual(mine.view, (await north.view()).view)
            await south.resign()
            news = [news async for news in stream]
        self.assertTrue(news[-1].closed and mine.closed)
        self.assertEqual(mine.state.result.termination, v1.TERMINATION_RESIGNATION)
        with self.assertRaises(RuntimeError):
            mine.resign()

    async def test_a_refused_call_leaves_the_prompt(self) -> None:
        north, south = await self.seats()
        async with self.client.play() as stream:
            mine = stream.open(north)
            while (news := await anext(stream)).legal is None:
                pass
            card = news.legal.ids[0]
            again = mine.apply([card, card])
            while (news := await anext(stream)).refused is None:
                pass
            self.assertEqual((news.request_id, news.legal and news.legal.ids[0]), (again, card))
            sent = mine.apply(card)
            while (news := await anext(stream)).request_id != sent:
                pass
            self.assertEqual(news.apply_result, v1.ApplyResult(actions=1))
            self.assertEqual(mine.undo() and (await anext(stream)).apply_result, v1.ApplyResult(actions=1))
            mine.offer_draw()
            while not mine.state.draw_offers:
                await anext(stream)
            await south.decline_draw()
            while mine.state.draw_offers:
                await anext(stream)
            mine.close()
            news = [news async for news in stream][-1]
            self.assertTrue(news.closed and news.refused is None)

    async def test_a_seat_is_taken_over(self) -> None:
        north, _ = await self.seats()
        async with self.client.play() as first, self.client.play() as second:
            first.open(north)
            await anext(first)
            mine = second.open(north)
            await anext(second)
            news = [news async for news in first][-1]
            self.assertTrue(news.closed)
            assert news.refused is not None
            self.assertEqual(news.refused.reason, v1.ERROR_REASON_OPENED_ELSEWHERE)
            self.assertFalse(mine.closed)

    async def test_repetition_ends(self) -> None:
        north, _ = await self.seats()
        hasty = self.connect(self.relay.address, retry=RetryPolicy(deadline_seconds=0))
        await hasty.games()
        self.server.kill()
        self.relay.move_to(self.server.address)
        with self.assertRaises(CallFailed) as caught:
            await hasty.games()
        self.assertNotIsInstance(caught.exception, ConnectError)
        with self.assertRaises(CallFailed):
            await anext(hasty.watch(north.match_id))
        async with hasty.play() as stream:
            stream.open(north)
            with self.assertRaises(CallFailed):
                await anext(stream)

    async def test_no_server(self) -> None:
        """A wrong port, a host that accepts and is silent, one that is not reached: each fails within two seconds."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            addresses = [f"127.0.0.1:{port}", f"127.0.0.1:{silent.getsockname()[1]}", "192.0.2.1:7400"]
            for address in addresses:
                calls: list[Callable[[aio.Client], Awaitable[object]]] = [
                    lambda client: client.games(),
                    lambda client: anext(client.watch("match")),
                    lambda client: first_news(client),
                ]
                for call in calls:
                    client, began = self.connect(address), time.monotonic()
                    with self.subTest(address=address), self.assertRaises(ConnectError) as caught:
                        await call(client)
                    self.assertLess(time.monotonic() - began, 2)
                    self.assertEqual(caught.exception.address, address)
                    self.assertIn(f"no server answers at {address}: ", str(caught.exception))
                    self.assertIn("`make run`", str(caught.exception))
                if address == addresses[0]:
                    self.assertIn("refused", str(caught.exception))

    async def test_a_server_that_comes_in_time(self) -> None:
        """A client that was refused before finds the server once it is there."""
        self.server.kill()
        client = self.connect(self.relay.address, retry=RetryPolicy(connect_seconds=0.5))
        with self.assertRaises(ConnectError):
            await client.games()
        self.server.start()
        self.relay.move_to(self.server.address)
        self.assertTrue(await client.games())


class NewerServer(Scenario):
    """Against a server that is newer than the client."""

    fake_alone = True

    async def test_a_view_is_asked_for_where_events_do_not_give_it(self) -> None:
        assert isinstance(self.server, FakeServer)
        north, south = await self.seats()
        self.server.service.unknown_changes = 1
        async with self.client.play() as stream:
            mine = stream.open(north)
            while (news := await anext(stream)).legal is None:
                pass
            mine.apply([news.legal.ids[0]])
            await anext(stream)
            self.assertEqual(self.server.service.unknown_changes, 0)
            self.assertEqual(mine.view, (await north.view()).view)
            await south.resign()
            async for _ in stream:
                pass
            self.assertEqual(mine.view, (await north.view()).view)


async def first_news(client: aio.Client) -> object:
    async with client.play() as stream:
        stream.open("ehs_any")
        return await anext(stream)


load_tests = over_both(Connections, NewerServer)
