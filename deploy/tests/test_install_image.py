"""The root file system of the image: what is in it, and that a server in it serves, keeps its matches and stops."""

from __future__ import annotations

import os
import re
import socket
import stat
import tempfile
import unittest
import urllib.request
from pathlib import Path

from rootfs import VARIABLES, RootFs, new_match
from tools import DEPLOY, IMAGE_UID, ROOT, run

ACCEPT_SECONDS_MAX = 30


class Image(unittest.TestCase):
    def setUp(self) -> None:
        self.root = RootFs()
        self.addCleanup(self.root.close)

    def test_a_server_serves_and_keeps_a_match_across_a_stop(self) -> None:
        server = self.root.serve()
        self.assertEqual(server.call("grpc.health.v1.Health/Check"), {"status": "SERVING"})
        probe = self.root.run("/usr/bin/grpc-health-probe", f"-addr={server.address}")
        self.assertIn("SERVING", probe.stdout + probe.stderr)
        match_id = new_match(server)
        owner = Path(f"/proc/{server.process.pid}").stat().st_uid
        self.assertEqual(owner, IMAGE_UID)
        server.stop()
        self.root.run("/usr/bin/grpc-health-probe", f"-addr={server.address}", code=2)

        again = self.root.serve()
        self.assertEqual([found["config"]["matchId"] for found in again.matches()], [match_id])
        again.stop()

    def test_it_shows_the_pages(self) -> None:
        server = self.root.serve()
        with urllib.request.urlopen(f"http://{server.address}/docs/", timeout=ACCEPT_SECONDS_MAX) as page:
            self.assertEqual(page.read(), b"<h1>Edgehill</h1>")
        server.stop()

    def test_it_does_not_start_for_others_without_accounts(self) -> None:
        refused = self.root.run("/usr/bin/edgehill-server", code=2)
        self.assertIn("there are no accounts", refused.stderr)

    def test_the_first_account_is_made_before_there_are_accounts(self) -> None:
        secrets = self.root.path / "secrets"
        secrets.mkdir(mode=0o700)
        os.chown(secrets, IMAGE_UID, IMAGE_UID)
        arguments = ("key", "--account", "ada", "--role", "player")
        # The image's own configuration is refused without accounts, by this command, too.
        arguments += ("--listen", "127.0.0.1:0", "--key-file", "/secrets/server.key")
        self.assertIn("[[account]]", self.root.run("/usr/bin/edgehill-server", *arguments).stdout)
        self.assertEqual(stat.S_IMODE((secrets / "server.key").stat().st_mode), 0o600)

    def test_a_backup_is_made_beside_the_store(self) -> None:
        server = self.root.serve()
        new_match(server)
        self.root.run(
            "/usr/bin/edgehill-server", "--listen", "127.0.0.1:0", "backup", "/var/lib/edgehill/backup.sqlite"
        )
        server.stop()
        self.assertTrue((self.root.path / "var/lib/edgehill/backup.sqlite").is_file())

    def test_a_receiver_is_found_by_its_name(self) -> None:
        self.root.write("etc/hosts", "127.0.0.1 localhost collector.example\n")
        with socket.create_server(("127.0.0.1", 0)) as receiver:
            receiver.settimeout(ACCEPT_SECONDS_MAX)
            port = receiver.getsockname()[1]
            server = self.root.serve(
                EDGEHILL_TELEMETRY__OTLP_ENDPOINT=f"http://collector.example:{port}",
                EDGEHILL_TELEMETRY__METRIC_INTERVAL_SECONDS="1",
            )
            receiver.accept()[0].close()
        server.stop()

    def test_its_user_can_write_to_two_folders_alone(self) -> None:
        writable = set()
        for folder, _, files in os.walk(self.root.path):
            for path in (Path(folder), *(Path(folder, name) for name in files)):
                status = path.stat()
                if status.st_uid == IMAGE_UID or status.st_mode & (stat.S_IWOTH | stat.S_IWGRP):
                    writable.add(str(path.relative_to(self.root.path)))
        self.assertEqual(writable, {"tmp", "var/lib/edgehill"})

    def test_it_has_two_programs_and_no_shell(self) -> None:
        programs = {path.name for path in (self.root.path / "usr/bin").iterdir()}
        self.assertEqual(programs, {"edgehill-server", "grpc-health-probe"})
        self.assertFalse((self.root.path / "bin").exists())

    def test_a_folder_in_use_is_refused(self) -> None:
        docs = self.root.path / "usr/share/edgehill/docs"
        run(DEPLOY / "image" / "rootfs.sh", self.root.path, docs, "/bin/true", code=1)
        run(DEPLOY / "image" / "rootfs.sh", self.root.path, docs, code=2)

    def test_pages_that_are_not_there_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run(DEPLOY / "image" / "rootfs.sh", Path(folder, "root"), Path(folder, "docs"), "/bin/true", code=1)


class Dockerfile(unittest.TestCase):
    text = (DEPLOY / "image" / "Dockerfile").read_text()

    def test_the_last_stage_is_what_the_script_makes(self) -> None:
        last = self.text[self.text.rindex("\nFROM ") :]
        self.assertTrue(last.startswith("\nFROM scratch\n"))
        self.assertIn("deploy/image/rootfs.sh /rootfs ", self.text)
        self.assertIn("COPY --from=build /rootfs/ /\n", last)
        self.assertIn(f"\nUSER {IMAGE_UID}:{IMAGE_UID}\n", last)
        self.assertIn("\nSTOPSIGNAL SIGTERM\n", last)
        self.assertNotIn("\nRUN", last)

    def test_its_environment_is_the_one_that_is_tried(self) -> None:
        self.assertEqual(dict(re.findall(r"^ENV (\w+)=(.+)$", self.text, re.MULTILINE)), VARIABLES)

    def test_the_pages_are_those_that_are_built(self) -> None:
        self.assertIn("cd docs/site && npm ci ", self.text)
        self.assertIn("\nCOPY --from=docs /src/target/docs/ /out/docs/\n", self.text)
        self.assertIn("rootfs.sh /rootfs /out/docs ", self.text)

    def test_the_probe_is_the_one_that_is_tried(self) -> None:
        probe = re.search(r"grpc-health-probe@v[0-9.]+", self.text)
        assert probe is not None
        self.assertIn(probe[0], (ROOT / "Makefile").read_text())

    def test_every_copy_of_the_uid_is_the_same(self) -> None:
        for name in ("image/rootfs.sh", "image/Dockerfile", "helm/edgehill/templates/statefulset.yaml"):
            with self.subTest(name):
                found = set(
                    re.findall(
                        r"(?:uid=|USER |chown=|runAsUser: |runAsGroup: |fsGroup: )(\d+)", (DEPLOY / name).read_text()
                    )
                )
                self.assertEqual(found, {str(IMAGE_UID)})


if __name__ == "__main__":
    unittest.main()
