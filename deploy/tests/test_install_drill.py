"""deploy/backup-drill.sh beside a running server, and each of its exit codes."""

from __future__ import annotations

import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from rootfs import new_match
from running import Server
from tools import DEPLOY, SCRIPT_SECONDS_MAX, SERVER, require_tools, run

CANNOT, ARGUMENTS, DAMAGED, DIFFERENT = 1, 2, 3, 4
PLAYED_SECONDS_MAX = 90


class Drill(unittest.TestCase):
    def setUp(self) -> None:
        require_tools("bash", "grpcurl", "jq")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = self.folder / "store"

    def drill(self, *arguments: str | Path, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs the drill. Settings of a running server are about it, and must not reach the restored one."""
        exhibition = {"EDGEHILL_EXHIBITION": "true", "EDGEHILL_SERVER_BIN": str(SERVER)}
        script = DEPLOY / "backup-drill.sh"
        return run(script, *arguments, code=code, seconds=SCRIPT_SECONDS_MAX, **(exhibition | variables))

    def serve(self, *arguments: str | Path, **variables: str) -> Server:
        """Starts a server on the store, which a test that fails leaves running until the suite ends."""
        return Server("--store", self.store, *arguments, **variables)

    def test_a_server_that_answers_through_tls_is_asked_so(self) -> None:
        require_tools("openssl")
        server = self.serve()
        new_match(server)
        server.stop()
        key, certificate = self.folder / "tls.key", self.folder / "tls.crt"
        made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1")
        name = ("-subj", "/CN=here.example", "-addext", "subjectAltName=IP:127.0.0.1")
        run("openssl", *made, *name, "-keyout", key, "-out", certificate)
        server = self.serve(EDGEHILL_TLS__CERTIFICATE=str(certificate), EDGEHILL_TLS__KEY=str(key))
        here = ("--store", self.store, "--server", server.address)
        said = self.drill(*here, "--ca", certificate)
        self.assertRegex(said.stdout, r"^backup drill: the same\. 1 matches")
        self.drill(*here, code=CANNOT)
        server.stop()

    def forger(self, match_id: str) -> Path:
        """A server that exports the running store without the first event of a match or (`*`) of all that run."""
        forger = self.folder / f"forger{match_id.replace('*', '')}"
        unless = "" if match_id == "*" else "!"
        forger.write_text(
            f"""#!/bin/bash
            # export --store STORE --key-file FILE --to FOLDER MATCH...
            [[ $1 == export && $7 == */running ]] || exec "{SERVER}" "$@"
            "{SERVER}" "$@" || exit
            for record in "$7"/{match_id}.edg; do
                if {unless} grep -q '^result none$' "$record"; then sed -i '/^start /{{n;d}}' "$record"; fi
            done
            """
        )
        forger.chmod(0o755)
        return forger

    def test_a_server_whose_bots_play_is_restored(self) -> None:
        # Slow enough that matches run while all drills do, on a busy machine, too: it is what they have to bear.
        server = self.serve(EDGEHILL_EXHIBITION="true", EDGEHILL_CAPACITY__BOT_TURNS_PER_SECOND="12")
        new_match(server)
        by = time.monotonic() + PLAYED_SECONDS_MAX
        while not any(found["state"]["status"] == "MATCH_STATUS_FINISHED" for found in server.matches()):
            self.assertLess(time.monotonic(), by, "no match of the exhibition ended")
            time.sleep(0.1)
        said = self.drill("--store", self.store, "--server", server.address, "--keep", self.folder / "kept")
        self.assertRegex(said.stdout, r"^backup drill: the same\. [0-9]+ matches, [1-9][0-9]* of them over; backup")
        records = list((self.folder / "kept" / "records" / "restored").glob("*.edg"))
        self.assertTrue(any("\nresult none\n" in record.read_text() for record in records), "no match ran")
        self.assertTrue(any("\nresult none\n" not in record.read_text() for record in records))
        self.assertEqual(list((self.folder / "kept").rglob("server.key")), [])

        # A record that differs is found, whether its match runs or is over.
        here = ("--store", self.store, "--server", server.address)
        # One that is over by now is so in the backup, too.
        over = next(
            found["config"]["matchId"]
            for found in server.matches()
            if found["state"]["status"] == "MATCH_STATUS_FINISHED"
        )
        for status, match_id, words in (
            ("running", "*", "until the backup"),
            ("over", over, "is over, and its records differ"),
        ):
            with self.subTest(status):
                said = self.drill(*here, code=DIFFERENT, EDGEHILL_SERVER_BIN=str(self.forger(match_id)))
                self.assertIn(words, said.stderr)

        # A folder is never written into twice.
        self.drill("--store", self.store, "--server", server.address, "--keep", self.folder / "kept", code=CANNOT)
        server.stop()

    def test_an_account_is_used_where_one_is_asked_for(self) -> None:
        said = run(SERVER, "key", "--account", "ada", "--role", "player", "--store", self.store).stdout
        key = next(word for word in said.split() if word.startswith("ehk_"))
        accounts = self.folder / "accounts.toml"
        accounts.write_text(said[said.index("[[account]]") :])
        server = self.serve("--accounts", accounts)
        new_match(server, key=key)
        here = ("--store", self.store, "--server", server.address)
        self.drill(*here, code=CANNOT)
        self.drill(*here, EDGEHILL_DRILL_KEY=key)
        server.stop()

    def test_another_key_can_not_restore(self) -> None:
        server = self.serve()
        other = self.folder / "other.key"
        run(SERVER, "key", "--account", "ada", "--role", "player", "--key-file", other)
        self.drill("--store", self.store, "--server", server.address, "--key-file", other, code=CANNOT)
        server.stop()

    def test_the_backup_of_another_server_is_a_difference(self) -> None:
        server = self.serve()
        new_match(server)
        other = Server("--store", self.folder / "other")
        said = self.drill("--store", self.folder / "other", "--server", server.address, code=DIFFERENT)
        self.assertIn("the restored server does not list", said.stderr)
        # The other way about: the copy has a match which the server that is asked lacks.
        said = self.drill("--store", self.store, "--server", other.address, code=DIFFERENT)
        self.assertIn("the running server does not list", said.stderr)
        server.stop()
        other.stop()

    def test_a_damaged_store_is_told_from_all_else(self) -> None:
        server = self.serve()
        new_match(server)
        server.stop()
        file = self.store / "edgehill.sqlite"
        damaged = bytearray(file.read_bytes())
        # The kind of the first page's tree, which every reader looks at.
        damaged[100] ^= 0xFF
        file.write_bytes(damaged)
        bystander = Server("--store", self.folder / "other")
        self.drill("--store", self.store, "--server", bystander.address, code=DAMAGED)
        bystander.stop()

    def test_wrong_arguments_are_refused(self) -> None:
        for arguments in (
            (),
            ("--store", "here"),
            ("--store",),
            ("--store", "here", "--server", "there", "--fast", "yes"),
        ):
            with self.subTest(arguments):
                self.assertIn("backup-drill.sh --store DIR", self.drill(*arguments, code=ARGUMENTS).stderr)


if __name__ == "__main__":
    unittest.main()
