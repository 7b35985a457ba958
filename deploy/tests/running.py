"""A server that runs as a process, and calls to it."""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

from tools import SERVER, bare_environment, run

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60

_started: set[subprocess.Popen[str]] = set()


def _kill_all() -> None:
    for process in _started:
        process.kill()


# However the suite ends, its servers end with it.
atexit.register(_kill_all)


def call(
    address: str,
    method: str,
    request: dict[str, Any] | None = None,
    key: str = "",
    code: int = 0,
    on: tuple[str, ...] = (),
    headers: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The reply to a call. grpcurl ends with 64 and the status code if it is refused. `on` runs it elsewhere."""
    all_headers = (*headers, f"authorization: Bearer {key}") if key else headers
    given = (part for header in all_headers for part in ("-H", header))
    done = run(*on, "grpcurl", "-plaintext", *given, "-d", json.dumps(request or {}), address, method, code=code)
    return json.loads(done.stdout) if code == 0 else {}


class Server:
    """A server that accepts connections.

    `command` is its binary, or what runs it elsewhere; `on` runs it, and calls to it, on another machine."""

    def __init__(
        self,
        *arguments: str | Path,
        command: tuple[str | Path, ...] = (SERVER,),
        on: tuple[str, ...] = (),
        **variables: str,
    ) -> None:
        self.on = on
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(part) for part in (*on, *command, *arguments)],
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=bare_environment(**({"EDGEHILL_LISTEN": "127.0.0.1:0"} | variables)),
            text=True,
        )
        _started.add(self.process)
        self.address = self._read_address()

    def _read_address(self) -> str:
        lines: queue.Queue[str] = queue.Queue()
        assert (stdout := self.process.stdout) is not None
        threading.Thread(target=lambda: lines.put(stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_SECONDS_MAX)
        except queue.Empty:
            line = ""
        if not line.startswith("listening on "):
            self.process.kill()
            raise AssertionError(f"the server did not start: {line!r}\n{self.log_text()}")
        return line.removeprefix("listening on ").strip()

    def log_text(self) -> str:
        """What it has logged."""
        self.log.seek(0)
        return self.log.read()

    def call(self, method: str, request: dict[str, Any] | None = None, key: str = "", code: int = 0) -> dict[str, Any]:
        """The reply to a call of it."""
        return call(self.address, method, request, key, code, self.on)

    def matches(self, key: str = "") -> list[dict[str, Any]]:
        """The first page of its matches."""
        return self.call("edgehill.v1.MatchService/ListMatches", key=key).get("matches", [])

    def stop(self) -> str:
        """Stops it as an operator does; it has to say that all was well. What it has logged."""
        self.process.terminate()
        code = self.process.wait(STOP_SECONDS_MAX)
        _started.discard(self.process)
        assert self.process.stdout is not None
        self.process.stdout.close()
        log = self.log_text()
        self.log.close()
        if code != 0:
            raise AssertionError(f"exit code {code}\n{log}")
        return log
