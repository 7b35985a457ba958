"""Clusters of PostgreSQL with an archive of their log, with the settings that the database of compose has."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from compose import STACKS, stack
from postgres import ROLE, Folder, Postgres, make_cluster, require_postgres, run_as_postgres
from tools import DEPLOY, SCRIPT_SECONDS_MAX, run

ARCHIVED_SECONDS_MAX = 60
MOMENT = """to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


class Archived(Folder):
    """Clusters with one archive."""

    def __init__(self) -> None:
        super().__init__()
        self.sockets = self.make("sockets")
        self.archive = self.make("archive")
        database = stack(STACKS[1])["services"]["database"]
        self._initdb = database["environment"]["POSTGRES_INITDB_ARGS"].split()
        settings = [setting for setting in database["command"][1:] if setting != "-c"]
        # Here the archive has another place.
        self.settings = [setting.replace("/kept/archive", str(self.archive)) for setting in settings]

    def new(self, name: str) -> Postgres:
        """A server on a new cluster, with the role's database."""
        make_cluster(self.path / name, *self._initdb)
        database = self.start(name)
        database.sql(f"CREATE DATABASE {ROLE}", database="postgres")
        return database

    def start(self, name: str) -> Postgres:
        """A server on a cluster that is there, once it can be written to."""
        return Postgres(self.path / name, self.sockets, *self.settings).wait_until_ready()

    def take_base(self, database: Postgres) -> Path:
        """A base backup of a running server."""
        base = self.path / "base"
        where = ("--host", self.sockets, "--port", str(database.port), "--username", ROLE)
        run_as_postgres("pg_basebackup", *where, "--pgdata", base, "--checkpoint=fast", "--no-sync")
        return base


class OnArchived(unittest.TestCase):
    """Tests of clusters with an archive, in which all servers of matches have one key."""

    def setUp(self) -> None:
        require_postgres()
        self.kept = Archived()
        self.addCleanup(self.kept.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.key = self.folder / "server.key"


def archive_all(database: Postgres) -> None:
    """Waits until all that was committed is in the archive."""
    segment = database.sql("SELECT pg_walfile_name(pg_switch_wal())")
    by = time.monotonic() + ARCHIVED_SECONDS_MAX
    # Names of one history follow each other as texts do.
    while database.sql("SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver") < segment:
        if time.monotonic() > by:
            raise AssertionError(f"{segment} is not in the archive:\n" + "".join(database.said[-20:]))
        time.sleep(0.05)


def now(database: Postgres) -> str:
    """The moment by the database's clock."""
    return database.sql(f"SELECT {MOMENT}")


def next_second(database: Postgres) -> str:
    """A moment of the next second, by the database's clock: the end of a backup is written down to the second."""
    begun = now(database)[:19]
    while (moment := now(database))[:19] == begun:
        time.sleep(0.05)
    return moment


def run_script(name: str, *arguments: str | Path, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script of deploy/, with PostgreSQL's programs on its path."""
    path = f"{require_postgres()}{os.pathsep}{os.environ['PATH']}"
    return run(DEPLOY / name, *arguments, code=code, seconds=SCRIPT_SECONDS_MAX, PATH=path, **variables)
