"""deploy/database-restore.sh: a database at play is brought to a moment of its past, and play goes on from there."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from archived import OnArchived, archive_all, next_second, now, run_script
from playing import Match
from postgres import Postgres
from running import Server
from tools import SERVER, require_tools, run

CANNOT, ARGUMENTS, DAMAGED = 1, 2, 3
NOT_FOUND, OUT_OF_RANGE = 64 + 5, 64 + 11


def restore(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    return run_script("database-restore.sh", *arguments, code=code)


class Restored(OnArchived):
    def setUp(self) -> None:
        require_tools("grpcurl")
        super().setUp()

    def start(self, name: str) -> Postgres:
        """A server on a cluster, which ends with the test."""
        database = self.kept.start(name)
        self.addCleanup(database.stop)
        return database

    def serve(self, database: Postgres) -> Server:
        """A server of matches on a database, as its only one."""
        return Server(**self.variables(database), EDGEHILL_SHUTDOWN__GRACE_SECONDS="1")

    def variables(self, database: Postgres) -> dict[str, str]:
        return {
            "EDGEHILL_POSTGRES__ADDRESS": database.address(),
            # The one key that all of them have, whatever is restored.
            "EDGEHILL_KEY_FILE": str(self.key),
        }

    def records(self, database: Postgres, *matches: Match) -> dict[str, str]:
        """The records of matches, by a look into the database."""
        with tempfile.TemporaryDirectory() as folder:
            to = Path(folder, "records")
            run(SERVER, "export", "--to", to, *(match.id for match in matches), **self.variables(database))
            return {record.name: record.read_text() for record in to.iterdir()}

    def test_what_was_acknowledged_until_the_moment_is_there_and_nothing_after_it(self) -> None:
        first = self.kept.new("first")
        self.addCleanup(first.stop)
        server = self.serve(first)
        over, running, begun = (Match(server, name).join(server) for name in ("over", "running", "begun"))
        open_yet = Match(server, "open")
        over.play(server)
        self.assertEqual(over.status(server), "MATCH_STATUS_FINISHED")
        running.play(server, 5)
        base = self.kept.take_base(first)
        self.assertEqual((running.play(server, 4), begun.play(server, 3)), (4, 3))
        before = (over, running, begun)

        moment = next_second(first)
        shown = {match.id: match.shown(server) for match in before}
        records = self.records(first, *before)
        acknowledged = {match.id: len(match.acknowledged) for match in before}

        self.assertEqual((running.play(server, 3), begun.play(server, 4)), (3, 4))
        later = Match(server, "later")
        tokens = open_yet.join(server).tokens
        archive_all(first)

        said = restore(
            "--base", base, "--archive", self.kept.archive, "--to", self.kept.path / "second", "--until", moment
        )
        self.assertIn(moment, said.stdout)
        second = self.start("second")
        self.assertNotEqual(first.port, second.port)
        found = json.loads(run(SERVER, "fsck", "--json", **self.variables(second)).stdout)
        self.assertEqual((found["sound"], found["match_count"]), (True, 4), found)
        self.assertEqual(self.records(second, *before), records)

        # Each of the two goes on by itself: neither the lease nor the epochs of one know of the other.
        restored = self.serve(second)
        self.assertEqual({match.id: match.shown(restored) for match in before}, shown)
        gone_on = {match.id: match.shown(server) for match in (running, begun)}
        self.assertNotEqual(gone_on[running.id], shown[running.id])
        self.assertEqual(restored.call("grpc.health.v1.Health/Check"), {"status": "SERVING"})
        restored.call("edgehill.v1.MatchService/GetMatch", {"matchId": later.id}, code=NOT_FOUND)
        listed = {match["config"]["matchId"] for match in restored.matches()}
        self.assertEqual(listed, {open_yet.id, *(match.id for match in before)})
        # A seat that was taken after the moment is free, and taken by the same request with the same token. A match of
        # after it becomes another one.
        self.assertEqual(open_yet.status(restored), "MATCH_STATUS_WAITING")
        self.assertEqual(open_yet.join(restored).tokens, tokens)
        self.assertNotEqual(later.create(restored), later.id)
        server.stop()

        for match in (running, begun):
            split = acknowledged[match.id]
            # What was acknowledged before the moment is known by its request, and done once.
            known, lost = match.acknowledged[split - 1], match.acknowledged[split:]
            match.send(restored, known.seat, known.body)
            self.assertEqual(match.shown(restored), shown[match.id])
            # Who has seen more is told so.
            ahead = lost[-1]
            ask = {**ahead.body, "requestId": "ahead"}
            ask["batch"] = {**ahead.body["batch"], "expectedSeq": str(ahead.seq)}
            restored.call("edgehill.v1.MatchService/ApplyActions", ask, match.tokens[ahead.seat], code=OUT_OF_RANGE)
            # What came after it is not known: the same requests are done anew. Dice are the same again, and so is all
            # that is shown.
            self.assertEqual([match.send(restored, each.seat, each.body) for each in lost], [each.seq for each in lost])
            self.assertEqual(match.shown(restored), gone_on[match.id])
            # Play goes on, to the end.
            match.play(restored)
            self.assertEqual(match.status(restored), "MATCH_STATUS_FINISHED")
        restored.stop()
        self.assertEqual(run(SERVER, "fsck", "--json", **self.variables(second)).returncode, 0)
        # What was over stays as it was.
        self.assertEqual(self.records(second, over), {f"{over.id}.edg": records[f"{over.id}.edg"]})

    def test_a_restore_can_be_repeated_from_either_history(self) -> None:
        first = self.kept.new("first")
        self.addCleanup(first.stop)
        server = self.serve(first)
        match = Match(server, "match").join(server)
        base = self.kept.take_base(first)
        match.play(server, 2)
        moment = next_second(first)
        match.play(server, 2)
        of_first = match.shown(server)
        server.stop()
        archive_all(first)
        here = ("--base", base, "--archive", self.kept.archive)

        restore(*here, "--to", self.kept.path / "second", "--until", moment)
        second = self.start("second")
        server = self.serve(second)
        match.play(server, 6)
        of_second = match.shown(server)
        server.stop()
        archive_all(second)
        self.assertNotEqual(of_first, of_second)

        # All of the archive: by the last history, or by the first one, which the restore has left as it was.
        for name, arguments, shown in (("third", (), of_second), ("fourth", ("--timeline", "1"), of_first)):
            with self.subTest(name):
                restore(*here, "--to", self.kept.path / name, *arguments)
                server = self.serve(self.start(name))
                self.assertEqual(match.shown(server), shown)
                server.stop()

    def test_what_can_not_be_reached_is_not_made_up(self) -> None:
        first = self.kept.new("first")
        self.addCleanup(first.stop)
        first.sql("CREATE TABLE here (n int)")
        too_early = now(first)
        base = self.kept.take_base(first)
        to = self.kept.path / "second"
        # Nothing of the time after the backup has come into the archive yet.
        elsewhere = self.kept.make("elsewhere")
        said = restore("--base", base, "--archive", elsewhere, "--to", to, "--until", too_early, code=CANNOT)
        self.assertIn("nothing of the end of this backup", said.stderr)
        moment = next_second(first)
        archive_all(first)
        here = ("--base", base, "--to", to)
        said = restore(*here, "--archive", self.kept.archive, "--until", too_early, code=CANNOT)
        self.assertIn("the backup ended after it", said.stderr)
        self.assertFalse(to.exists())

        # An archive that ends too soon, here without the segment of the moment.
        for history in self.kept.archive.glob("*.backup"):
            shutil.copy2(history, elsewhere)
        restore(*here, "--archive", elsewhere, "--until", moment)
        database = Postgres(to, self.kept.sockets, *self.kept.settings)
        self.addCleanup(database.stop)
        words = "recovery ended before configured recovery target was reached"
        self.assertIn(words, database.wait_until_ended())

    def test_a_damaged_base_backup_is_refused(self) -> None:
        first = self.kept.new("first")
        self.addCleanup(first.stop)
        base = self.kept.take_base(first)
        file = next(path for path in (base / "base").rglob("*") if path.is_file() and path.stat().st_size)
        damaged = bytearray(file.read_bytes())
        damaged[0] ^= 0xFF
        file.write_bytes(damaged)
        to = self.kept.path / "second"
        restore("--base", base, "--archive", self.kept.archive, "--to", to, code=DAMAGED)
        self.assertFalse(to.exists())


class Arguments(unittest.TestCase):
    def test_wrong_ones_are_refused(self) -> None:
        here = ("--base", "b", "--archive", "a", "--to", "t")
        for arguments in ((), here[:4], (*here, "--until"), (*here, "--timeline", "last"), (*here, "--fast", "yes")):
            with self.subTest(arguments):
                self.assertIn("database-restore.sh --base DIR", restore(*arguments, code=ARGUMENTS).stderr)
        # A moment without its zone would be another one on another machine.
        for moment in ("2026-11-29 20:15:00", "yesterday", "2026-11-29T20:15:00Z'; --"):
            with self.subTest(moment):
                self.assertIn("is no moment", restore(*here, "--until", moment, code=ARGUMENTS).stderr)

    def test_what_is_there_is_not_written_over(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            base, archive = (Path(folder, name) for name in ("base", "archive"))
            here = ("--base", base, "--archive", archive, "--to", folder)
            self.assertIn("is no base backup", restore(*here, code=CANNOT).stderr)
            base.mkdir()
            (base / "backup_manifest").touch()
            self.assertIn("is not there", restore(*here, code=CANNOT).stderr)
            archive.mkdir()
            self.assertIn("is there already", restore(*here, code=CANNOT).stderr)
            strange = Path(folder, "it's")
            strange.mkdir()
            here = ("--base", base, "--archive", strange, "--to", Path(folder, "new"))
            self.assertIn("characters", restore(*here, code=CANNOT).stderr)


if __name__ == "__main__":
    unittest.main()
