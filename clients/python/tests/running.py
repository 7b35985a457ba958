"""A server that runs, as a process, and a relay before it that can lose its answers."""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import ClassVar

from edgehill import Client

ROOT = Path(__file__).resolve().parents[3]
SERVER = Path(os.environ.get("EDGEHILL_SERVER_BIN", ROOT / "target" / "debug" / "edgehill-server"))


# gRPC tells of each connection that a killed server breaks.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

# A suite that hangs says where, and ends.
SUITE_SECONDS_MAX = 900

_running: set[subprocess.Popen[str]] = set()


def _kill_all() -> None:
    for process in _running:
        process.kill()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _give_up() -> None:
    faulthandler.dump_traceback(all_threads=True)
    os.kill(os.getpid(), signal.SIGTERM)


# However the suite ends, its servers end with it.
atexit.register(_kill_all)
signal.signal(signal.SIGTERM, _interrupt)
_watchdog = threading.Timer(SUITE_SECONDS_MAX, _give_up)
_watchdog.daemon = True
_watchdog.start()


class Server:
    """A server on a free loopback port, over a store of its own that outlives it."""

    variables: ClassVar[dict[str, str]] = {}
    """What its configuration has besides."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        self.start()

    def settings(self) -> dict[str, str]:
        """Returns the variables of its configuration."""
        return self.variables

    def start(self) -> None:
        """Starts it, on another port than before."""
        if not SERVER.exists():
            raise FileNotFoundError(f"{SERVER}: cargo build -p edgehill-service --bin edgehill-server")
        store = Path(self._folder.name, "store")
        command = [str(SERVER), "--listen", "127.0.0.1:0", "--store", str(store)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EDGEHILL_")}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment | self.settings(), text=True
        )
        self._process = process
        _running.add(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server said {line!r}, and ended with {process.wait()}")
        self.address = line.removeprefix("listening on ").strip()

    def rotate_key(self, *flags: str) -> None:
        """Gives its store another key while it is stopped, and starts it."""
        self.stop()
        command = [str(SERVER), "rotate-key", "--store", str(Path(self._folder.name, "store")), *flags]
        subprocess.run(command, capture_output=True, check=True)
        self.start()

    def kill(self) -> None:
        """Ends it at once, as a power failure would."""
        self._end(subprocess.Popen.kill)

    def stop(self) -> None:
        """Has it end by itself."""
        self._end(subprocess.Popen.terminate)

    def close(self) -> None:
        """Ends it, and drops its store."""
        self.kill()
        self._folder.cleanup()

    def _end(self, how: Callable[[subprocess.Popen[str]], None]) -> None:
        process, self._process = self._process, None
        if process is not None:
            how(process)
            process.wait()
            _running.discard(process)
            assert process.stdout is not None
            process.stdout.close()


class Relay:
    """Hands connections on to a server. Made to lose answers, it hands all requests on, and no answer."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._losing = False
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_answers(self) -> None:
        """From now on nothing comes back."""
        with self._lock:
            self._losing = True

    def move_to(self, target: str) -> None:
        """Breaks all connections; new ones lead to `target`, and its answers come back."""
        with self._lock:
            self._target, self._losing = target, False
            self._break()

    def close(self) -> None:
        """Ends it."""
        with self._lock:
            hang_up(self._listener)
            self._break()

    def __enter__(self) -> Relay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _break(self) -> None:
        for end in self._open:
            hang_up(end)
        self._open.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                host, _, port = self._target.rpartition(":")
                try:
                    server = socket.create_connection((host, int(port)))
                except OSError:
                    client.close()
                    continue
                self._open += [client, server]
            threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, True), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        try:
            while data := source.recv(65536):
                with self._lock:
                    lost = answers and self._losing
                if not lost:
                    sink.sendall(data)
        except OSError:
            pass  # as good as its end
        hang_up(source)
        hang_up(sink)


def hang_up(end: socket.socket) -> None:
    """Closes a socket, and wakes the thread that waits for it."""
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it was closed by the other side
    end.close()


class AgainstServer(unittest.TestCase):
    """Tests against one server, with a blocking client of it."""

    server: Server
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)
