"""The bot and the example as programs, the way a reader of docs/sdk-python.md runs them."""

from __future__ import annotations

import subprocess
import sys
import unittest

from edgehill import house_bot, v1
from running import ROOT, AgainstServer

EXAMPLE = ROOT / "clients" / "python" / "examples" / "house_match.py"
SECONDS_MAX = 300


class Commands(AgainstServer):
    """Against one server."""

    def bot(self, match: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "edgehill.random_bot", "--server", self.server.address]
        pipe = subprocess.PIPE
        return subprocess.Popen([*command, "--match", match, *arguments], stdout=pipe, stderr=pipe, text=True)

    def test_two_bots_meet(self) -> None:
        match = self.client.create("skirmish").terms.match_id
        bots = [self.bot(match, "--join", "--seed", seed) for seed in "12"]
        said = [bot.communicate(timeout=SECONDS_MAX) for bot in bots]
        ending = self.client.get(match).state.ending
        over = f"over: {ending.code} ({ending.rule}), returns {ending.returns[0]}, {ending.returns[1]}"
        self.assertEqual({out.splitlines()[0] for out, _ in said}, {"joined as seat 0", "joined as seat 1"}, said)
        self.assertEqual([out.splitlines()[1:] for out, _ in said], [[over]] * 2)
        self.assertEqual([bot.returncode for bot in bots], [0, 0])

    def test_a_bot_takes_a_seat_over(self) -> None:
        made = self.client.create("skirmish", seats=[house_bot()])
        seat = self.client.join(made.terms.match_id)
        bot = self.bot(seat.match_id, "--token", seat.token, "--seed", "3")
        bot.communicate(timeout=SECONDS_MAX)
        self.assertEqual(bot.returncode, 0)
        self.assertEqual(self.client.get(seat.match_id).state.status, v1.MATCH_STATUS_FINISHED)

    def test_a_bot_says_what_is_wrong(self) -> None:
        bot = self.bot("nowhere", "--join")
        _, said = bot.communicate(timeout=SECONDS_MAX)
        self.assertEqual(bot.returncode, 1)
        self.assertRegex(said, r"^[A-Z_]+: ")

    def test_the_example(self) -> None:
        command = [sys.executable, str(EXAMPLE), self.server.address]
        said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout.splitlines()[-1], r"^\d+ rolls are those that the server was bound to")


if __name__ == "__main__":
    unittest.main()
