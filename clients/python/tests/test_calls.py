"""The calls one by one: the catalogue, lists, refusals, drafts, draws, standing passes, entropy, reflection."""

from __future__ import annotations

import unittest

import grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from edgehill import (
    FULL,
    Refused,
    Retry,
    Seat,
    Unverified,
    check_dice,
    dice,
    house_bot,
    invited_seat,
    open_seat,
    v1,
)
from edgehill.errors import CallFailed
from edgehill.retry import asked_pause
from edgehill.wire import address
from running import ROOT, AgainstServer


class Calls(AgainstServer):
    """Against one server."""

    def seats(self) -> tuple[Seat, Seat]:
        match = self.client.create("skirmish").terms.match_id
        return self.client.join(match), self.client.join(match)

    def refused(self, reason: v1.ErrorReason) -> _Refusing:
        return _Refusing(self, reason)

    def test_catalogue(self) -> None:
        games = {game.id: game for game in self.client.games()}
        self.assertLessEqual({"skirmish", "english-civil-war-iia"}, set(games))
        bare = self.client.game("skirmish")
        self.assertEqual(bare.summary, games["skirmish"])
        self.assertFalse(bare.HasField("actions") or bare.rules)
        whole = self.client.game("skirmish", actions=True, rules=True)
        self.assertEqual(len(whole.actions.actions), whole.actions.total)
        self.assertTrue(whole.rules)
        limits = self.client.limits()
        self.assertEqual(limits[v1.LIMIT_NAME_LIST_ACTIONS], 256)
        self.assertEqual(set(limits), set(v1.LimitName.values()) - {v1.LIMIT_NAME_UNSPECIFIED})

    def test_list_goes_through_all_pages(self) -> None:
        made = [
            self.client.create("english-civil-war-iia", options={"max_seasons": 3}).terms.match_id for _ in range(7)
        ]
        self.client.join(made[0])
        listed = list(self.client.matches(game="english-civil-war-iia", page_size=3))
        self.assertEqual([entry.terms.match_id for entry in listed], made[::-1])
        statuses = [v1.MATCH_STATUS_RUNNING]
        self.assertEqual(list(self.client.matches(game="english-civil-war-iia", statuses=statuses)), [])
        option = {option.id: option.value for option in listed[0].terms.options}
        self.assertEqual(option["max_seasons"], "3")
        with self.refused(v1.ERROR_REASON_INVALID_FIELD):
            next(self.client.matches(page_size=100_000))

    def test_refusals_are_decoded(self) -> None:
        with self.refused(v1.ERROR_REASON_UNKNOWN_GAME) as caught:
            self.client.create("chess")
        self.assertEqual((caught.error.name, caught.error.code), ("UNKNOWN_GAME", grpc.StatusCode.NOT_FOUND))
        with self.refused(v1.ERROR_REASON_UNKNOWN_BOT) as caught:
            self.client.create("skirmish", seats=[open_seat(), house_bot("clever")])
        self.assertEqual([fault.field for fault in caught.error.refusal.violations], ["seats[1].bot"])
        self.assertIn("random", str(caught.error))

        north, _ = self.seats()
        card = north.legal().legal.ids[0]
        seq = north.apply(card).situation.seq
        with self.refused(v1.ERROR_REASON_ILLEGAL_ACTION) as caught:
            north.apply([card])
        refusal = caught.error.refusal
        self.assertEqual((refusal.index, [ground.code for ground in refusal.grounds]), (0, ["CARD_PICKED"]))
        self.assertIn(refusal.grounds[0].words, str(caught.error))
        with self.refused(v1.ERROR_REASON_STALE_SEQUENCE) as caught:
            north.apply("done", expected_seq=seq - 1)
        self.assertEqual(caught.error.refusal.seq, seq)
        with self.refused(v1.ERROR_REASON_MATCH_RUNNING):
            self.client.record(north.match_id)
        with self.refused(v1.ERROR_REASON_BAD_TOKEN):
            self.client.seat(north.match_id, "ehs_nothing").view()

    def test_cards_say_what_they_do(self) -> None:
        cards = {card.id: list(card.lines) for card in self.client.game("cruel-necessity").cards}
        self.assertEqual(cards["17"][0], "Costs 2 Zeal; counts 3 Victory Points")
        self.assertTrue(all(cards.values()))

    def test_a_reason_of_a_newer_server_has_a_number(self) -> None:
        newer = v1.Refusal.FromString(b"\x08\x8f\x4e\x10\x09")
        refused = Refused(newer)
        self.assertEqual(
            (refused.reason, refused.name, refused.code), (9999, "9999", grpc.StatusCode.FAILED_PRECONDITION)
        )

    def test_a_seat_call_by_call(self) -> None:
        north, south = self.seats()
        legal = north.legal(v1.LEGAL_DETAIL_FULL)
        self.assertTrue(legal.to_act)
        first, second = legal.legal.actions[:2]
        self.assertEqual(list(north.legal(verbs=[first.verb], refs=first.refs).legal.ids), [first.id])
        taken = north.apply(v1.ActionStructure(verb=first.verb, refs=first.refs), want=FULL).situation
        self.assertEqual(list(taken.view.draft), [first.id])
        self.assertEqual([event.seq for event in taken.events], [taken.seq])
        explained = north.explain(second.notation)
        self.assertFalse(explained.legal)
        self.assertEqual(explained.grounds[0].ground.code, "CARD_PICKED")
        self.assertEqual(list(north.apply([second.notation], keep=0, want=FULL).situation.view.draft), [second.id])
        self.assertEqual(north.undo().undone, 1)
        until = north.apply(f"{first.notation}; done; {second.notation}", until_reveal=True)
        self.assertEqual((until.applied, until.line), (2, f"{first.notation}; done"))
        # The same id and the same call: the same outcome. The same id and another call: refused.
        again = south.apply([south.legal().legal.ids[0]], request_id="mine")
        self.assertEqual(again.applied, 1)
        with self.refused(v1.ERROR_REASON_REQUEST_ID_REUSED):
            south.apply("done", request_id="mine")
        self.assertEqual(north.view(spectator=True).view, self.client.view(north.match_id).view)

    def test_draws_and_standing_passes(self) -> None:
        north, south = self.seats()
        passes = [v1.StandingPass(window="interception", scope=v1.PASS_SCOPE_ALWAYS)]
        north.set_standing_passes(passes)
        self.assertEqual(list(north.view().standing_passes), passes)
        self.assertEqual(list(south.view().standing_passes), [])
        with self.refused(v1.ERROR_REASON_NO_OFFER):
            south.accept_draw()
        self.assertEqual(list(north.offer_draw().state.draw_offers), [0])
        self.assertEqual(south.accept_draw().situation.status, v1.MATCH_STATUS_FINISHED)
        self.assertEqual(list(self.client.get(north.match_id).state.ending.returns), [0, 0])
        with self.refused(v1.ERROR_REASON_MATCH_OVER):
            north.resign()

    def test_entropy_that_is_committed_to(self) -> None:
        mode = v1.ENTROPY_MODE_COMMIT_REVEAL
        made = self.client.create("skirmish", entropy_mode=mode, seats=[open_seat(), invited_seat()])
        match = made.terms.match_id
        with self.assertRaises(ValueError):
            self.client.join(match, invitation=made.invitations[0].invitation)
        north = self.client.join(match)
        south = self.client.join(match, seat=1, invitation=made.invitations[0].invitation)
        state = self.client.get(match).state
        self.assertEqual(state.status, v1.MATCH_STATUS_REVEALING)
        for number, seat in enumerate((north, south)):
            bound = dice.entropy_commitment(match, number, seat.entropy)
            self.assertEqual(state.seats[number].entropy_commitment, bound)
        north.reveal_entropy()
        self.assertTrue(south.reveal_entropy(want=FULL).situation.to_act)
        south.resign()
        over, text = self.client.get(match).state, self.client.record(match).text
        self.assertEqual(check_dice(made.terms, over, text, entropies={0: north.entropy}).rolls, 0)
        over.seats[1].entropy_commitment = bytes(32)
        with self.assertRaisesRegex(Unverified, "entropy commitment of seat 1"):
            check_dice(made.terms, over, text)

    def test_a_chosen_seed_is_shown_as_one(self) -> None:
        seed = bytes(range(32))
        made = self.client.create("skirmish", chosen_seed=seed)
        north, _ = (self.client.join(made.terms.match_id) for _ in range(2))
        self.assertEqual((made.terms.dice.origin, north.entropy), (v1.SEED_ORIGIN_CHOSEN, b""))
        north.resign()
        over, text = self.client.get(north.match_id).state, self.client.record(north.match_id).text
        cards = [card.id for card in self.client.game("skirmish").cards]
        checked = check_dice(made.terms, over, text, bags={0: cards[:6]})
        self.assertEqual((checked.seed, checked.draws), (seed, 4))

    def test_a_seed_group_has_one_seed(self) -> None:
        group = v1.SeedGroup(matches=2, entrants=2, seat_entrants=[0, 1])
        first = self.client.create("skirmish", group=group).terms
        group = v1.SeedGroup(group_id=first.dice.group.group_id, seat_entrants=[1, 0])
        second = self.client.create("skirmish", group=group).terms
        given = [bytes([1]) * 32, bytes([2]) * 32]
        seats = {}
        for terms in (first, second):
            entropies = [given[entrant] for entrant in terms.dice.group.seat_entrants]
            seats[terms.match_id] = [
                self.client.join(terms.match_id, seat=seat, entropy=entropy) for seat, entropy in enumerate(entropies)
            ]

        def check(terms: v1.MatchConfig) -> bytes:
            over, text = self.client.get(terms.match_id).state, self.client.record(terms.match_id).text
            entropies = {number: seat.entropy for number, seat in enumerate(seats[terms.match_id])}
            return check_dice(terms, over, text, entropies=entropies).seed

        seats[first.match_id][0].resign()
        with self.assertRaisesRegex(Unverified, "seed group"):
            check(first)
        seats[second.match_id][0].resign()
        self.assertEqual(check(first), check(second))

    def test_reflection_lists_the_services(self) -> None:
        with grpc.insecure_channel(self.server.address) as channel:
            database = ProtoReflectionDescriptorDatabase(channel)
            services = set(database.get_services())
            self.assertLessEqual(
                {"edgehill.v1.CatalogService", "edgehill.v1.MatchService", "grpc.health.v1.Health"}, services
            )


class _Refusing:
    """Expects a refusal."""

    def __init__(self, test: unittest.TestCase, reason: v1.ErrorReason) -> None:
        self._context = test.assertRaises(Refused)
        self._test = test
        self._reason = reason

    def __enter__(self) -> _Refusing:
        self._caught = self._context.__enter__()
        return self

    def __exit__(self, *raised: object) -> bool:
        refused = self._context.__exit__(*raised)  # type: ignore[arg-type]
        if refused:
            self._test.assertEqual(self.error.name, v1.ErrorReason.Name(self._reason).removeprefix("ERROR_REASON_"))
        return refused

    @property
    def error(self) -> Refused:
        return self._caught.exception


class WithoutServer(unittest.TestCase):
    """The tests that need no server."""

    def test_every_message_is_in_one_name_space(self) -> None:
        protos = (ROOT / "proto" / "edgehill" / "v1").glob("*.proto")
        for proto in protos:
            descriptor = __import__(f"edgehill.v1.{proto.stem}_pb2", fromlist=["DESCRIPTOR"]).DESCRIPTOR
            for name in (*descriptor.message_types_by_name, *descriptor.enum_types_by_name):
                self.assertTrue(hasattr(v1, name), f"edgehill.v1 lacks {name}")

    def test_addresses(self) -> None:
        self.assertEqual(address("localhost:7400"), ("localhost:7400", False))
        self.assertEqual(address("http://localhost:7400/"), ("localhost:7400", False))
        self.assertEqual(address("https://play.example"), ("play.example:443", True))
        self.assertEqual(address("http://[::1]:7400"), ("[::1]:7400", False))
        for wrong in ("ftp://play.example", "http://", "https://play.example/edgehill"):
            with self.assertRaises(ValueError):
                address(wrong)

    def test_what_is_repeated(self) -> None:
        """The table of docs/errors.md, "What to do, by code"."""

        def pause(code: grpc.StatusCode, failures: int = 1, after: int | None = None) -> float | None:
            refusal = v1.Refusal(code=code.value[0], retry_after_micros=after)
            return asked_pause(Refused(refusal), failures)

        codes = grpc.StatusCode
        self.assertEqual(pause(codes.UNAVAILABLE), 0)
        self.assertEqual(pause(codes.UNAVAILABLE, 99, after=1_500_000), 1.5)
        self.assertEqual(pause(codes.RESOURCE_EXHAUSTED, after=20_000), 0.02)
        self.assertIsNone(pause(codes.RESOURCE_EXHAUSTED))
        self.assertEqual((pause(codes.INTERNAL), pause(codes.INTERNAL, 2)), (0, None))
        for code in (codes.ABORTED, codes.FAILED_PRECONDITION, codes.INVALID_ARGUMENT, codes.NOT_FOUND):
            self.assertIsNone(pause(code, after=5))
        self.assertEqual(asked_pause(CallFailed(codes.UNAVAILABLE, ""), 50), 0)
        self.assertIsNone(asked_pause(CallFailed(codes.UNIMPLEMENTED, ""), 1))

    def test_patience_is_kept(self) -> None:
        pauses = Retry(patience_seconds=3600, first_pause_seconds=0).begin()
        for _ in range(5):
            pauses.wait(CallFailed(grpc.StatusCode.UNAVAILABLE, "nobody there"))
        with self.assertRaises(Refused):
            far = v1.Refusal(code=grpc.StatusCode.UNAVAILABLE.value[0], retry_after_micros=2 * 3600 * 10**6)
            pauses.wait(Refused(far))


if __name__ == "__main__":
    unittest.main()
