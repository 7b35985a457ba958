"""A server whose key was rotated: what it has signed before is its word until the key is forgotten."""

from __future__ import annotations

import unittest

from edgehill import Client, Transcript, Unverified, check_dice, check_record, check_transcript, house_bot
from running import Server


class Rotation(unittest.TestCase):
    """One match, and what its server has signed of it before and after."""

    def setUp(self) -> None:
        self.server = Server()
        self.addCleanup(self.server.close)

    def test_what_was_signed_with_a_former_key_checks(self) -> None:
        with Client(self.server.address) as client:
            made = client.create("skirmish", seats=[house_bot(), house_bot()])
            match_id = made.match.config.match_id
            transcript = Transcript(match_id)
            for update in client.watch(match_id, after_seq=0):
                for event in update.events:
                    transcript.add(event)
            transcript.add_receipt(client.receipt(match_id))
            record, first = client.record(match_id).text, client.signing_key()
            self.assertEqual(client.signing_keys(), (first,))
        self.server.rotate_key()
        with Client(self.server.address) as client:
            keys = client.signing_keys()
            self.assertEqual((len(keys), keys[1], keys[0]), (2, first, client.signing_key()))
            self.assertNotEqual(keys[0], first)
            self.assertEqual(set(check_record(record, signing_key=keys).unchecked), {"rules", "seed"})
            check_dice(made.match.config, client.get(match_id).state, record, signing_key=keys)
            # Receipts of both keys in one transcript.
            transcript.add_receipt(client.receipt(match_id))
            self.assertTrue(check_transcript(transcript, signing_key=keys).complete)
            for one in keys:
                with self.assertRaisesRegex(Unverified, "found the signature of"):
                    check_transcript(transcript, signing_key=one)
            with self.assertRaisesRegex(Unverified, "found that of"):
                check_record(record, signing_key=keys[0])
            later = client.record(match_id).text
            check_record(later, signing_key=keys[0])
        self.server.rotate_key("--forget")
        with Client(self.server.address) as client:
            self.assertEqual(client.signing_keys(), keys[:1])
            with self.assertRaisesRegex(Unverified, "found that of"):
                check_record(record, signing_key=client.signing_keys())
            with self.assertRaisesRegex(Unverified, "there is none"):
                check_record(later[: later.index("signer ")], signing_key=keys)
