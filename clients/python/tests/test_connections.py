"""Answers that are lost, servers that are killed: nothing happens twice, nothing is missed, nothing comes twice."""

from __future__ import annotations

import threading
import unittest
import unittest.mock
from collections.abc import Callable
from typing import TypeVar

from edgehill import CallFailed, Client, Refused, Retry, Seat, fold, v1
from edgehill.random_bot import RandomBot
from running import Relay, Server

Answer = TypeVar("Answer")


class Connections(unittest.TestCase):
    """A server of its own for each test, behind a relay."""

    def setUp(self) -> None:
        self.server = Server()
        self.addCleanup(self.server.close)
        self.relay = self.enterContext(Relay(self.server.address))
        self.client = self.enterContext(Client(self.relay.address))

    def seats(self) -> tuple[Seat, Seat]:
        match = self.client.create("skirmish").terms.match_id
        return self.client.join(match), self.client.join(match)

    def restart(self) -> None:
        """Kills the server, and starts it again over the same store."""
        self.server.kill()
        self.server.start()
        self.relay.move_to(self.server.address)

    def while_answers_are_lost(self, call: Callable[[], Answer], until: Callable[[Client], None]) -> Answer:
        """Makes a call whose answer is lost.

        The server is killed when `until` has seen, by a way of its own, that the call went through, and is started
        again; then the call's repetition gets an answer.
        """
        answers: list[Answer] = []
        self.relay.lose_answers()
        caller = threading.Thread(target=lambda: answers.append(call()))
        caller.start()
        with Client(self.server.address) as direct:
            until(direct)
        self.restart()
        caller.join()
        return answers[0]

    def test_apply_happens_once(self) -> None:
        north, _ = self.seats()
        seq, action = north.view().seq, north.legal().legal.ids[0]

        def until(direct: Client) -> None:
            for item in direct.seat(north.match_id, north.token).watch(after_seq=seq):
                if isinstance(item, v1.Event):
                    return

        answer = self.while_answers_are_lost(lambda: north.apply(action), until)
        self.assertEqual(answer.applied, 1)
        now = north.view()
        self.assertEqual((now.seq, list(now.view.draft)), (seq + 1, [action]))
        # With an id of its own it would have been refused: a card is picked already.
        with self.assertRaises(Refused) as caught:
            north.apply(action)
        self.assertEqual(caught.exception.reason, v1.ERROR_REASON_ILLEGAL_ACTION)

    def test_create_happens_once(self) -> None:
        self.client.games()

        def until(direct: Client) -> None:
            while not list(direct.matches()):
                pass

        made = self.while_answers_are_lost(lambda: self.client.create("skirmish"), until)
        self.assertEqual([entry.terms for entry in self.client.matches()], [made.terms])

    def test_join_happens_once(self) -> None:
        match = self.client.create("skirmish").terms.match_id
        look, looked = self.client.get, threading.Event()

        def look_and_lose(match_id: str) -> v1.GetResponse:
            """A join looks at the match first; the answer to lose is the one after that."""
            answer = look(match_id)
            self.relay.lose_answers()
            looked.set()
            return answer

        seats: list[Seat] = []
        with unittest.mock.patch.object(self.client, "get", look_and_lose):
            caller = threading.Thread(target=lambda: seats.append(self.client.join(match)))
            caller.start()
            looked.wait()
            with Client(self.server.address) as direct:
                while not direct.get(match).state.seats[0].joined:
                    pass
            self.restart()
            caller.join()
        self.assertEqual(seats[0].joined and seats[0].joined.seat, 0)
        self.assertEqual([seat.joined for seat in self.client.get(match).state.seats], [True, False])
        self.assertEqual(seats[0].get().state.status, v1.MATCH_STATUS_WAITING)

    def test_watch_resumes(self) -> None:
        north, south = self.seats()
        watch = north.watch()
        self.assertIsInstance(next(watch), v1.MatchState)
        snapshot = next(watch)
        assert isinstance(snapshot, v1.Snapshot)
        view, seen = snapshot.view, [snapshot.seq]

        def follow(until: int) -> None:
            while seen[-1] < until:
                item = next(watch)
                if isinstance(item, v1.Event):
                    fold(view, item)
                    seen.append(item.seq)

        north.apply(north.legal().legal.ids[0])
        follow(north.view().seq)
        self.restart()
        north.apply("done")
        card = south.legal(v1.LEGAL_DETAIL_NOTATION).legal.notations[0]
        south.apply(f"{card}; done")
        now = north.view()
        follow(now.seq)
        self.assertEqual(seen, list(range(snapshot.seq, now.seq + 1)))
        self.assertEqual(view, now.view)

        # It says so when the match is over, and ends.
        south.resign()
        rest = list(watch)
        self.assertEqual(watch.seq, north.view().seq)
        states = [item for item in rest if isinstance(item, v1.MatchState)]
        self.assertEqual(states[-1].status, v1.MATCH_STATUS_FINISHED)
        watch.close()

    def test_watch_resumes_after_an_orderly_stop(self) -> None:
        north, _ = self.seats()
        with north.watch() as watch:
            self.assertIsInstance(next(watch), v1.MatchState)
            self.assertIsInstance(next(watch), v1.Snapshot)
            self.server.stop()
            self.server.start()
            self.relay.move_to(self.server.address)
            north.apply(north.legal().legal.ids[0])
            event = next(watch)
            assert isinstance(event, v1.Event)
            self.assertEqual(event.seq, north.view().seq)

    def test_a_watch_is_closed_from_elsewhere(self) -> None:
        north, _ = self.seats()
        watch = north.watch()
        self.assertIsInstance(next(watch), v1.MatchState)
        self.assertIsInstance(next(watch), v1.Snapshot)
        closer = threading.Thread(target=watch.close)
        closer.start()
        self.assertEqual(list(watch), [])
        closer.join()

    def test_play_goes_on(self) -> None:
        """A server that is killed with every tenth call under way: both bots finish, and have heard everything once."""
        north, south = self.seats()
        bots = {north.token: RandomBot(3), south.token: RandomBot(4)}
        heard: dict[str, list[int]] = {north.token: [], south.token: []}
        calls = 0
        with self.client.play() as stream:
            played = [stream.open(north), stream.open(south)]
            for news in stream:
                heard[news.seat.token] += [event.seq for event in news.events]
                self.assertIsNone(news.refused)
                if news.legal is not None:
                    calls += 1
                    if calls % 10 == 0:
                        self.relay.lose_answers()
                    news.seat.apply(bots[news.seat.token].choose(news.seat, news.legal))
                    if calls % 10 == 0:
                        self.restart()
        self.assertGreater(calls, 20)
        for seat, mine in zip((north, south), played):
            now = seat.view()
            self.assertEqual(mine.view, now.view)
            self.assertEqual(mine.state.status, v1.MATCH_STATUS_FINISHED)
            first = now.seq - len(heard[seat.token]) + 1
            self.assertEqual(heard[seat.token], list(range(first, now.seq + 1)))

    def test_patience_ends(self) -> None:
        north, _ = self.seats()
        self.server.kill()
        with Client(self.relay.address, retry=Retry(patience_seconds=0)) as hasty:
            with self.assertRaises(CallFailed):
                hasty.games()
            with self.assertRaises(CallFailed):
                next(hasty.watch(north.match_id))
            with hasty.play() as stream:
                stream.open(north)
                with self.assertRaises(CallFailed):
                    next(stream)


if __name__ == "__main__":
    unittest.main()
