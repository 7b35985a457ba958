"""Three PostgreSQL servers on this machine: a primary whose commits wait until one of two standbys has them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "deploy" / "tests"))

from postgres import ROLE, Folder, Postgres, free_port, make_cluster, run_as_postgres  # noqa: E402

SECONDS_MAX = 60


class Quorum:
    """The three, on disk, with `fsync`."""

    def __init__(self) -> None:
        self.folder, self.databases = Folder(), 0
        port = free_port()
        data, sockets = self.folder.path / "primary", self.folder.make("sockets")
        make_cluster(data)
        self.primary = Postgres(data, sockets, "max_connections=200", port=port).wait_until_ready()
        self.primary.sql(f"CREATE DATABASE {ROLE}", database="postgres")
        self.standbys = [self._standby(name, port) for name in ("one", "two")]
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (one, two)'")
        self.primary.sql("SELECT pg_reload_conf()")
        quorum = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'"
        deadline = time.monotonic() + SECONDS_MAX
        while self.primary.sql(quorum) != "2":
            if time.monotonic() > deadline:
                raise AssertionError("the standbys do not follow")
            time.sleep(0.2)

    def _standby(self, name: str, port: int) -> Postgres:
        data, sockets = self.folder.path / name, self.folder.make(f"sockets-{name}")
        source = f"host=127.0.0.1 port={port} user={ROLE} application_name={name}"
        run_as_postgres(
            "pg_basebackup", "--dbname", source, "--pgdata", data, "--write-recovery-conf", "--checkpoint=fast"
        )
        return Postgres(data, sockets, "max_connections=200")

    def database(self) -> str:
        """The address of a new database, which is replicated as all are."""
        self.databases += 1
        name = f"measured_{self.databases}"
        self.primary.sql(f"CREATE DATABASE {name}", database="postgres")
        return self.primary.address(name)

    def settings(self, folder: Path) -> dict[str, str]:
        """The settings of a server on a new database."""
        return {"EDGEHILL_POSTGRES__ADDRESS": self.database(), "EDGEHILL_KEY_FILE": str(folder / "server.key")}

    def close(self) -> None:
        """Ends them, and removes what they kept."""
        for server in (*self.standbys, self.primary):
            server.stop()
        self.folder.close()
