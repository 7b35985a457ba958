"""Forged records: consistent at most, and refused where a known key had to sign them."""

from __future__ import annotations

import re
import unittest
from unittest import mock

from edgehill import RecordCheck, Unverified, check_record, record
from forging import example, resealed, signature_of

KEY = bytes.fromhex(re.findall(r"^signer (.*)$", example(), re.MULTILINE)[0])
UNSIGNED = {"entropy", "end", "names", "host's word"}


def withheld(text: str) -> str:
    """The record as it was before its seed was revealed."""
    text = re.sub(r"^(server-seed|salt) .*$", r"\1 withheld", text, flags=re.MULTILINE)
    return re.sub(r"^entropy .*\n(  .*\n)?", "", text, flags=re.MULTILINE)


def edited(text: str, pattern: str, by: str) -> str:
    changed = re.sub(pattern, by, text, count=1, flags=re.MULTILINE)
    assert changed != text
    return changed


class Forgeries(unittest.TestCase):
    """What anybody can write, and what of it a check can say."""

    forged: dict[str, tuple[str, str]]

    @classmethod
    def setUpClass(cls) -> None:
        text = example()
        cls.forged = {
            "dice edited": ("seed", edited(withheld(text), r"^dice 3/0: 4", "dice 3/0: 5")),
            "cut": ("end", edited(text, r"^resigned (.*\n)+result .*$", "result none")),
            "a resignation put in": ("end", edited(text, r"^resigned south", "resigned north")),
            "names changed": ("names", edited(text, r'^seat north "Ann"', 'seat north "Eve"')),
            "entropy changed": ("entropy", edited(text, r"^entropy 0 .*\n  .*$", f"entropy 0 {'77' * 32}")),
        }

    def test_the_forged_part_is_unchecked(self) -> None:
        for what, (part, text) in self.forged.items():
            with self.subTest(what):
                checked = check_record(resealed(text))
                self.assertIn(part, checked.unchecked)
                self.assertRegex(str(checked), f"^consistent, but unchecked: .*{part}")

    def test_a_text_that_is_not_its_digest_is_refused(self) -> None:
        for what, (_, text) in self.forged.items():
            with self.subTest(what), self.assertRaisesRegex(Unverified, "the digest of the text"):
                check_record(text)

    def test_the_signature_of_the_genuine_record_does_not_fit(self) -> None:
        for what, (_, text) in self.forged.items():
            for key in (None, KEY):
                with self.subTest(what, key=key), self.assertRaisesRegex(Unverified, "has not signed these lines"):
                    check_record(resealed(text, signature_of(example())), signing_key=key)
            with self.subTest(what), self.assertRaisesRegex(Unverified, "the signature of .*: there is none"):
                check_record(resealed(text), signing_key=KEY)

    def test_a_record_that_ends_in_the_middle_is_refused(self) -> None:
        lines = example().splitlines(keepends=True)
        end = next(place for place, line in enumerate(lines, 1) if line.startswith("end "))
        for count in set(range(len(lines))) - {end}:
            with self.subTest(lines=count), self.assertRaises(Unverified):
                check_record("".join(lines[:count]))
        # Up to its end it is a record that nobody has signed.
        self.assertEqual(check_record("".join(lines[:end])), check_record(resealed(example())))
        self.assertEqual(set(check_record(resealed(example())).unchecked), {"rules", "seed", *UNSIGNED})

    def test_no_flipped_bit_of_a_signed_record_goes_unnoticed(self) -> None:
        text = example()
        same = record.read(text)
        for place, character in enumerate(text):
            for bit in range(7):
                flipped = text[:place] + chr(ord(character) ^ 1 << bit) + text[place + 1 :]
                try:
                    checked = check_record(flipped, signing_key=KEY)
                except Unverified:
                    continue
                # Another form of the same text, such as a blank for the last line feed.
                self.assertEqual(checked.record, same, f"bit {bit} at {place}")


class Adjournments(unittest.TestCase):
    """The times for which a match was adjourned."""

    def test_lines_are_read_and_others_refused(self) -> None:
        def with_line(line: str) -> str:
            return resealed(edited(example(), r"^end ", f"adjourned {line}\nend "))

        for line, read in {
            "3 by seats for 60000 lasted 5": record.Adjournment(3, "seats", 60_000, 5),
            "4 by referee for 60000": record.Adjournment(4, "referee", 60_000),
        }.items():
            self.assertEqual(check_record(with_line(line)).record.adjournments, [read])
        for line in ("3 by north for 5", "3 by seats", "3 by seats for long", "3 by seats for 5 lasted"):
            with self.subTest(line), self.assertRaisesRegex(Unverified, "is none of a record"):
                check_record(with_line(line))


class GivenUp(unittest.TestCase):
    """The seat that gave up while the host could not play the match."""

    def test_its_line_ends_a_match_that_has_no_result(self) -> None:
        def with_lines(result: str, lines: str) -> str:
            return resealed(edited(example(), r"^result [^\n]*\nend ", f"{result}\n{lines}\nend "))

        checked = check_record(with_lines("result none", "given-up south\nadjourned 3 by seats for 60000 lasted 5"))
        self.assertEqual((checked.record.given_up, len(checked.record.adjournments)), ("south", 1))
        self.assertNotEqual(checked.unchecked.get("end"), "the match was not over when it was recorded")
        for result, lines in (
            ('result victory rule 9 returns 1 -1 grade ""', "given-up south"),
            ("result none", "given-up south\ngiven-up south"),
            ("result none", "given-up "),
            ("result none", "given-up south north"),
            ("result none", 'referee 3 voided reason ""\ngiven-up south'),
        ):
            with self.subTest(result=result, lines=lines), self.assertRaises(Unverified):
                check_record(with_lines(result, lines))


class Signatures(unittest.TestCase):
    """Whose word a record is."""

    def parts(self, checked: RecordCheck) -> set[str]:
        return set(checked.unchecked)

    def test_a_known_key(self) -> None:
        self.assertEqual(self.parts(check_record(example(), signing_key=KEY)), {"rules", "seed"})

    def test_a_key_that_nobody_has_named(self) -> None:
        checked = check_record(example())
        self.assertEqual(self.parts(checked), {"rules", "seed", *UNSIGNED})
        self.assertEqual(checked.unchecked["names"], "whose key has signed it is not known")

    def test_another_key(self) -> None:
        with self.assertRaisesRegex(Unverified, "found that of"):
            check_record(example(), signing_key=bytes(32))

    def test_without_the_package_for_signatures(self) -> None:
        with mock.patch("edgehill.check_record.has_signed", return_value=None):
            checked = check_record(example(), signing_key=KEY)
        self.assertEqual(self.parts(checked), {"rules", "seed", "signature", *UNSIGNED})
        self.assertEqual(checked.unchecked["signature"], "the package `cryptography` is not installed")

    def test_an_older_format(self) -> None:
        with self.assertRaisesRegex(Unverified, "'edgehill record 2', the only format .* found 'edgehill record 1'"):
            check_record(example().replace("record 2", "record 1"))
