"""Whole games between bots, and what follows from them: the fold law, the record, the dice."""

from __future__ import annotations

import re
import unittest
from collections.abc import Mapping

from edgehill import Bot, PlayedSeat, Unverified, ViewTracker, aio, check_dice, v1
from edgehill.random_bot import RandomBot
from forging import example, resealed
from scenario import Scenario, over_server


class Follower(RandomBot):
    """Plays at random, and keeps all events and the view that the stream kept for it."""

    omit_events = False

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.events: list[v1.Event] = []
        self.view: v1.View | None = None
        self.state = v1.MatchState()

    def on_event(self, seat: PlayedSeat, event: v1.Event) -> None:
        self.events.append(event)

    def on_finished(self, seat: PlayedSeat) -> None:
        self.view, self.state = seat.view, seat.state


class Games(Scenario):
    """One server for all games."""

    async def played(
        self, game: str, options: Mapping[str, str | int | bool], mode: v1.EntropyMode = v1.ENTROPY_MODE_OPEN
    ) -> tuple[v1.CreateMatchResponse, list[aio.Seat], list[Follower]]:
        """A match of two bots, played to its end over one stream."""
        made = await self.client.create(game, options=options, entropy_mode=mode)
        seats = [await self.client.join(made.match.config.match_id, player=name) for name in ("Ann", "Jörg")]
        bots = [Follower(1), Follower(2)]
        by_seat: dict[aio.Seat, Bot] = dict(zip(seats, bots))
        reports = await self.run_bots(by_seat)
        self.assertEqual([report.seat for report in reports], [0, 1])
        for report, bot in zip(reports, bots):
            self.assertEqual(report.match_id, made.match.config.match_id)
            self.assertEqual((report.status, report.result), (v1.MATCH_STATUS_FINISHED, bot.state.result))
            self.assertGreater(report.actions, 0)
        return made, seats, bots

    async def holds_the_fold_law(self, seats: list[aio.Seat]) -> None:
        """The view at the start with all events folded over it is the view now, for each observer, as messages."""
        match = seats[0].match_id
        for observer, seat in enumerate(seats):
            with self.subTest(seat=observer):
                await self.folds(await seat.view(at_seq=0), await seat.view(), seat.watch(after_seq=0))
        with self.subTest(observer="spectator"):
            start, now = await self.client.view(match, at_seq=0), await self.client.view(match)
            await self.folds(start, now, self.client.watch(match, after_seq=0))

    async def folds(self, start: v1.GetViewResponse, now: v1.GetViewResponse, watch: aio.Watch) -> None:
        tracker, seen = ViewTracker(start), list[int]()
        async for update in watch:
            tracker.fold(update)
            seen += [event.seq for event in update.events]
        self.assertEqual(seen, list(range(1, now.seq + 1)))
        self.assertNotEqual(start.view, now.view)
        self.assertEqual((tracker.view, tracker.seq), (now.view, now.seq))

    async def agree(self, seats: list[aio.Seat], bots: list[Follower]) -> None:
        """Asserts that the stream sent each bot what the server says."""
        state = (await self.client.get(seats[0].match_id)).state
        self.assertEqual(state.status, v1.MATCH_STATUS_FINISHED)
        self.assertEqual(sum(state.result.returns), 0)
        for seat, bot in zip(seats, bots):
            self.assertEqual(bot.state.result, state.result)
            now = await seat.view()
            self.assertEqual(bot.view, now.view)
            seen = [event.seq for event in bot.events]
            # Events from before the seat was opened are in the view that it began with.
            self.assertEqual(seen, list(range(seen[0], now.seq + 1)))

    async def test_civil_war(self) -> None:
        made, seats, bots = await self.played("english-civil-war-iia", {"max_seasons": 2})
        await self.agree(seats, bots)
        await self.holds_the_fold_law(seats)
        record = await self.client.record(seats[0].match_id)
        self.assertTrue(record.complete)
        entropies = {number: seat.entropy for number, seat in enumerate(seats)}
        key = await self.client.signing_key()
        state = bots[0].state
        checked = check_dice(made.match.config, state, record.text, entropies=entropies, signing_key=key)
        self.assertEqual((checked.rolls, checked.draws, checked.unchecked), (0, 0, ()))
        self.assertEqual(list(checked.unchecked_parts), ["rules"])
        unsigned = check_dice(made.match.config, state, resealed(record.text), entropies=entropies)
        self.assertEqual(set(unsigned.unchecked_parts), {"rules", "entropy", "end", "names", "host's word"})
        for named, what in (("Ann", "the names"), ('grade "', "the result")):
            changed = resealed(record.text.replace(named, named + "x"))
            with self.assertRaisesRegex(Unverified, what):
                check_dice(made.match.config, state, changed, entropies=entropies)

    async def test_skirmish(self) -> None:
        # Its dice are the server's, and a match may end before there were two rolls.
        for _ in range(50):
            # The bots reveal their entropy, too.
            made, seats, bots = await self.played("skirmish", {}, v1.ENTROPY_MODE_COMMIT_REVEAL)
            text = (await self.client.record(seats[0].match_id)).text
            if text.count("\ndice 3/") > 1:
                break
        await self.agree(seats, bots)
        await self.holds_the_fold_law(seats)
        cards = [card.id for card in (await self.client.game("skirmish")).cards]
        entropies = {number: seat.entropy for number, seat in enumerate(seats)}
        self.check_every_die(made.match.config, entropies, cards, bots, text)

    def check_every_die(
        self,
        published: v1.MatchConfig,
        entropies: dict[int, bytes],
        cards: list[str],
        bots: list[Follower],
        text: str,
    ) -> None:
        state = bots[0].state
        # The stretches of the deck: six cards of dawn, and six of dusk.
        bags = {0: cards[:6], 1: [""] * 6 + cards[6:]}
        for bot in bots:
            checked = check_dice(published, state, text, entropies=entropies, events=bot.events, bags=bags)
            self.assertEqual(checked.draws, len(re.findall(r"^draw [01]/", text, re.MULTILINE)))
            self.assertEqual(checked.rolls, len(re.findall(r"^dice \d", text, re.MULTILINE)))
            # The back that is meant among several is a choice among those that the rules know.
            self.assertEqual(len(checked.unchecked), len(re.findall(r"^draw 3/", text, re.MULTILINE)))

        other = v1.MatchConfig()
        other.CopyFrom(published)
        other.dice.commitment = bytes(32)
        self.refuses("commitment", other, state, text)
        self.refuses("entropy of seat 1", published, state, text, entropies={1: bytes(32)})
        self.refuses("draw 0/0", published, state, text, bags={0: cards[6:]})
        self.refuses("the digest of the text", published, state, text.replace("game skirmish", "game chess"))
        self.refuses("the commitment", published, state, resealed(text.replace("game skirmish", "game chess")))
        first = re.search(r"^dice (\d+/\d+): (\d)", text, re.MULTILINE)
        assert first is not None
        face = str(int(first.group(2)) % 6 + 1)
        changed = text.replace(first.group(), first.group()[:-1] + face)
        self.refuses(f"the dice {first.group(1)}", published, state, resealed(changed))
        left_out = re.sub(r"^dice \d.*\n", "", text, count=1, flags=re.MULTILINE)
        self.refuses("the number of the dice", published, state, resealed(left_out))
        unseen = v1.Event(seq=7, chance_ref=v1.ChanceRef(stream=3, n=999))
        with self.assertRaisesRegex(Unverified, "draw 3/999"):
            check_dice(published, state, text, events=[unseen])

    def refuses(
        self,
        what: str,
        published: v1.MatchConfig,
        state: v1.MatchState,
        text: str,
        *,
        entropies: dict[int, bytes] | None = None,
        bags: dict[int, list[str]] | None = None,
    ) -> None:
        with self.assertRaisesRegex(Unverified, what):
            check_dice(published, state, text, entropies=entropies, bags=bags)


class WithoutADie(unittest.TestCase):
    """Before the seed is revealed there is nothing to check, and that is an error."""

    def test_running(self) -> None:
        with self.assertRaisesRegex(Unverified, "the seed is not revealed"):
            check_dice(v1.MatchConfig(), v1.MatchState(), example())


load_tests = over_server(Games)
