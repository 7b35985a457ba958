"""The calls that need the rules and the dice of the real server: games, entropy, seeds, reflection."""

from __future__ import annotations

from datetime import timedelta

import grpc
from google.protobuf.duration_pb2 import Duration
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from edgehill import FULL, PlayedSeat, Unverified, check_dice, dice, house_bot, invited_seat, match_plan, open_seat, v1
from edgehill.random_bot import RandomBot
from running import AgainstServer
from scenario import Scenario, over_server


class Timed(RandomBot):
    """Notes the time that it has, twice for each choice."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.told: list[tuple[timedelta | None, timedelta | None]] = []

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> int:
        self.told.append((seat.time_left, seat.time_left))
        return super().choose(seat, legal)


class ServerCalls(Scenario):
    """Against one server."""

    async def test_games_and_options(self) -> None:
        games = {game.id for game in await self.client.games()}
        self.assertLessEqual({"skirmish", "english-civil-war-iia"}, games)
        made = await self.client.create("english-civil-war-iia", options={"max_seasons": 3})
        option = {option.id: option.value for option in made.match.config.options}
        self.assertEqual(option["max_seasons"], "3")
        cards = {card.id: list(card.rules_text) for card in (await self.client.game("cruel-necessity")).cards}
        self.assertTrue(all(cards.values()))

    async def test_entropy_that_is_committed_to(self) -> None:
        mode = v1.ENTROPY_MODE_COMMIT_REVEAL
        made = await self.client.create("skirmish", entropy_mode=mode, seats=[open_seat(), invited_seat()])
        match, invitation = made.match.config.match_id, made.invitations[0].invitation
        with self.assertRaises(ValueError):
            await self.client.join(match, invitation=invitation)
        north = await self.client.join(match)
        south = await self.client.join(match, seat=1, invitation=invitation)
        state = (await self.client.get(match)).state
        self.assertEqual(state.status, v1.MATCH_STATUS_REVEALING)
        for number, seat in enumerate((north, south)):
            bound = dice.entropy_commitment(match, number, seat.entropy)
            self.assertEqual(state.seats[number].entropy_commitment, bound)
        await north.reveal_entropy()
        self.assertTrue((await south.reveal_entropy(response_options=FULL)).update.to_act)
        await south.resign()
        state, text = (await self.client.get(match)).state, (await self.client.record(match)).text
        config = made.match.config
        self.assertEqual(check_dice(config, state, text, entropies={0: north.entropy}).rolls, 0)
        state.seats[1].entropy_commitment = bytes(32)
        with self.assertRaisesRegex(Unverified, "entropy commitment of seat 1"):
            check_dice(config, state, text)

    async def test_a_clock_is_shown_with_each_question(self) -> None:
        clock = v1.ClockConfig()
        clock.bank.FromSeconds(600)
        clock.increment.FromSeconds(5)
        made = await self.client.create("skirmish", clock=clock)
        self.assertEqual(made.match.config.clock.bank.seconds, 600)
        self.assertEqual(made.match.config.clock.at_end, v1.TIMEOUT_RULE_DEFAULT_ACTION)
        match = made.match.config.match_id
        north, south = [await self.client.join(match) for _ in range(2)]
        legal = await north.legal()
        update = await north.apply([legal.legal_actions.ids[0]])
        self.assertTrue(update.to_act)
        self.assertGreater(update.time_left.left.seconds, 500)
        state = (await self.client.get(match)).state
        self.assertEqual([one.bank.seconds for one in state.clocks], [600, 600])
        self.assertTrue(all(one.HasField("answer_deadline") for one in state.clocks))
        await south.resign()

    async def test_a_bot_sees_the_time_that_it_has_left(self) -> None:
        for clock in (v1.ClockConfig(bank=Duration(seconds=600)), None):
            match = (await self.client.create("skirmish", clock=clock)).match.config.match_id
            bots = {await self.client.join(match): Timed(seed) for seed in (1, 2)}
            await self.run_bots(bots)
            for first, second in [told for bot in bots.values() for told in bot.told]:
                if clock is None:
                    self.assertEqual((first, second), (None, None))
                else:
                    assert first is not None and second is not None
                    self.assertTrue(timedelta(minutes=5) < second <= first <= timedelta(minutes=10))
            self.assertTrue(all(bot.told for bot in bots.values()))

    async def test_a_chosen_seed_is_shown_as_one(self) -> None:
        seed = bytes(range(32))
        config = (await self.client.create("skirmish", chosen_seed=seed)).match.config
        north, _ = [await self.client.join(config.match_id) for _ in range(2)]
        self.assertEqual((config.dice.origin, north.entropy), (v1.SEED_ORIGIN_CHOSEN, b""))
        await north.resign()
        state, text = (await self.client.get(north.match_id)).state, (await self.client.record(north.match_id)).text
        cards = [card.id for card in (await self.client.game("skirmish")).cards]
        checked = check_dice(config, state, text, bags={0: cards[:6]})
        self.assertEqual((checked.seed, checked.draws), (seed, 4))

    async def test_a_mirrored_pair_and_a_match_beside_it_are_made_in_one_call(self) -> None:
        places = [v1.GroupPlace(group=0, seat_entrants=entrants) for entrants in ([0, 1], [1, 0])]
        plans = [match_plan("skirmish", group=place) for place in places]
        plans.append(match_plan("english-civil-war-iia", options={"max_seasons": 3}, seats=[invited_seat()]))
        groups = [v1.GroupPlan(entrants=2)]
        made = await self.client.create_all(plans, groups=groups, request_id="pairings-1")
        self.assertEqual([one.match.config.game for one in made], ["skirmish", "skirmish", "english-civil-war-iia"])
        self.assertEqual(made[0].match.config.dice.commitment, made[1].match.config.dice.commitment)
        self.assertEqual([len(one.invitations) for one in made], [0, 0, 1])
        again = await self.client.create_all(plans, groups=groups, request_id="pairings-1")
        self.assertEqual(again, made)
        entropies = [bytes([1]) * 32, bytes([2]) * 32]
        for one, place in zip(made[:2], places, strict=True):
            for seat, entrant in enumerate(place.seat_entrants):
                await self.client.join(one.match.config.match_id, seat=seat, entropy=entropies[entrant])
        for one in made[:2]:
            state = (await self.client.get(one.match.config.match_id)).state
            self.assertEqual(state.status, v1.MATCH_STATUS_RUNNING)
        call = self.client.create_all([match_plan("skirmish"), match_plan("skirmish", seats=[house_bot("clever")])])
        refused = await self.refused(v1.ERROR_REASON_UNKNOWN_BOT, call)
        self.assertIn("matches[1].seats[0].bot", [violation.field for violation in refused.refusal.field_violations])

    async def test_a_rematch_has_the_sides_swapped(self) -> None:
        match = (await self.client.create("skirmish")).match.config.match_id
        north, south = [await self.client.join(match) for _ in range(2)]
        await self.refused(v1.ERROR_REASON_MATCH_RUNNING, north.rematch())
        await north.resign()
        offered = [await seat.rematch() for seat in (south, north)]
        self.assertEqual([one.seat for one in offered], [0, 1])
        again = offered[0].match.config.match_id
        self.assertEqual(offered[1].match.config.match_id, again)
        taken = [await self.client.join(again, seat=one.seat, invitation=one.invitation) for one in offered]
        self.assertEqual([seat.number for seat in taken], [0, 1])
        self.assertEqual((await self.client.get(again)).state.status, v1.MATCH_STATUS_RUNNING)

    async def test_a_seed_group_has_one_seed(self) -> None:
        group = v1.SeedGroup(matches=2, entrants=2, seat_entrants=[0, 1])
        first = (await self.client.create("skirmish", group=group)).match.config
        group = v1.SeedGroup(group_id=first.dice.group.group_id, seat_entrants=[1, 0])
        second = (await self.client.create("skirmish", group=group)).match.config
        given = [bytes([1]) * 32, bytes([2]) * 32]
        seats = {}
        for config in (first, second):
            entropies = [given[entrant] for entrant in config.dice.group.seat_entrants]
            seats[config.match_id] = [
                await self.client.join(config.match_id, seat=seat, entropy=entropy)
                for seat, entropy in enumerate(entropies)
            ]

        async def check(config: v1.MatchConfig) -> bytes:
            state = (await self.client.get(config.match_id)).state
            text = (await self.client.record(config.match_id)).text
            entropies = {number: seat.entropy for number, seat in enumerate(seats[config.match_id])}
            return check_dice(config, state, text, entropies=entropies).seed

        await seats[first.match_id][0].resign()
        with self.assertRaisesRegex(Unverified, "seed group"):
            await check(first)
        await seats[second.match_id][0].resign()
        self.assertEqual(await check(first), await check(second))


class Reflection(AgainstServer):
    """The server's own description."""

    def test_reflection_lists_the_services(self) -> None:
        with grpc.insecure_channel(self.server.address) as channel:
            database = ProtoReflectionDescriptorDatabase(channel)
            services = set(database.get_services())
            self.assertLessEqual(
                {"edgehill.v1.CatalogService", "edgehill.v1.MatchService", "grpc.health.v1.Health"}, services
            )


load_tests = over_server(ServerCalls)
