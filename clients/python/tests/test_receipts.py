"""Transcripts and receipts: what a client reckons over what it was sent is what the server signs, in every game."""

from __future__ import annotations

import unittest

from edgehill import SequenceGap, Transcript, Unverified, check_transcript, house_bot, v1
from running import AgainstServer


class Receipts(AgainstServer):
    """Matches of house bots, and what a spectator and seats were shown of them."""

    def shown(self, match_id: str, *, include_text: bool) -> Transcript:
        """All that a spectator is shown of a match, with the receipt for it."""
        transcript = Transcript(match_id)
        for update in self.client.watch(match_id, after_seq=0, include_text=include_text):
            for event in update.events:
                transcript.add(event)
        transcript.add_receipt(self.client.receipt(match_id))
        return transcript

    def test_a_spectator_reckons_what_the_server_signs_in_every_game(self) -> None:
        key = self.client.signing_key()
        for game in self.client.games():
            bots = [house_bot() for _ in range(len(self.client.game(game.id).seats))]
            made = self.client.create(game.id, seats=bots)
            with self.subTest(game=game.id):
                transcript = self.shown(made.match.config.match_id, include_text=False)
                self.assertGreater(transcript.seq, 10)
                checked = check_transcript(transcript, signing_key=key)
                self.assertTrue(checked.complete, checked)
                words = self.shown(made.match.config.match_id, include_text=True)
                self.assertEqual((words.hash, words.text()), (transcript.hash, transcript.text()))
                again = Transcript.read(transcript.text())
                self.assertEqual(again.text(), transcript.text())
                self.assertEqual(check_transcript(again, signing_key=key), checked)

    def test_a_seat_reckons_what_the_server_signs(self) -> None:
        made = self.client.create("skirmish", seats=[])
        seats = [self.client.join(made.match.config.match_id) for _ in range(2)]
        card = seats[0].legal().legal_actions.ids[0]
        seats[0].apply([card])
        seats[0].undo()
        transcript = Transcript(seats[0].match_id, 0)
        receipt = seats[0].receipt()
        for update in seats[0].watch(after_seq=0):
            for event in update.events:
                transcript.add(event)
            if transcript.seq >= receipt.seq:
                break
        self.assertEqual(receipt.stream_hash, transcript.hash)
        with self.assertRaisesRegex(Unverified, "not for this match, this observer"):
            transcript.add_receipt(seats[1].receipt())
        transcript.add_receipt(receipt)
        self.assertTrue(check_transcript(transcript, signing_key=self.client.signing_key()).complete)


class Forgeries(AgainstServer):
    """Transcripts that somebody has changed, and servers that have signed something else."""

    def transcript(self) -> Transcript:
        made = self.client.create("skirmish", seats=[house_bot(), house_bot()])
        transcript = Transcript(made.match.config.match_id)
        for update in self.client.watch(transcript.match_id, after_seq=0):
            for event in update.events:
                transcript.add(event)
        transcript.add_receipt(self.client.receipt(transcript.match_id))
        return transcript

    def test_what_was_changed_is_refused(self) -> None:
        text = self.transcript().text()
        lines = text.splitlines()
        swapped = "\n".join([*lines[:3], lines[4], lines[3], *lines[5:]])
        dropped = "\n".join([*lines[:5], *lines[6:]])
        for what, forged in (("swapped", swapped), ("dropped", dropped)):
            with self.subTest(what), self.assertRaisesRegex(Unverified, "is for other events"):
                check_transcript(Transcript.read(forged))
        *_, signature = lines[-1].split(" ")
        flipped = text.replace(signature, f"{int(signature[0], 16) ^ 1:x}{signature[1:]}")
        with self.assertRaisesRegex(Unverified, "is not signed by"):
            check_transcript(Transcript.read(flipped))
        with self.assertRaisesRegex(Unverified, "found the signature of"):
            check_transcript(Transcript.read(text), signing_key=bytes(32))

    def test_what_no_receipt_proves_is_said(self) -> None:
        transcript = self.transcript()
        last = transcript.seq
        self.assertFalse(check_transcript(transcript).complete, "whose key it is, nobody has said")
        transcript.add(v1.Event(seq=last + 1, code="more", stream_hash=bytes(32)))
        transcript.add(v1.Event(seq=last + 2, code="more"))
        self.assertEqual(check_transcript(transcript).unproven, (range(last + 1, last + 3),))


class Texts(unittest.TestCase):
    """Texts that are none of a transcript."""

    def test_a_gap(self) -> None:
        with self.assertRaises(SequenceGap):
            Transcript("m").add(v1.Event(seq=2))

    def test_other_texts(self) -> None:
        whole = Transcript("m", 1).text()
        for text in (
            "",
            whole.replace("script 1", "script 2"),
            whole.replace("match", "game"),
            whole.replace("observer 1", "observer north"),
            whole + "event 1G\n",
            whole + "event 07\n",
            whole + "receipt 00 00\n",
            whole + "recipe\n",
        ):
            with self.subTest(text), self.assertRaises(Unverified):
                Transcript.read(text)
