"""clients/conformance: each of its vectors, by this client. Those of the dice are in test_dice.py."""

from __future__ import annotations

import base64
import json
import unittest
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict, ParseDict
from google.rpc import status_pb2

from edgehill import (
    Refused,
    SequenceGap,
    Transcript,
    UnknownChange,
    Unverified,
    ViewTracker,
    check_record,
    check_transcript,
    fold,
    v1,
)
from edgehill.errors import STATUS_CODES, CallFailed
from edgehill.retry import pause_min
from running import ROOT

RECORD_FAULTS = {
    "format": "the only format that is read here",
    "characters": "other characters than printable ASCII",
    "end": "^a record ends with `end`",
    "digest": "^the digest of the text",
    "line": "is none of a record$",
    "unsigned": "^the signature of .*: there is none",
    "signer": "^the signature of .*: found that of",
    "signature": "has not signed these lines$",
    "commitment": "^the commitment",
    "entropy_commitment": "^the entropy commitment of place",
    "entropies": "^the entropies",
}
TRANSCRIPT_FAULTS = {
    "text": "^a transcript begins with|^the observer: |^the line .* is none of a transcript",
    "events": "is for other events, or for another order$",
    "signature": "is not signed by",
    "signer": "found the signature of",
}
FOLD_FAULTS = {"gap": SequenceGap, "unknown_change": UnknownChange}


def vectors(name: str) -> Any:
    """The lists of a file."""
    read = json.loads((ROOT / "clients" / "conformance" / f"{name}s.json").read_text(encoding="utf-8"))
    assert read.pop("format") == f"edgehill-{name}-vectors/1"
    return read


def keys(vector: dict[str, Any]) -> list[bytes] | None:
    """The keys that are trusted."""
    given = vector["signing_keys"]
    return None if given is None else [bytes.fromhex(key) for key in given]


class Conformance(unittest.TestCase):
    """One test for each list; a list without a test fails as well."""

    def test_lists(self) -> None:
        lists = {name for file in ("record", "receipt", "error", "fold") for name in vectors(file)}
        tested = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        self.assertEqual(lists | {"lists"}, tested)

    def test_records(self) -> None:
        for vector in vectors("record")["records"]:
            with self.subTest(vector["name"]):
                if "fault" in vector:
                    with self.assertRaisesRegex(Unverified, RECORD_FAULTS[vector["fault"]]):
                        check_record(vector["text"], signing_key=keys(vector))
                    continue
                checked = check_record(vector["text"], signing_key=keys(vector))
                self.assertEqual(sorted(checked.unchecked), sorted(vector["unchecked"]))
                self.read(checked.record, vector.get("read", {}))

    def read(self, record: Any, expected: dict[str, Any]) -> None:
        found = {
            "game": record.game,
            "match": record.match,
            "players": record.players,
            "draws": sum(not drawn.faces for drawn in record.drawn),
            "rolls": sum(bool(drawn.faces) for drawn in record.drawn),
            "given_up": record.given_up,
            "adjournments": [vars(one) for one in record.adjournments],
            "referee_acts": [
                {"entries": act.entries, "kind": act.kind, "reason": act.reason} for act in record.referee_acts
            ],
        }
        self.assertEqual({name: found[name] for name in expected}, expected)

    def test_transcripts(self) -> None:
        for vector in vectors("receipt")["transcripts"]:
            with self.subTest(vector["name"]):
                if "fault" in vector:
                    with self.assertRaisesRegex(Unverified, TRANSCRIPT_FAULTS[vector["fault"]]):
                        check_transcript(Transcript.read(vector["text"]), signing_key=keys(vector))
                    continue
                transcript = Transcript.read(vector["text"])
                self.assertEqual(transcript.text(), vector["text"])
                checked = check_transcript(transcript, signing_key=keys(vector))
                unproven = [[numbers.start, numbers.stop - 1] for numbers in checked.unproven]
                expected = (vector["receipts"], vector["unproven"], vector["complete"])
                self.assertEqual((checked.receipts, unproven, checked.complete), expected)

    def test_reasons(self) -> None:
        reasons = vectors("error")["reasons"]
        numbers = {f"ERROR_REASON_{one['reason']}": one["number"] for one in reasons}
        self.assertEqual(numbers | {"ERROR_REASON_UNSPECIFIED": 0}, dict(v1.ErrorReason.items()))
        for one in reasons:
            code = grpc.StatusCode[one["code"]]
            refused = Refused(v1.Refusal(reason=one["number"], code=code.value[0]))
            self.assertEqual((refused.name, refused.code), (one["reason"], code))

    def test_statuses(self) -> None:
        for vector in vectors("error")["statuses"]:
            with self.subTest(vector["name"]):
                status = status_pb2.Status.FromString(base64.b64decode(vector["details"] + "=="))
                self.assertEqual(status.code, vector["status"])
                refusal = v1.Refusal()
                self.assertTrue(any(detail.Unpack(refusal) for detail in status.details))
                self.assertEqual(MessageToDict(refusal), vector["refusal"])
                self.assertEqual(Refused(refusal).code, STATUS_CODES[vector["status"]])

    def test_retries(self) -> None:
        for vector in vectors("error")["retries"]:
            with self.subTest(vector["name"]):
                code = grpc.StatusCode[vector["code"]]
                refusal = v1.Refusal(code=code.value[0])
                if vector["retry_after_ms"] is not None:
                    after = Duration()
                    after.FromMilliseconds(vector["retry_after_ms"])
                    refusal.retry_after.CopyFrom(after)
                error = Refused(refusal) if vector["refused"] else CallFailed(code, "no answer")
                seconds = pause_min(error, vector["failures"])
                self.assertEqual(None if seconds is None else round(seconds * 1000), vector["pause_ms"])

    def test_folds(self) -> None:
        for vector in vectors("fold")["folds"]:
            with self.subTest(game=vector["game"], observer=vector["observer"]):
                view = v1.View.FromString(base64.b64decode(vector["start"]))
                for event in vector["events"]:
                    fold(view, v1.Event.FromString(base64.b64decode(event)))
                self.assertEqual(view, v1.View.FromString(base64.b64decode(vector["end"])))

    def test_trackers(self) -> None:
        for vector in vectors("fold")["trackers"]:
            with self.subTest(vector["name"]):
                tracker = ViewTracker()
                tracker.begin(ParseDict(vector["view"], v1.View()), int(vector["seq"]))
                updates = [ParseDict(update, v1.SeatUpdate()) for update in vector["updates"]]
                expected = vector["expected"]
                if "fault" in expected:
                    with self.assertRaises(FOLD_FAULTS[expected["fault"]]):
                        for update in updates:
                            tracker.fold(update)
                    self.assertIsNone(tracker.view)
                    continue
                for update in updates:
                    tracker.fold(update)
                self.assertEqual(tracker.view, ParseDict(expected["view"], v1.View()))
                self.assertEqual(tracker.seq, int(expected["seq"]))


if __name__ == "__main__":
    unittest.main()
