"""The verifier against the published vectors."""

import json
import unittest
from itertools import islice
from pathlib import Path
from typing import Any

from edgehill import dice

VECTORS = Path(__file__).parents[3] / "engine" / "tests" / "data" / "dice_vectors.json"
ABSENT = bytes(32)


class DiceVectors(unittest.TestCase):
    """One test for each list of the file; a list without a test fails as well."""

    vectors: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        cls.vectors = json.loads(VECTORS.read_text(encoding="utf-8"))

    def test_format(self) -> None:
        self.assertEqual(self.vectors["format"], "edgehill-dice-vectors/1")
        tested = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        self.assertEqual(set(self.vectors), tested)

    def test_key_streams(self) -> None:
        for v in self.vectors["key_streams"]:
            expected = bytes.fromhex(v["bytes"])
            stream = dice.key_stream(bytes.fromhex(v["seed"]), v["stream"], v["n"])
            self.assertEqual(bytes(islice(stream, len(expected))), expected)

    def test_options_hashes(self) -> None:
        for v in self.vectors["options_hashes"]:
            options = [(id, value) for id, value in v["options"]]
            derived = dice.options_hash(bytes.fromhex(v["salt"]), v["scenario"], options, v["position"])
            self.assertEqual(derived.hex(), v["options_hash"])

    def test_commitments(self) -> None:
        for v in self.vectors["commitments"]:
            hashes = (bytes.fromhex(v[field]) for field in ("content_hash", "options_hash", "server_seed"))
            derived = dice.commitment(v["id"], v["game"], v["rules_version"], *hashes)
            self.assertEqual(derived.hex(), v["commitment"])

    def test_entropy_commitments(self) -> None:
        for v in self.vectors["entropy_commitments"]:
            derived = dice.entropy_commitment(v["id"], v["seat"], bytes.fromhex(v["entropy"]))
            self.assertEqual(derived.hex(), v["commitment"])

    def test_seeds(self) -> None:
        for v in self.vectors["seeds"]:
            entropies = [ABSENT if given is None else bytes.fromhex(given) for given in v["entropies"]]
            derived = dice.seed(v["id"], bytes.fromhex(v["server_seed"]), entropies)
            self.assertEqual(derived.hex(), v["seed"])

    def test_series(self) -> None:
        for v in self.vectors["series"]:
            derived = dice.series_seed(bytes.fromhex(v["series_seed"]), v["account"], v["n"])
            self.assertEqual(derived.hex(), v["server_seed"])

    def test_rolls(self) -> None:
        for v in self.vectors["rolls"]:
            faces = dice.roll(bytes.fromhex(v["seed"]), v["stream"], v["n"], v["dice"], v["sides"])
            self.assertEqual(faces, v["faces"])

    def test_choices(self) -> None:
        for v in self.vectors["choices"]:
            index = dice.choice(bytes.fromhex(v["seed"]), v["stream"], v["n"], v["weights"])
            self.assertEqual(index, v["index"])

    def test_bags(self) -> None:
        for v in self.vectors["bags"]:
            key, left = bytes.fromhex(v["seed"]), list(v["cards"])
            for card in v["order"]:
                self.assertEqual(dice.bag(key, v["stream"], v["epoch"], left), card)
                left.remove(card)
            self.assertFalse(left)


if __name__ == "__main__":
    unittest.main()
