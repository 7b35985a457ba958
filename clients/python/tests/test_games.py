"""Whole games between two bots over `Play`, and what follows from them: the fold law, the record, the dice."""

from __future__ import annotations

import unittest
from collections.abc import Mapping

from edgehill import Bot, Client, PlayedSeat, Seat, Unverified, check_dice, fold, play, v1
from edgehill.random_bot import RandomBot
from running import Server


class Follower(RandomBot):
    """Plays by lot, and keeps all that it hears and the view that the stream kept for it."""

    follow = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.events: list[v1.Event] = []
        self.view: v1.View | None = None
        self.state = v1.MatchState()

    def hear(self, seat: PlayedSeat, event: v1.Event) -> None:
        self.events.append(event)

    def over(self, seat: PlayedSeat) -> None:
        self.view, self.state = seat.view, seat.state


class Games(unittest.TestCase):
    """One server for all games."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.client = Client(cls.server.address)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()
        cls.server.close()

    def played(self, game: str, options: Mapping[str, str | int | bool]) -> tuple[v1.CreateResponse, list[Seat], list[Follower]]:
        """A match of two bots, played to its end over one stream."""
        made = self.client.create(game, options=options)
        seats = [self.client.join(made.terms.match_id, player=name) for name in ("Ann", "Jörg")]
        bots = [Follower(1), Follower(2)]
        before: list[Bot] = list(bots)
        play(self.client, dict(zip(seats, before)))
        return made, seats, bots

    def holds_the_fold_law(self, seats: list[Seat]) -> None:
        """The view at the start with all events folded over it is the view now, for each observer, as messages."""
        match = seats[0].match_id
        observers = [(seat.view, seat.watch) for seat in seats]
        for observer, (view, watch) in enumerate(observers):
            with self.subTest(seat=observer):
                self.folds(view(start=True), view(), list(watch(after_seq=0)))
        with self.subTest(observer="spectator"):
            events = list(self.client.watch(match, after_seq=0))
            self.folds(self.client.view(match, start=True), self.client.view(match), events)

    def folds(self, start: v1.ViewResponse, now: v1.ViewResponse, items: list[v1.MatchState | v1.Snapshot | v1.Event]) -> None:
        events = [item for item in items if isinstance(item, v1.Event)]
        self.assertEqual([event.seq for event in events], list(range(1, now.seq + 1)))
        self.assertNotEqual(start.view, now.view)
        for event in events:
            fold(start.view, event)
        self.assertEqual(start.view, now.view)

    def agree(self, seats: list[Seat], bots: list[Follower]) -> None:
        """What the stream told each bot is what the server says."""
        state = self.client.get(seats[0].match_id).state
        self.assertEqual(state.status, v1.MATCH_STATUS_OVER)
        self.assertEqual(sum(state.ending.returns), 0)
        for seat, bot in zip(seats, bots):
            self.assertEqual(bot.state.ending, state.ending)
            now = seat.view()
            self.assertEqual(bot.view, now.view)
            self.assertEqual([event.seq for event in bot.events], list(range(1, now.seq + 1)))

    def test_civil_war(self) -> None:
        made, seats, bots = self.played("english-civil-war-iia", {"max_seasons": 2})
        self.agree(seats, bots)
        self.holds_the_fold_law(seats)
        record = self.client.record(seats[0].match_id)
        self.assertTrue(record.complete)
        entropies = {number: seat.entropy for number, seat in enumerate(seats)}
        checked = check_dice(made.terms, bots[0].state, record.text, entropies=entropies)
        self.assertEqual((checked.rolls, checked.draws, checked.unchecked), (0, 0, ()))

    def test_skirmish(self) -> None:
        made, seats, bots = self.played("skirmish", {})
        self.agree(seats, bots)
        self.holds_the_fold_law(seats)
        self.check_every_die(made.terms, seats, bots)

    def check_every_die(self, published: v1.MatchTerms, seats: list[Seat], bots: list[Follower]) -> None:
        state, record = bots[0].state, self.client.record(seats[0].match_id)
        cards = [card.id for card in self.client.game("skirmish").cards]
        # The stretches of the deck: six cards of dawn, and six of dusk.
        bags = {0: cards[:6], 1: [""] * 6 + cards[6:]}
        entropies = {number: seat.entropy for number, seat in enumerate(seats)}
        for bot in bots:
            checked = check_dice(
                published, state, record.text, entropies=entropies, events=bot.events, bags=bags
            )
            self.assertEqual(checked.unchecked, ())
            self.assertGreaterEqual(checked.draws, 4)
        self.assertEqual(checked.rolls, record.text.count("\ndice 3/"))

        other = v1.MatchTerms()
        other.CopyFrom(published)
        other.dice.commitment = bytes(32)
        self.refuses("commitment", other, state, record.text)
        self.refuses("entropy of seat 1", published, state, record.text, entropies={1: bytes(32)})
        self.refuses("draw 0/0", published, state, record.text, bags={0: cards[6:]})
        self.refuses("dice 3/", published, state, record.text, sides=8)
        left_out = "\n".join(line for line in record.text.split("\n") if not line.startswith("draw 0/1:"))
        self.refuses("0/2", published, state, left_out)

    def refuses(
        self,
        what: str,
        published: v1.MatchTerms,
        state: v1.MatchState,
        text: str,
        *,
        entropies: dict[int, bytes] | None = None,
        bags: dict[int, list[str]] | None = None,
        sides: int = 6,
    ) -> None:
        with self.assertRaisesRegex(Unverified, what):
            check_dice(published, state, text, entropies=entropies, bags=bags, sides=sides)


class WithoutADie(unittest.TestCase):
    """Before the seed is revealed there is nothing to check, and that is an error."""

    def test_running(self) -> None:
        with self.assertRaises(Unverified):
            check_dice(v1.MatchTerms(), v1.MatchState(), "edgehill record 1\nstart [0000000000000000]\n")


if __name__ == "__main__":
    unittest.main()
