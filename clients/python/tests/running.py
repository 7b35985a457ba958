"""A server that runs, as a process, and a relay before it that can lose its answers."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
import unittest
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from edgehill import Client

ROOT = Path(__file__).resolve().parents[3]
SERVER = Path(os.environ.get("EDGEHILL_SERVER", ROOT / "target" / "debug" / "edgehill-server"))


class Server:
    """A server on a free loopback port, over a store of its own that outlives it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        self.start()

    def start(self) -> None:
        """Starts it, on another port than before."""
        if not SERVER.exists():
            raise FileNotFoundError(f"{SERVER}: cargo build -p edgehill-service --bin edgehill-server")
        store = Path(self._folder.name, "store")
        command = [str(SERVER), "--listen", "127.0.0.1:0", "--store", str(store)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EDGEHILL_")}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
        )
        self._process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server said {line!r}, and ended with {process.wait()}")
        self.address = line.removeprefix("listening on ").strip()

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
            assert process.stdout is not None
            process.stdout.close()


class Relay:
    """Hands connections on to a server. Once it is told to lose answers, the server hears everything, and nobody hears it."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._losing = False
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:{}".format(self._listener.getsockname()[1])
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
            self._listener.close()
            self._break()

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _break(self) -> None:
        for end in self._open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it was closed by the other side
            end.close()
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
        while True:
            try:
                data = source.recv(65536)
                if not data:
                    return
                with self._lock:
                    lost = answers and self._losing
                if not lost:
                    sink.sendall(data)
            except OSError:
                return


class AgainstServer(unittest.TestCase):
    """Tests against one server, with a client of it."""

    server: Server
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)
