"""The calls one by one: the catalogue, lists, refusals, drafts, draws, standing passes, ends."""

from __future__ import annotations

import grpc

from edgehill import FULL, ViewTracker, house_bot, open_seat, v1
from fake import FakeServer
from scenario import Scenario, over_both


class Calls(Scenario):
    """Against one server."""

    async def test_catalogue(self) -> None:
        games = {game.id: game for game in await self.client.games()}
        self.assertIn("skirmish", games)
        if isinstance(self.server, FakeServer):
            self.assertEqual(len(games), 3)
        bare = await self.client.game("skirmish")
        self.assertEqual(bare.summary, games["skirmish"])
        self.assertFalse(bare.rules)
        self.assertTrue((await self.client.game("skirmish", include_rules=True)).rules)
        limits = await self.client.limits()
        self.assertEqual(limits[v1.LIMIT_NAME_LIST_ACTIONS], 256)
        self.assertEqual(set(limits), set(v1.LimitName.values()) - {v1.LIMIT_NAME_UNSPECIFIED})
        self.assertEqual(len(await self.client.signing_key()), 32)

    async def test_the_action_table_is_whole(self) -> None:
        game = await self.client.game("skirmish")
        table = await self.client.action_defs("skirmish")
        self.assertEqual([action.id for action in table], list(range(game.action_count)))
        north, _ = await self.seats()
        first = (await north.legal(v1.LEGAL_DETAIL_NOTATION)).legal_actions
        self.assertEqual(table[first.ids[0]].notation, first.notations[0])
        # Entries of the table are actions, too.
        taken = await north.apply([table[first.ids[0]]], response_options=FULL)
        self.assertEqual(list(taken.view.draft), [first.ids[0]])

    async def test_list_goes_through_all_pages(self) -> None:
        made = [(await self.client.create("skirmish")).match.config.match_id for _ in range(7)]
        waiting = [v1.MATCH_STATUS_WAITING]
        listed = [match async for match in self.client.matches(game="skirmish", statuses=waiting, page_size=3)]
        found = [match.config.match_id for match in listed if match.config.match_id in made]
        self.assertEqual(found, made[::-1])
        await self.refused(v1.ERROR_REASON_INVALID_FIELD, anext(self.client.matches(page_size=100_000)))

    async def test_refusals_are_decoded(self) -> None:
        refused = await self.refused(v1.ERROR_REASON_UNKNOWN_GAME, self.client.create("chess"))
        self.assertEqual((refused.name, refused.code), ("UNKNOWN_GAME", grpc.StatusCode.NOT_FOUND))
        call = self.client.create("skirmish", seats=[open_seat(), house_bot("clever")])
        refused = await self.refused(v1.ERROR_REASON_UNKNOWN_BOT, call)
        self.assertEqual([fault.field for fault in refused.refusal.field_violations], ["seats[1].bot"])
        self.assertIn("random", str(refused))

        north, _ = await self.seats()
        card = (await north.legal()).legal_actions.ids[0]
        seq = (await north.apply(card)).seq
        refused = await self.refused(v1.ERROR_REASON_ILLEGAL_ACTION, north.apply([card]))
        codes = [violation.code for violation in refused.refusal.rule_violations]
        self.assertEqual((refused.refusal.index, codes), (0, ["CARD_PICKED"]))
        self.assertIn(refused.refusal.rule_violations[0].text, str(refused))
        refused = await self.refused(v1.ERROR_REASON_STALE_SEQUENCE, north.apply("done", expected_seq=seq - 1))
        self.assertEqual(refused.refusal.seq, seq)
        self.assertIn("expected_seq", refused.refusal.message)
        await self.refused(v1.ERROR_REASON_MATCH_RUNNING, self.client.record(north.match_id))
        nobody = self.client.seat(north.match_id, "ehs_nothing")
        await self.refused(v1.ERROR_REASON_BAD_TOKEN, nobody.view())
        await self.refused(v1.ERROR_REASON_UNSUPPORTED_MOMENT, north.view(at_seq=seq))

    async def test_a_seat_call_by_call(self) -> None:
        north, south = await self.seats()
        legal = await north.legal(v1.LEGAL_DETAIL_FULL)
        self.assertTrue(legal.to_act)
        first, second = legal.legal_actions.actions[:2]
        filtered = await north.legal(verbs=[first.verb], refs=list(first.refs))
        self.assertEqual(list(filtered.legal_actions.ids), [first.id])
        structure = v1.ActionStructure(verb=first.verb, refs=first.refs)
        taken = await north.apply(structure, response_options=FULL)
        self.assertEqual((list(taken.view.draft), taken.apply_result.actions), ([first.id], 1))
        self.assertEqual([event.seq for event in taken.events], [taken.seq])
        for given in (second, second.id, second.notation):
            explained = await north.explain(given)
            self.assertFalse(explained.legal)
            self.assertEqual(explained.rule_violations[0].code, "CARD_PICKED")
        taken = await north.apply(second, keep_draft_actions=0, response_options=FULL)
        self.assertEqual(list(taken.view.draft), [second.id])
        self.assertEqual((await north.undo()).apply_result.actions, 1)
        until = await north.apply(f"{first.notation}; done; {second.notation}", until_reveal=True)
        self.assertEqual(until.apply_result, v1.ApplyResult(actions=2, line=f"{first.notation}; done"))
        # The same id and the same call: the same outcome. The same id and another call: refused.
        card = (await south.legal()).legal_actions.ids[0]
        for _ in range(2):
            again = await south.apply([card], request_id="mine")
            self.assertEqual(again.apply_result.actions, 1)
        await self.refused(v1.ERROR_REASON_REQUEST_ID_REUSED, south.apply("done", request_id="mine"))
        spectators = (await self.client.view(north.match_id)).view
        self.assertEqual((await north.view(spectator=True)).view, spectators)

    async def test_updates_of_calls_are_folded(self) -> None:
        north, south = await self.seats()
        tracker = ViewTracker(await north.view())
        events = v1.ResponseOptions(include_events=True)
        for _ in range(2):
            card = (await north.legal()).legal_actions.ids[0]
            tracker.fold(await north.apply(card, expected_seq=tracker.seq, response_options=events))
            tracker.fold(await north.undo(expected_seq=tracker.seq, response_options=events))
        tracker.fold(await north.apply([card], expected_seq=tracker.seq, response_options=FULL))
        tracker.fold(await north.apply("done", expected_seq=tracker.seq, response_options=events))
        now = await north.view()
        self.assertEqual((tracker.view, tracker.seq, tracker.to_act), (now.view, now.seq, False))
        tracker.fold(await south.resign())

    async def test_draws_and_standing_passes(self) -> None:
        north, south = await self.seats()
        passes = [v1.StandingPass(window="interception", scope=v1.PASS_SCOPE_ALWAYS)]
        await north.set_standing_passes(passes)
        self.assertEqual(list((await north.view()).standing_passes), passes)
        self.assertEqual(list((await south.view()).standing_passes), [])
        await self.refused(v1.ERROR_REASON_NO_OFFER, south.accept_draw())
        await self.refused(v1.ERROR_REASON_NO_OFFER, south.decline_draw())
        self.assertEqual(list((await north.offer_draw()).state.draw_offers), [0])
        self.assertEqual(list((await south.decline_draw()).state.draw_offers), [])
        await north.offer_draw()
        self.assertEqual((await south.accept_draw()).status, v1.MATCH_STATUS_FINISHED)
        result = (await self.client.get(north.match_id)).state.result
        self.assertEqual((list(result.returns), result.termination), ([0, 0], v1.TERMINATION_AGREEMENT))
        await self.refused(v1.ERROR_REASON_MATCH_FINISHED, north.resign())

    async def test_a_seat_is_given_back(self) -> None:
        made = await self.client.create("skirmish")
        match = made.match.config.match_id
        north = await self.client.join(match, player="Ann")
        self.assertEqual(north.number, 0)
        self.assertFalse((await north.leave()).state.seats[0].joined)
        await self.refused(v1.ERROR_REASON_BAD_TOKEN, north.view())
        self.assertEqual((await self.client.join(match)).number, 0)
        south = await self.client.join(match)
        await self.refused(v1.ERROR_REASON_MATCH_STARTED, south.leave())
        await self.refused(v1.ERROR_REASON_MATCH_STARTED, self.client.abort(match, made.creator_token))

    async def test_a_match_is_taken_back(self) -> None:
        made = await self.client.create("skirmish")
        match = made.match.config.match_id
        watching = self.client.watch(match)
        self.assertEqual((await anext(watching)).state.status, v1.MATCH_STATUS_WAITING)
        aborted = await self.client.abort(match, made.creator_token)
        self.assertEqual(aborted.state.status, v1.MATCH_STATUS_ABORTED)
        rest = [update async for update in watching]
        self.assertEqual(rest[-1].state.status, v1.MATCH_STATUS_ABORTED)

    async def test_a_record_is_joined(self) -> None:
        north, _ = await self.seats()
        await north.resign()
        record = await self.client.record(north.match_id)
        self.assertTrue(record.complete)
        self.assertTrue(record.text.startswith("edgehill record 2\ngame skirmish\n"))
        self.assertIn(f'match "{north.match_id}"\n', record.text)
        self.assertTrue(record.text.endswith("\n"))


load_tests = over_both(Calls)
