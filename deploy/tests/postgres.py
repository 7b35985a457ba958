"""A real PostgreSQL for tests, from the programs that Debian has."""

from __future__ import annotations

import os
import pwd
import queue
import socket
import subprocess
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

from tools import bare_environment, require

# The role and the database of the server, as compose names them.
ROLE = "edgehill"
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60

# It ends when its stdin closes, and so with the suite, however that ends.
UNTIL_STDIN_CLOSES = """
exec 3<&0
"$@" 2>&1 3<&- &
server=$!
(read -r _ || true; kill -INT "$server") <&3 >/dev/null 2>&1 &
wait "$server"
"""


@cache
def programs() -> Path | None:
    """The folder of PostgreSQL's programs: Debian's newest, or that of the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda found: int(found.parent.name))
    on_path = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    for folder in (*reversed(debian), *on_path):
        if all((folder / program).is_file() for program in ("initdb", "postgres", "pg_basebackup", "pg_verifybackup")):
            return folder
    return None


def require_postgres() -> Path:
    """The folder of its programs; skips where there are none."""
    found = programs()
    require(found, "PostgreSQL")
    assert found is not None
    return found


def _user() -> dict[str, Any]:
    """The arguments of `subprocess` for the user that may run PostgreSQL, which root may not."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def free_port() -> int:
    """A port of loopback that is free: PostgreSQL takes none of the system's choice."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def run_as_postgres(program: str, *arguments: str | Path, code: int = 0) -> str:
    """Runs one of PostgreSQL's programs, and gives what it printed."""
    done = subprocess.run(
        [str(part) for part in (require_postgres() / program, *arguments)],
        capture_output=True,
        text=True,
        env=bare_environment(LC_ALL="C"),
        cwd="/",
        check=False,
        **_user(),
    )
    if done.returncode != code:
        raise AssertionError(f"{program}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout


class Folder:
    """A temporary folder that the user of PostgreSQL owns, and whoever runs the tests can read."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="edgehill-postgres-")
        self.path = Path(self._folder.name)
        owner = _user()
        if owner:
            os.chown(self.path, owner["user"], owner["group"])

    def make(self, name: str) -> Path:
        """A new folder in it."""
        path = self.path / name
        path.mkdir(mode=0o700)
        owner = _user()
        if owner:
            os.chown(path, owner["user"], owner["group"])
        return path

    def close(self) -> None:
        """Removes it."""
        self._folder.cleanup()


def make_cluster(data: Path, *arguments: str | Path) -> None:
    """Makes an empty cluster in a new folder. Whoever is on this machine needs no password."""
    run_as_postgres("initdb", "--pgdata", data, "--no-sync", "--auth=trust", "--username", ROLE, *arguments)


class Postgres:
    """A server on a cluster's folder, which listens on a port of loopback and on a socket in `sockets`.

    Port 0 is a free one. `on` runs it on another machine."""

    def __init__(self, data: Path, sockets: Path, *settings: str, port: int = 0, on: tuple[str, ...] = ()) -> None:
        self.data = data
        self.sockets = sockets
        self.port = port or free_port()
        # Who goes to another machine is root there first.
        become = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups") if on else ()
        arguments = [*on, *become, require_postgres() / "postgres", "-D", data, "-k", sockets, "-p", str(self.port)]
        # What is given comes last, and so stands above these.
        for setting in ("listen_addresses=127.0.0.1", *settings):
            arguments += ["-c", setting]
        self.said: list[str] = []
        self.process = subprocess.Popen(
            ["sh", "-c", UNTIL_STDIN_CLOSES, "sh", *(str(part) for part in arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=bare_environment(LC_ALL="C"),
            cwd="/",
            **({} if on else _user()),
        )
        self._ready: queue.Queue[bool] = queue.Queue()
        self._reader = threading.Thread(target=self._read_on, daemon=True)
        self._reader.start()

    def _read_on(self) -> None:
        """Reads all that it says, lest it waits."""
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.said.append(line)
                if "database system is ready to accept connections" in line:
                    self._ready.put(True)
        self._ready.put(False)

    def wait_until_ready(self) -> Postgres:
        """Waits until it can be written to."""
        if not self._ready.get(timeout=START_SECONDS_MAX):
            raise AssertionError("PostgreSQL did not start\n" + "".join(self.said))
        return self

    def wait_until_ended(self) -> str:
        """Waits until it has ended by itself, and gives what it said."""
        while self._ready.get(timeout=START_SECONDS_MAX):
            pass
        return "".join(self.said)

    def sql(self, statement: str, database: str = ROLE, role: str = ROLE) -> str:
        """What a statement of one column gives, a line a row."""
        where = ("--host", self.sockets, "--port", str(self.port), "--username", role, "--dbname", database)
        return run_as_postgres(
            "psql", *where, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-c", statement
        ).strip()

    def address(self, database: str = ROLE) -> str:
        """Its address, for a server."""
        return f"postgres://{ROLE}@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def stop(self) -> None:
        """Stops it, as `pg_ctl stop` does."""
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait(STOP_SECONDS_MAX)
        self._reader.join(STOP_SECONDS_MAX)
