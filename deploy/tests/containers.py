"""The containers of a stack of compose without docker: its programs with the settings of the stack, a machine each.

The root of the servers is that of the image. The database and the balancer are those that are installed here."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from compose import COMPOSE
from network import Network
from postgres import Folder, Postgres, make_cluster, require_postgres
from rootfs import BINARY, VARIABLES, RootFs
from running import Server, call
from tools import IMAGE_UID, require_tools, run

WAIT_SECONDS_MAX = 90
PASSWORD = "not-a-real-one"
# Where a stack gives none. The last is nobody's container: who calls from outside.
ADDRESSES = {"edgehill": "172.28.74.11", "database": "172.28.74.20", "client": "172.28.74.30"}


class Containers:
    """A stack whose database is up, in a root file system that its servers share."""

    def __init__(self, root: RootFs, stack: dict[str, Any]) -> None:
        require_postgres()
        self._root = root
        self._services = stack["services"]
        given = {
            name: network["ipv4_address"]
            for name, service in self._services.items()
            if (network := service["networks"].get("servers"))
        }
        self._network = Network(**(ADDRESSES | given))
        root.write("etc/hosts", self._network.hosts())
        root.write("run/secrets/database_password", f"{PASSWORD}\n", mode=0o440, group=IMAGE_UID)
        self._folder = Folder()
        self.kept = self._folder.make("kept")
        self._folder.make("kept/archive")
        self._balancer: Balancer | None = None
        self._database = self._start_database()

    def _start_database(self) -> Postgres:
        """The database, made as its image makes it on the first start."""
        service = self._services["database"]
        password = self._folder.path / "password"
        password.write_text(PASSWORD)
        data = self._folder.path / "data"
        make_cluster(data, "--pwfile", password, *service["environment"]["POSTGRES_INITDB_ARGS"].split())
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all all scram-sha-256\n")
        settings = [setting.replace("/kept", str(self.kept)) for setting in service["command"][1:] if setting != "-c"]
        sockets = self._folder.make("sockets")
        database = Postgres(
            data, sockets, "listen_addresses=*", *settings, port=5432, on=self._network.on("database")
        ).wait_until_ready()
        database.sql(f"CREATE DATABASE {service['environment']['POSTGRES_USER']}", database="postgres")
        return database

    def address(self, name: str) -> str:
        """The address of a container."""
        return self._network.addresses[name]

    def serve(self, name: str, **variables: str) -> Server:
        """Starts a server of the stack, as it is configured there."""
        return self._root.serve(
            self._network.on(name),
            **({"EDGEHILL_LISTEN": "0.0.0.0:7400"} | self._services[name]["environment"] | variables),
        )

    def run(self, name: str, *arguments: str, program: str = BINARY) -> str:
        """What a command of the server's image prints, with what a server of the stack is configured with."""
        command = self._root.command(program, *arguments)
        variables = VARIABLES | self._services[name]["environment"]
        return run(*self._network.on(name), *command, **variables).stdout

    def balance(self) -> Balancer:
        """Starts the balancer of the stack."""
        self._balancer = Balancer(self._network.on("balancer"), self._network.on("client"), self.address("balancer"))
        return self._balancer

    def psql(self, address: str, statement: str, code: int = 0) -> str:
        """All that psql says of a statement, asked from where a server is."""
        program = require_postgres() / "psql"
        done = run(*self._network.on("edgehill"), program, "--no-psqlrc", address, "-c", statement, code=code)
        return done.stdout + done.stderr

    @staticmethod
    def wait_until(is_so: Callable[[], bool], otherwise: str) -> None:
        """Waits for something that comes about by itself."""
        by = time.monotonic() + WAIT_SECONDS_MAX
        while not is_so():
            if time.monotonic() > by:
                raise AssertionError(otherwise)
            time.sleep(0.1)

    def close(self) -> None:
        """Stops all but the servers, and removes what was made."""
        if self._balancer:
            self._balancer.stop()
        self._database.stop()
        self._network.close()
        self._folder.close()


class Balancer:
    """HAProxy with the configuration of the stack."""

    def __init__(self, on: tuple[str, ...], client: tuple[str, ...], address: str) -> None:
        require_tools("haproxy")
        self._on = on
        self._client = client
        self._address = address
        self._process = subprocess.Popen(
            [*on, "haproxy", "-db", "-f", COMPOSE / "balancer.cfg"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def call(
        self,
        method: str,
        request: dict[str, Any] | None = None,
        key: str = "",
        code: int = 0,
        headers: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """The reply to a client's call through it."""
        return call(f"{self._address}:7400", method, request, key, code, self._client, headers)

    def answered(self, method: str, request: dict[str, Any] | None = None, key: str = "") -> dict[str, Any]:
        """The reply to a call that is repeated while nobody can answer it, as clients repeat theirs."""
        by = time.monotonic() + WAIT_SECONDS_MAX
        while True:
            try:
                return self.call(method, request, key)
            except AssertionError as refused:
                if "Unavailable" not in str(refused) or time.monotonic() > by:
                    raise

    def page(self, path: str) -> str:
        """A page that a client's browser gets through it, over HTTP/1.1."""
        return _get(self._client, f"http://{self._address}:7400{path}")

    def servers(self) -> int:
        """How many servers it sends calls to."""
        return int(_get(self._on, "http://127.0.0.1:8404/") or 0)

    def stop(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait(WAIT_SECONDS_MAX)


def _get(on: tuple[str, ...], address: str) -> str:
    """What an address answers with 200, asked for on a machine; nothing else is told apart."""
    asked = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=10).read().decode())"
    done = subprocess.run([*on, sys.executable, "-c", asked, address], capture_output=True, text=True, check=False)
    return done.stdout
