"""The parts without I/O: actions, addresses, retries, the tracker, one name space of messages."""

from __future__ import annotations

import threading
import unittest
import unittest.mock
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration

from edgehill import InvalidToken, InvalidUrl, Refused, RetryPolicy, SequenceGap, UnknownChange, ViewTracker, v1
from edgehill.actions import action_list, action_message
from edgehill.answer_deadline import AnswerDeadline
from edgehill.bot import Player
from edgehill.client import Client
from edgehill.errors import CallFailed, ConnectError
from edgehill.play_session import PlaySession
from edgehill.played_seat import Opening, PlayedSeat
from edgehill.random_bot import RandomBot
from edgehill.retry import Outage, pause_min
from edgehill.seat_calls import BaseSeat
from edgehill.server_url import ServerUrl
from running import ROOT

numpy: Any
try:
    import numpy
except ImportError:
    numpy = None


class Index:
    """An integer of another library."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


class Actions(unittest.TestCase):
    """Every form in which an action is given."""

    def ids(self, given: Any) -> list[int]:
        message = action_list(given)
        self.assertEqual(message.WhichOneof("encoding"), "ids")
        return list(message.ids.values)

    def test_ids(self) -> None:
        legal = v1.LegalActions(ids=[4, 5], actions=[v1.LegalAction(id=4), v1.LegalAction(id=5)])
        self.assertEqual(self.ids(7), [7])
        self.assertEqual(self.ids(Index(7)), [7])
        self.assertEqual(self.ids([1, Index(2), legal.actions[0], v1.ActionDef(id=9)]), [1, 2, 4, 9])
        self.assertEqual(self.ids(legal.actions[1]), [5])
        self.assertEqual(self.ids(legal.actions), [4, 5])
        self.assertEqual(self.ids(legal.ids), [4, 5])
        self.assertEqual(self.ids(range(3)), [0, 1, 2])
        self.assertEqual(self.ids(id for id in (3, 4)), [3, 4])
        self.assertEqual(self.ids([]), [])
        self.assertEqual(action_message(Index(3)).id, 3)
        self.assertEqual(action_message(legal.actions[0]).id, 4)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy(self) -> None:
        for kind in (numpy.int64, numpy.uint8, numpy.intp):
            self.assertEqual(self.ids(kind(7)), [7])
            self.assertEqual(self.ids([kind(7), 8]), [7, 8])
        self.assertEqual(self.ids(numpy.array([1, 2, 3])), [1, 2, 3])
        self.assertEqual(self.ids(numpy.array(5)), [5])
        self.assertEqual(self.ids(numpy.argmax(numpy.array([0, 9, 1]))), [1])
        for wrong in (numpy.bool_(True), [numpy.bool_(True)], numpy.float64(1), numpy.array([1.0])):
            with self.assertRaisesRegex(TypeError, "an action is"):
                action_list(wrong)

    def test_notations_and_structures(self) -> None:
        self.assertEqual(action_list("card fife; done").line, "card fife; done")
        self.assertEqual(list(action_list(["card fife", "done"]).notations.values), ["card fife", "done"])
        structure = v1.ActionStructure(verb="done")
        self.assertEqual(list(action_list(structure).structures.values), [structure])
        self.assertEqual(list(action_list([structure, structure]).structures.values), [structure] * 2)
        whole = v1.ActionList(line="done")
        self.assertIs(action_list(whole), whole)
        self.assertEqual(action_message("done").notation, "done")
        self.assertEqual(action_message(structure).structure, structure)

    def test_what_is_no_action(self) -> None:
        wrong: list[Any] = [True, [1, False], None, 1.0, [1.0], b"done", object(), [None]]
        for given in wrong:
            with self.subTest(given=given), self.assertRaisesRegex(TypeError, "an action is"):
                action_list(given)
        with self.assertRaisesRegex(TypeError, "truth value True"):
            action_list(True)
        with self.assertRaisesRegex(TypeError, "an action is"):
            action_message(False)
        with self.assertRaisesRegex(TypeError, "one encoding"):
            action_list([1, "done"])
        for number in (-1, 1 << 32):
            with self.assertRaisesRegex(ValueError, "from 0"):
                action_list(number)


class Tracker(unittest.TestCase):
    """The function that folds, with what it can't fold."""

    def setUp(self) -> None:
        self.tracker = ViewTracker(v1.GetViewResponse(seq=3, view=v1.View(draft=[1])))

    def update(self, *numbers: int) -> v1.SeatUpdate:
        events = [v1.Event(seq=seq, changes=[v1.Change(draft=v1.DraftChange(keep=1, add=[seq]))]) for seq in numbers]
        return v1.SeatUpdate(seq=numbers[-1], status=v1.MATCH_STATUS_RUNNING, events=events, to_act=True)

    def test_events_are_folded_once(self) -> None:
        for update in (self.update(3, 4), self.update(4, 5), self.update(4)):
            self.tracker.fold(update)
        assert self.tracker.view is not None
        self.assertEqual((self.tracker.seq, list(self.tracker.view.draft)), (5, [1, 5]))
        self.assertTrue(self.tracker.to_act)

    def test_a_view_replaces(self) -> None:
        self.tracker.fold(v1.SeatUpdate(seq=9, view=v1.View(draft=[7]), state=v1.MatchState(draw_offers=[1])))
        assert self.tracker.view is not None
        self.assertEqual((self.tracker.seq, list(self.tracker.view.draft)), (9, [7]))
        self.assertEqual(list(self.tracker.state.draw_offers), [1])

    def test_missing_events_are_noticed(self) -> None:
        for update in (self.update(5), v1.SeatUpdate(seq=4)):
            self.setUp()
            with self.assertRaises(SequenceGap):
                self.tracker.fold(update)
            self.assertIsNone(self.tracker.view)
            self.tracker.look(v1.GetViewResponse(seq=6, view=v1.View(draft=[2])))
            self.tracker.fold(self.update(5, 6))
            self.assertEqual(self.tracker.seq, 6)

    def test_unknown_changes_are_noticed(self) -> None:
        update = self.update(4)
        update.events[0].changes.add()
        with self.assertRaises(UnknownChange):
            self.tracker.fold(update)
        self.assertIsNone(self.tracker.view)


class Players(unittest.TestCase):
    """A bot's part in news that are rare."""

    def setUp(self) -> None:
        self.sent: list[v1.PlaySeatsRequest] = []
        opening = Opening("ehs_any", v1.LEGAL_DETAIL_IDS, omit_events=True, include_text=False)
        self.seat = PlayedSeat(1, opening, threading.RLock(), self.sent.append, RetryPolicy())
        self.player = Player(BaseSeat("match", "ehs_any"), RandomBot())

    def test_a_choice_that_something_came_before(self) -> None:
        for reason in (v1.ERROR_REASON_MATCH_FINISHED, v1.ERROR_REASON_NOT_YOUR_TURN):
            self.seat.legal = v1.LegalActions(ids=[1])
            news = self.seat._refused("id", Refused(v1.Refusal(reason=reason)))
            self.player.take(news)
            # It is not asked again: what is next will be sent.
            self.assertIsNone(news.legal)
        news = self.seat._refused("id", Refused(v1.Refusal(reason=v1.ERROR_REASON_ILLEGAL_ACTION)))
        with self.assertRaises(Refused):
            self.player.take(news)

    def test_the_time_for_a_decision_is_there_as_long_as_the_decision_is(self) -> None:
        timed = v1.SeatUpdate(legal_actions=v1.LegalActions(ids=[1]))
        timed.time_left.left.FromSeconds(90)

        def refuse(reason: v1.ErrorReason) -> object:
            return self.seat._refused("id", Refused(v1.Refusal(reason=reason)))

        news: list[Callable[[], object]] = [
            lambda: self.seat._updated("", timed),
            lambda: self.seat._updated("id", v1.SeatUpdate()),
            lambda: self.seat._updated("", timed),
            lambda: refuse(v1.ERROR_REASON_ILLEGAL_ACTION),
            lambda: refuse(v1.ERROR_REASON_NOT_YOUR_TURN),
            lambda: self.seat._updated("", timed),
            lambda: self.seat._ended(None),
        ]
        seen = []
        for take in news:
            take()
            left = self.seat.time_left
            self.assertTrue(left is None or left <= timedelta(seconds=90))
            seen.append(left is not None)
        self.assertEqual(seen, [True, False, True, True, False, True, False])

    def test_time_that_is_left_is_less_later(self) -> None:
        deadline = AnswerDeadline()
        self.assertIsNone(deadline.left(0))
        update = v1.SeatUpdate()
        update.time_left.left.FromMilliseconds(10_250)
        deadline.take(update, 1000)
        left = [deadline.left(now) for now in (1000, 1002.25, 1010.25, 2000)]
        self.assertEqual(left, [timedelta(seconds=seconds) for seconds in (10.25, 8, 0, 0)])
        # Numbers that no server of this kind sends.
        update.time_left.left.seconds = 2**62
        deadline.take(update, 1000)
        self.assertGreater(deadline.left(1000) or timedelta(0), timedelta(days=1000))
        deadline.take(v1.SeatUpdate(), 1000)
        self.assertIsNone(deadline.left(1000))

    def test_a_match_that_was_stopped(self) -> None:
        for status in (v1.MATCH_STATUS_QUARANTINED, v1.MATCH_STATUS_UNPLAYABLE):
            self.setUp()
            news, _ = self.seat._updated("", v1.SeatUpdate(state=v1.MatchState(status=status)))
            self.player.take(news)
            self.assertEqual([request.WhichOneof("call") for request in self.sent], ["close"])
            self.player.take(self.seat._ended(None))
            self.assertEqual((self.player.report.status, self.player.report.result), (status, None))


class Sessions(unittest.TestCase):
    """The state of a stream, at what one server said of it and another does not."""

    def test_a_channel_that_the_server_has_closed_is_closed(self) -> None:
        unknown = v1.PlaySeatsResponse(channel=1, refusal=v1.Refusal(reason=v1.ERROR_REASON_UNKNOWN_CHANNEL))
        for closes in (True, False):
            session = PlaySession(RetryPolicy(), None)
            seat = session.open("ehs_any", v1.LEGAL_DETAIL_IDS, omit_events=True, include_text=False)
            if closes:
                seat.close()
            self.assertIsNone(session.take(unknown))
            news = session.news()
            assert news is not None
            # That there is nothing to close is no failure; that there is no seat is one.
            self.assertEqual((news.closed, news.refused is None), (True, closes))
            self.assertTrue(session.is_over())
            session.take(v1.PlaySeatsResponse(channel=1, closed=v1.PlaySeatsResponse.Closed()))
            self.assertIsNone(session.news())


class Rest(unittest.TestCase):
    """Messages, addresses, retries."""

    def test_every_message_is_in_one_name_space(self) -> None:
        for proto in (ROOT / "proto" / "edgehill" / "v1").glob("*.proto"):
            descriptor = __import__(f"edgehill.v1.{proto.stem}_pb2", fromlist=["DESCRIPTOR"]).DESCRIPTOR
            for name in (*descriptor.message_types_by_name, *descriptor.enum_types_by_name):
                self.assertTrue(hasattr(v1, name), f"edgehill.v1 lacks {name}")

    def test_addresses(self) -> None:
        self.assertEqual(ServerUrl.parse("localhost:7400"), ServerUrl("localhost:7400", False))
        self.assertEqual(ServerUrl.parse("[::1]:7400"), ServerUrl("[::1]:7400", False))
        self.assertEqual(ServerUrl.parse("http://localhost:7400/"), ServerUrl("localhost:7400", False))
        self.assertEqual(ServerUrl.parse("https://play.example"), ServerUrl("play.example:443", True))
        self.assertEqual(ServerUrl.parse("http://[::1]:7400"), ServerUrl("[::1]:7400", False))
        wrong = ("ftp://play.example", "http://", "https://play.example/edgehill", "localhost", "localhost:", ":7400")
        for address in (*wrong, "localhost:0", "localhost:99999", "http://localhost:99999", "a b:7400", ""):
            with self.subTest(address=address), self.assertRaisesRegex(InvalidUrl, "host:port"):
                ServerUrl.parse(address)

    def test_tokens(self) -> None:
        with Client("localhost:7400", key="ehk_good") as client:
            for wrong in ("", "ehs_a b", "ehs_line\n", "ehs_ü"):
                with self.assertRaises(InvalidToken) as caught:
                    client.seat("match", wrong)
                self.assertNotIn("ehs_", str(caught.exception))
        with self.assertRaises(InvalidToken):
            Client("localhost:7400", key="\n")

    def test_a_reason_of_a_newer_server_has_a_number(self) -> None:
        newer = v1.Refusal.FromString(b"\x08\x8f\x4e\x10\x09")
        refused = Refused(newer)
        self.assertEqual(
            (refused.reason, refused.name, refused.code), (9999, "9999", grpc.StatusCode.FAILED_PRECONDITION)
        )

    def test_a_refusal_says_everything_once(self) -> None:
        violation = v1.RuleViolation(code="NOT_YOUR_TURN", rule="contract", text="seat 1 is to act")
        refusal = v1.Refusal(
            reason=v1.ERROR_REASON_NOT_YOUR_TURN, message="seat 1 is to act", rule_violations=[violation]
        )
        self.assertEqual(str(Refused(refusal)), "NOT_YOUR_TURN: seat 1 is to act")
        violation = v1.RuleViolation(code="CARD_PICKED", rule="2.3", text="A card is picked already")
        refusal = v1.Refusal(reason=v1.ERROR_REASON_ILLEGAL_ACTION, message="not legal", rule_violations=[violation])
        shown = "ILLEGAL_ACTION: not legal; A card is picked already (rule 2.3)"
        self.assertEqual(str(Refused(refusal)), shown)

    def test_what_is_repeated(self) -> None:
        """The table of docs/errors.md, "What to do, by code"."""

        def pause(code: grpc.StatusCode, failures: int = 1, after: Duration | None = None) -> float | None:
            return pause_min(Refused(v1.Refusal(code=code.value[0], retry_after=after)), failures)

        codes = grpc.StatusCode
        self.assertEqual(pause(codes.UNAVAILABLE), 0)
        self.assertEqual(pause(codes.UNAVAILABLE, 99, after=Duration(seconds=1, nanos=500_000_000)), 1.5)
        self.assertEqual(pause(codes.RESOURCE_EXHAUSTED, after=Duration(nanos=20_000_000)), 0.02)
        self.assertIsNone(pause(codes.RESOURCE_EXHAUSTED))
        self.assertEqual((pause(codes.INTERNAL), pause(codes.INTERNAL, 2)), (0, None))
        for code in (codes.ABORTED, codes.FAILED_PRECONDITION, codes.INVALID_ARGUMENT, codes.NOT_FOUND):
            self.assertIsNone(pause(code, after=Duration(seconds=5)))
        self.assertEqual(pause_min(CallFailed(codes.UNAVAILABLE, ""), 50), 0)
        self.assertIsNone(pause_min(CallFailed(codes.UNIMPLEMENTED, ""), 1))

    def test_the_deadline_of_repetitions(self) -> None:
        outage = Outage(RetryPolicy(deadline_seconds=3600, pause_min_seconds=0.01, pause_max_seconds=1))
        pauses = [outage.pause(CallFailed(grpc.StatusCode.UNAVAILABLE, "no connection")) for _ in range(12)]
        self.assertLessEqual(pauses[0], 0.01)
        self.assertTrue(all(0.5 <= pause <= 1 for pause in pauses[8:]))
        far = v1.Refusal(code=grpc.StatusCode.UNAVAILABLE.value[0], retry_after=Duration(seconds=2 * 3600))
        with self.assertRaises(Refused):
            outage.pause(Refused(far))
        with self.assertRaises(CallFailed):
            Outage(RetryPolicy(deadline_seconds=0)).pause(CallFailed(grpc.StatusCode.UNAVAILABLE, "no connection"))

    def test_a_silent_host_is_given_up_however_long_an_attempt_may_take(self) -> None:
        late = CallFailed(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer")
        with unittest.mock.patch("time.monotonic", side_effect=[0.0, 30.0]):
            outage = Outage(RetryPolicy(deadline_seconds=5, attempt_seconds=30))
            self.assertLessEqual(outage.pause(late), 0.05)
            with self.assertRaises(CallFailed):
                outage.pause(late)

    def test_a_connect_error_says_what_to_try(self) -> None:
        shown = str(ConnectError("localhost:7401", "Connection refused"))
        self.assertIn("no server answers at localhost:7401: Connection refused", shown)
        self.assertIn("is the server running? `make run` starts one on 127.0.0.1:7400", shown)


if __name__ == "__main__":
    unittest.main()
