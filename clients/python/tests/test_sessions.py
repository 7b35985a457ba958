"""The sessions of clients/conformance, on the server that EDGEHILL_SERVER names or on one of its own."""

from __future__ import annotations

import json
import os
import secrets
import unittest
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, ClassVar

from edgehill import (
    Client,
    EdgehillError,
    Refused,
    Seat,
    Transcript,
    check_dice,
    check_record,
    check_transcript,
    v1,
)
from running import ROOT, Relay, Server
from session_table import Table

FORMAT = "edgehill-sessions/1"
STATUSES = {
    int(vector["number"]): str(vector["code"])
    for vector in json.loads((ROOT / "clients/conformance/errors.json").read_text())["reasons"]
}
"""The status that each reason comes with."""
NOBODY = "00000000-0000-0000-0000-000000000000"


def legal(seat: Seat) -> list[v1.LegalAction]:
    """The full list of a seat."""
    return list(seat.legal(v1.LEGAL_DETAIL_FULL).legal_actions.actions)


def faces(seen: v1.GetViewResponse) -> list[int]:
    """The cards whose faces an observer sees."""
    return [card for pile in seen.view.board.piles for card in pile.cards]


class Sessions(unittest.TestCase):
    """Each session, by its name."""

    address: ClassVar[str]

    @classmethod
    def setUpClass(cls) -> None:
        named = os.environ.get("EDGEHILL_SERVER")
        if named is None:
            server = Server()
            cls.addClassCleanup(server.close)
        cls.address = named or server.address

    def setUp(self) -> None:
        self.client = self.connect(self.address)
        self.closing = self.enterContext(ExitStack())

    def connect(self, address: str) -> Client:
        """A client, closed with the test."""
        return self.enterContext(Client(address, key=os.environ.get("EDGEHILL_KEY")))

    def table(self, game: str) -> Table:
        """A match of a game, with everybody in their seats."""
        return Table(self.client, game, self.closing)

    def refused(self, reason: v1.ErrorReason, call: Callable[[], object]) -> Refused:
        """Expects a refusal, and returns it."""
        with self.assertRaises(Refused) as caught:
            call()
        self.assertEqual(caught.exception.name, v1.ErrorReason.Name(reason).removeprefix("ERROR_REASON_"))
        self.assertEqual(caught.exception.reason, reason)
        self.assertEqual(caught.exception.code.name, STATUSES[reason])
        return caught.exception

    def test_every_session_is_known(self) -> None:
        document = json.loads((ROOT / "clients/conformance/sessions.json").read_text())
        self.assertEqual(document["format"], FORMAT)
        for session in document["sessions"]:
            parameters: dict[str, Any] = dict(session)
            name = parameters.pop("name")
            with self.subTest(session=name), ExitStack() as self.closing:
                getattr(self, name)(**parameters)

    def catalogue(self, unknown: str) -> None:
        listed = self.client.games()
        self.assertGreater(len(listed), 0)
        for summary in listed:
            game = self.client.game(summary.id)
            self.assertEqual(game.summary, summary)
            defs = self.client.action_defs(summary.id)
            self.assertEqual([one.id for one in defs], list(range(game.action_count)))
        self.refused(v1.ERROR_REASON_UNKNOWN_GAME, lambda: self.client.game(unknown))

    def forms(self, forms: list[str], decisions: int) -> None:
        key = self.client.signing_key()
        for game in self.client.games():
            for form in forms:
                with self.subTest(game=game.id, form=form), ExitStack() as self.closing:
                    table = self.table(game.id)
                    table.play(decisions, form)
                    table.end()
                    self.follow_everybody(table)
                    record = self.client.record(table.match_id)
                    self.assertTrue(record.complete)
                    self.assertEqual(set(check_record(record.text, signing_key=key).unchecked), {"rules", "seed"})
                    entropies = {number: seat.entropy for number, seat in enumerate(table.seats)}
                    config, state = table.made.match.config, self.client.get(table.match_id).state
                    dice = check_dice(config, state, record.text, entropies=entropies, signing_key=key)
                    self.assertLessEqual(set(dice.unchecked_parts), {"rules", "seed"})

    def follow_everybody(self, table: Table) -> None:
        """Asserts that what everybody has followed comes to what there is."""
        for observer in table.everybody():
            observer.follow_to_the_end()
            now = observer.now()
            numbers = [event.seq for event in observer.events]
            self.assertEqual(numbers, list(range(1, now.seq + 1)), observer.name)
            self.assertEqual((observer.tracker.view, observer.tracker.seq), (now.view, now.seq), observer.name)

    def refusals(self, game: str) -> None:
        table = self.table(game)
        north = table.seats[0]
        before, actions = north.view(), legal(north)
        self.refused(v1.ERROR_REASON_UNKNOWN_MATCH, lambda: self.client.get(NOBODY))
        stranger = self.client.seat(table.match_id, "nobody" * 8)
        self.refused(v1.ERROR_REASON_BAD_TOKEN, lambda: stranger.apply(actions[0]))
        illegal = self.refused(v1.ERROR_REASON_ILLEGAL_ACTION, lambda: north.apply([actions[0], actions[1]]))
        self.assertEqual(illegal.refusal.index, 1)
        self.assertNotEqual(illegal.refusal.rule_violations[0].rule, "")
        ahead = before.seq + 1
        self.refused(v1.ERROR_REASON_CURSOR_AHEAD, lambda: north.apply(actions[0], expected_seq=ahead))
        self.refused(v1.ERROR_REASON_NOTHING_TO_UNDO, north.undo)
        now = north.view()
        self.assertEqual((now.view, now.seq), (before.view, before.seq))

    def undo(self, game: str) -> None:
        north = self.table(game).seats[0]
        before, actions = north.view(), legal(north)
        taken = north.apply(actions[0])
        self.assertGreater(taken.seq, before.seq)
        self.assertEqual(list(north.view().view.draft), [actions[0].id])
        self.assertNotEqual(legal(north), actions)
        undone = north.undo(expected_seq=taken.seq)
        self.assertGreater(undone.seq, taken.seq)
        self.assertEqual(list(north.view().view.draft), [])
        self.assertEqual(legal(north), actions)

    def batch(self, game: str) -> None:
        north, south = self.table(game).seats
        action = legal(north)[0]
        taken = north.apply([action.notation, "done"])
        self.assertEqual((taken.apply_result.actions, taken.to_act), (2, False))
        self.assertEqual(legal(north), [])
        self.refused(v1.ERROR_REASON_NOT_YOUR_TURN, lambda: north.apply(action))
        self.refused(v1.ERROR_REASON_COMMITTED, north.undo)
        card = legal(south)[0]
        south.apply(card)
        [done] = [one for one in legal(south) if one.notation == "done"]
        south.undo()
        self.assertEqual(south.apply([card.id, done.id]).apply_result.actions, 2)

    def reveal(self, game: str) -> None:
        table = self.table(game)
        north, south = table.seats
        before, action = north.view(), legal(north)[0]
        across = [action.notation, "done", action.notation]
        self.refused(v1.ERROR_REASON_LIST_CROSSES_REVEAL, lambda: north.apply(across))
        self.assertEqual(north.view().seq, before.seq)
        taken = north.apply(across, until_reveal=True)
        self.assertEqual(taken.apply_result.actions, 2)
        self.assertEqual(faces(self.client.view(table.match_id)), [])
        card = legal(south)[0]
        south.apply([card.notation, "done"])
        chosen = sorted(ref.card for one in (action, card) for ref in one.refs)
        self.assertEqual(sorted(faces(self.client.view(table.match_id))), chosen)
        self.assertGreater(north.view().seq, taken.seq)
        self.refused(v1.ERROR_REASON_STALE_SEQUENCE, lambda: north.apply(action, expected_seq=taken.seq))

    def redaction(self, game: str) -> None:
        table = self.table(game)
        hands = [{ref.card for action in legal(seat) for ref in action.refs} for seat in table.seats]
        for seat, hand in zip(table.seats, hands):
            self.assertGreater(len(hand), 1)
            self.assertEqual(set(faces(seat.view())), hand)
        self.assertEqual(faces(self.client.view(table.match_id)), [])
        for seat in table.seats:
            seat.apply([legal(seat)[0].notation, "done"])
        table.end()
        for observer in table.everybody():
            observer.follow_to_the_end()
        # The cards that were not played stay in the hands, and nobody else is told them.
        played = set(faces(table.spectator.now()))
        for observer in table.everybody():
            own = hands[observer.seat] if observer.seat is not None else set()
            told = {ref.card for event in observer.events for ref in event.refs if ref.HasField("card")}
            told |= {card for event in observer.events for change in event.changes for card in change.pile.cards}
            self.assertLessEqual(told, own | played, observer.name)

    def repetition(self, game: str) -> None:
        first, second, third = (secrets.token_hex(8) for _ in range(3))
        made = [self.client.create(game, request_id=first).match.config.match_id for _ in range(2)]
        self.assertEqual(made[0], made[1])
        joined = [self.client.join(made[0], seat=0, entropy=bytes(32), request_id=second).token for _ in range(2)]
        self.assertEqual(joined[0], joined[1])
        self.client.join(made[0])
        north = self.client.seat(made[0], joined[0])
        actions = legal(north)
        taken = [north.apply(actions[0], request_id=third) for _ in range(2)]
        self.assertEqual(taken[0].seq, taken[1].seq)
        self.assertEqual(list(north.view().view.draft), [actions[0].id])
        self.refused(v1.ERROR_REASON_REQUEST_ID_REUSED, lambda: north.apply(actions[1], request_id=third))

    def cut(self, game: str, decisions: int, messages: int) -> None:
        table = self.table(game)
        with Relay(self.address) as relay, self.connect(relay.address) as client:
            watch = client.watch(table.match_id, after_seq=0)
            seen, updates, cuts = list[int](), 0, 0
            for decision in range(decisions + 1):
                # One decision behind, so that something is under way when the relay breaks.
                seq = table.spectator.now().seq
                table.play(1, first=decision) if decision < decisions else table.end()
                while (watch.seq or 0) < seq:
                    seen += [event.seq for event in next(watch).events]
                    updates += 1
                    if updates % messages == 0:
                        relay.move_to(self.address)
                        cuts += 1
            for update in watch:
                seen += [event.seq for event in update.events]
        self.assertGreater(cuts, 1)
        self.assertEqual(seen, list(range(1, table.spectator.now().seq + 1)))

    def receipts(self, game: str, decisions: int) -> None:
        keys = self.client.signing_keys()
        table = self.table(game)
        table.play(decisions)
        table.end()
        for observer in table.everybody():
            observer.follow_to_the_end()
            transcript = Transcript(table.match_id, observer.seat)
            for event in observer.events:
                transcript.add(event)
            receipt = (
                self.client.receipt(table.match_id) if observer.seat is None else table.seats[observer.seat].receipt()
            )
            transcript.add_receipt(receipt)
            self.assertTrue(check_transcript(transcript, signing_key=keys).complete, observer.name)
            lossy = Transcript(table.match_id, observer.seat)
            with self.assertRaises(EdgehillError):
                for event in observer.events[1:]:
                    lossy.add(event)
                lossy.add_receipt(receipt)


if __name__ == "__main__":
    unittest.main()
