"""The bot and the examples as programs, the way a reader of docs/sdk-python.md runs them."""

from __future__ import annotations

import subprocess
import sys
import unittest

from edgehill import house_bot, v1
from running import ROOT, AgainstServer

EXAMPLES = ROOT / "clients" / "python" / "examples"
SECONDS_MAX = 300


class Commands(AgainstServer):
    """Against one server."""

    def bot(self, match: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "edgehill.random_bot", "--server", self.server.address]
        pipe = subprocess.PIPE
        return subprocess.Popen([*command, "--match", match, *arguments], stdout=pipe, stderr=pipe, text=True)

    def test_two_bots_meet(self) -> None:
        match = self.client.create("skirmish").match.config.match_id
        bots = [self.bot(match, "--join", "--seed", seed) for seed in "12"]
        said = [bot.communicate(timeout=SECONDS_MAX) for bot in bots]
        result = self.client.get(match).state.result
        end = f"finished: {result.code} ({result.rule}), returns {result.returns[0]}, {result.returns[1]}"
        self.assertEqual({out.splitlines()[0] for out, _ in said}, {"joined as seat 0", "joined as seat 1"}, said)
        self.assertEqual([out.splitlines()[1:] for out, _ in said], [[end]] * 2)
        self.assertEqual([bot.returncode for bot in bots], [0, 0])

    def test_a_bot_takes_a_seat_over(self) -> None:
        made = self.client.create("skirmish", seats=[house_bot()])
        seat = self.client.join(made.match.config.match_id)
        bot = self.bot(seat.match_id, "--token", seat.token, "--seed", "3")
        bot.communicate(timeout=SECONDS_MAX)
        self.assertEqual(bot.returncode, 0)
        self.assertEqual(self.client.get(seat.match_id).state.status, v1.MATCH_STATUS_FINISHED)

    def test_a_bot_makes_its_own_match(self) -> None:
        for game in ("skirmish", "cruel-necessity"):
            command = [sys.executable, "-m", "edgehill.random_bot", "--server", self.server.address, "--game", game]
            said = subprocess.run([*command, "--seed", "4"], capture_output=True, text=True, timeout=SECONDS_MAX)
            made, end = said.stdout.splitlines()
            match = self.client.get(made.removeprefix("made match "))
            self.assertEqual((match.config.game, match.state.status), (game, v1.MATCH_STATUS_FINISHED))
            self.assertTrue(end.startswith(f"finished: {match.state.result.code} "), end)

    def test_a_bot_is_told_what_does_not_go_together(self) -> None:
        for arguments in (["--match", "any"], ["--game", "skirmish", "--join"], []):
            command = [sys.executable, "-m", "edgehill.random_bot", "--server", self.server.address, *arguments]
            said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
            self.assertEqual(said.returncode, 2, said.stderr)

    def test_a_bot_says_what_is_wrong(self) -> None:
        bot = self.bot("nowhere", "--join")
        _, said = bot.communicate(timeout=SECONDS_MAX)
        self.assertEqual(bot.returncode, 1)
        self.assertRegex(said, r"^[A-Z_]+: ")

    def test_a_bot_finds_no_server(self) -> None:
        command = [sys.executable, "-m", "edgehill.random_bot", "--server", "127.0.0.1:1", "--match", "any", "--join"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^no server answers at 127\.0\.0\.1:1: .*\nis the server running\?")

    def example(self, name: str) -> list[str]:
        """The lines that an example prints."""
        command = [sys.executable, str(EXAMPLES / name), self.server.address]
        said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout.splitlines()

    def test_house_match(self) -> None:
        self.assertRegex(self.example("house_match.py")[-1], r"^\d+ rolls are those that the server was bound to")

    def test_aio_match(self) -> None:
        *matches, last = self.example("aio_match.py")
        self.assertEqual(len(matches), 3)
        for line in matches:
            self.assertRegex(line, r"^\S+: [1-9]\d* events, \S+, returns \[-?\d+, -?\d+\]$")
        self.assertRegex(last, r"^\d+ actions by 6 bots$")


if __name__ == "__main__":
    unittest.main()
