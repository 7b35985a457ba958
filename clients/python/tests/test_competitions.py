"""Competitions on a server with accounts."""

from __future__ import annotations

import json
import unittest

import edgehill
import edgehill.aio
from edgehill import Refused, v1
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
        while umpire.competition(made.id).competition.phase != v1.COMPETITION_PHASE_FINISHED:
            pass
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
            cancelled = await umpire.cancel_competition(made.id, reason="rain")
            self.assertEqual(cancelled.cancel_reason, "rain")
            self.assertIn("Spring cup", await umpire.export_competition(made.id, form=v1.COMPETITION_EXPORT_HTML))


if __name__ == "__main__":
    unittest.main()
