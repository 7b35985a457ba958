"""Competitions on a server with accounts."""

from __future__ import annotations

import json
import unittest

import edgehill
import edgehill.aio
from edgehill import Refused, RetryPolicy, v1
from edgehill.watch_session import CompetitionWatchSession
from test_admin import GuardedServer, account


def settings() -> v1.CompetitionSettings:
    """A round robin of the training game."""
    return v1.CompetitionSettings(
        name="Spring cup",
        game="skirmish",
        format=v1.CompetitionFormat(round_robin=v1.RoundRobinFormat(cycles=1)),
        policy=v1.CompetitionPolicy(house_bots=True),
    )


class Competitions(unittest.IsolatedAsyncioTestCase):
    """A competition from its making to its export, by calls and awaited."""

    def setUp(self) -> None:
        server = GuardedServer()
        self.addCleanup(server.close)
        self.address = server.address
        chief = self.enterContext(edgehill.Client(server.address, key=server.chief))
        self.umpire = account(chief, "umpire", v1.ACCOUNT_ROLE_REFEREE)
        self.ada = account(chief, "ada", v1.ACCOUNT_ROLE_PLAYER)

    def test_an_entrant_finds_its_match_plays_it_and_stands_in_the_standings(self) -> None:
        umpire = self.enterContext(edgehill.Client(self.address, key=self.umpire))
        ada = self.enterContext(edgehill.Client(self.address, key=self.ada))
        made = umpire.create_competition(settings())
        self.assertTrue(made.is_mine)
        self.assertEqual(ada.enrol_entrant(made.id, name="Countess").number, 1)
        self.assertEqual(umpire.enrol_entrant(made.id, house_bot="random", rating=1500).house_bot, "random")
        with self.assertRaises(Refused) as refused:
            ada.start_competition(made.id)
        self.assertEqual(refused.exception.reason, v1.ERROR_REASON_NOT_ALLOWED)
        umpire.start_competition(made.id)
        with ada.watch_account() as watch:
            match = next(told.match.match.config for told in watch if told.HasField("match"))
        self.assertEqual((match.competition.competition_id, match.competition.slot), (made.id, "1.1.1"))
        ada.join(match.match_id).resign()
        with umpire.watch_competition(made.id) as news:
            events = [event for told in news for event in told.events]
            self.assertEqual(news.event, len(events))
        self.assertEqual([event.number for event in events], list(range(1, len(events) + 1)))
        self.assertEqual(events[-1].kind, v1.COMPETITION_EVENT_KIND_FINISHED)
        rows = umpire.standings(made.id, cross_table_of=1)
        self.assertEqual([row.name for row in rows.rows], ["random", "Countess"])
        self.assertEqual([cell.entrant for cell in rows.cross_table], [2])
        [encounter] = umpire.encounters(made.id)
        self.assertEqual(encounter.matches[0].verdict.kind, v1.VERDICT_KIND_LOSS)
        document = json.loads(umpire.export_competition(made.id))
        self.assertEqual(document["standings"][0]["name"], "random")

    async def test_the_same_awaited(self) -> None:
        async with edgehill.aio.Client(self.address, key=self.umpire) as umpire:
            made = await umpire.create_competition(settings())
            for name in ("a", "b"):
                await umpire.enrol_entrant(made.id, house_bot="random", name=name)
            self.assertEqual([one.id for one in await umpire.competitions()], [made.id])
            async with umpire.watch_competition(made.id, after_event=2) as news:
                told = await anext(news)
                self.assertEqual([(event.number, event.name) for event in told.events], [(3, "b")])
                cancelled = await umpire.cancel_competition(made.id, reason="rain")
                self.assertEqual(cancelled.cancel_reason, "rain")
                last = [response.competition.phase async for response in news][-1]
                self.assertEqual((last, news.event), (v1.COMPETITION_PHASE_CANCELLED, 4))
            self.assertIn("Spring cup", await umpire.export_competition(made.id, form=v1.COMPETITION_EXPORT_HTML))


class CompetitionCursors(unittest.TestCase):
    """What a reader gets over several connections."""

    def test_a_new_connection_brings_nothing_twice(self) -> None:
        session = CompetitionWatchSession(RetryPolicy(), "id", 0)

        def message(*numbers: int, round: int) -> v1.WatchCompetitionResponse:
            events = [v1.CompetitionEvent(number=number) for number in numbers]
            return v1.WatchCompetitionResponse(events=events, competition=v1.Competition(id="id", round=round))

        self.assertIsNotNone(session.take(message(1, 2, round=0)))
        self.assertEqual(session.request.after_event, 2)
        # A connection begins with the competition as it is.
        self.assertIsNone(session.take(message(round=0)))
        self.assertIsNotNone(session.take(message(round=1)))
        self.assertIsNotNone(session.take(message(3, round=1)))
        self.assertEqual(session.request.after_event, 3)


if __name__ == "__main__":
    unittest.main()
