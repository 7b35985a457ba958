"""deploy/database-drill.sh beside a server on a database, and each of its exit codes."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

from archived import OnArchived, archive_all, next_second, run_script
from playing import Match
from postgres import Postgres
from running import Server
from tools import SERVER, require_tools, run

CANNOT, ARGUMENTS, DAMAGED, DIFFERENT = 1, 2, 3, 4


class Drill(OnArchived):
    def setUp(self) -> None:
        require_tools("bash", "grpcurl", "jq", "setpriv")
        super().setUp()

    def serve(self, database: Postgres, **variables: str) -> Server:
        """A server on a database, which a test that fails leaves running until the suite ends."""
        return Server(EDGEHILL_POSTGRES__ADDRESS=database.address(), EDGEHILL_KEY_FILE=str(self.key), **variables)

    def drill(
        self, database: Postgres, server: Server, base: Path, *arguments: str | Path, code: int = 0, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs the drill. Settings of a running server are about it, and must not reach the restored one."""
        of_running = {"EDGEHILL_EXHIBITION": "true", "EDGEHILL_SERVER_BIN": str(SERVER)}
        here = ("--base", base, "--archive", self.kept.archive, "--database", database.address())
        return run_script(
            "database-drill.sh", *here, "--server", server.address, "--key-file", self.key, "--clocks-differ", "1",
            *arguments, code=code, **(of_running | variables),
        )  # fmt: skip

    def test_a_database_at_play_is_restored(self) -> None:
        database = self.kept.new("first")
        self.addCleanup(database.stop)
        server = self.serve(database, EDGEHILL_EXHIBITION="true", EDGEHILL_CAPACITY__BOT_TURNS_PER_SECOND="12")
        over, running = (Match(server, name).join(server) for name in ("over", "running"))
        over.play(server)
        base = self.kept.take_base(database)
        running.play(server, 3)
        moment = next_second(database)
        running.play(server, 3)
        later = Match(server, "later")
        next_second(database)
        archive_all(database)

        # All of the archive, and then up to the moment. Bots play on meanwhile, here and in what was restored.
        kept = self.folder / "kept"
        said = self.drill(database, server, base, "--keep", kept).stdout
        self.assertRegex(said, r"^database drill: the same\. [0-9]+ matches, [1-9][0-9]* of them over, as of ")
        records = {record.stem: record.read_text() for record in (kept / "records" / "restored").glob("*.edg")}
        self.assertIn("\nresult none\n", records[running.id])
        self.assertNotIn("\nresult none\n", records[over.id])
        self.assertIn(later.id, (kept / "restored.json").read_text())
        self.assertEqual(list(kept.rglob("server.key")), [])
        kept = self.folder / "kept-until"
        self.drill(database, server, base, "--keep", kept, "--until", moment)
        self.assertNotIn(later.id, (kept / "restored.json").read_text())

        # A record that differs is found, whether its match runs or is over.
        for match, words in ((running, "until the backup"), (over, "is over, and its records differ")):
            with self.subTest(match.name):
                forger = {"EDGEHILL_SERVER_BIN": str(self.forger(match.id))}
                said = self.drill(database, server, base, code=DIFFERENT, **forger).stderr
                self.assertIn(words, said)
        server.stop()

    def forger(self, match_id: str) -> Path:
        """A server that exports the running store without the first event of a match."""
        forger = self.folder / f"forger-{match_id}"
        forger.write_text(
            f"""#!/bin/bash
            # export --to FOLDER MATCH...
            [[ $1 == export && $3 == */running ]] || exec "{SERVER}" "$@"
            "{SERVER}" "$@" || exit
            sed -i '/^start /{{n;d}}' "$3/{match_id}.edg"
            """
        )
        forger.chmod(0o755)
        return forger

    def test_what_is_another_servers_is_a_difference_and_another_key_does_not_do(self) -> None:
        database = self.kept.new("first")
        self.addCleanup(database.stop)
        other = Server()
        Match(other, "other")
        server = self.serve(database)
        base = self.kept.take_base(database)
        Match(server, "own")
        next_second(database)
        next_second(database)
        Match(server, "last")
        archive_all(database)
        self.assertIn("the restored server does not list", self.drill(database, other, base, code=DIFFERENT).stderr)
        other.stop()
        empty = Server()
        self.assertIn("the running server does not list", self.drill(database, empty, base, code=DIFFERENT).stderr)
        empty.stop()
        foreign = self.folder / "foreign.key"
        run(SERVER, "key", "--account", "ada", "--role", "player", "--key-file", foreign)
        self.drill(database, server, base, "--key-file", foreign, code=CANNOT)
        # Nor does a backup of which nothing is known, or one that is not what it was.
        self.drill(
            database, server, base, "--archive", self.kept.sockets, "--until", next_second(database), code=CANNOT
        )
        (base / "PG_VERSION").write_text("16\n")
        self.drill(database, server, base, code=DAMAGED)
        server.stop()

    def test_wrong_arguments_are_refused(self) -> None:
        here = ("--base", "b", "--archive", "a", "--server", "s", "--key-file", "k")
        database = ("--database", "postgres://edgehill@db/edgehill")
        for arguments in (
            (),
            here,
            (*here, "--database", "db.example"),
            (*here, *database, "--fast", "yes"),
            (*here, *database, "--clocks-differ", "much"),
            (*here[:-2], *database),
        ):
            with self.subTest(arguments):
                said = run_script("database-drill.sh", *arguments, code=ARGUMENTS).stderr
                self.assertIn("database-drill.sh --base DIR", said)


if __name__ == "__main__":
    unittest.main()
