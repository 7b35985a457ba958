"""The root file system of the image, made by the script that the image is made with, and what runs in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from running import Server
from tools import DEPLOY, IMAGE_UID, SERVER, require, require_tools, run

BINARY = "/usr/bin/edgehill-server"
# The image has them in its environment.
VARIABLES = {
    "EDGEHILL_CONFIG": "/etc/edgehill/edgehill.toml",
    "EDGEHILL_DOCS__FOLDER": "/usr/share/edgehill/docs",
}


class RootFs:
    """A root file system in a temporary folder."""

    def __init__(self) -> None:
        require(os.geteuid() == 0, "root, for chroot,")
        require_tools("chroot", "ldd", "grpc-health-probe")
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "root")
        Path(self.folder.name).chmod(0o755)
        probe = shutil.which("grpc-health-probe")
        # A page stands for those that a stage of the image builds.
        docs = Path(self.folder.name, "docs")
        docs.mkdir(mode=0o700)
        (docs / "index.html").write_text("<h1>Edgehill</h1>")
        run(DEPLOY / "image" / "rootfs.sh", self.path, docs, SERVER, str(probe))

    def command(self, *program: str) -> tuple[str, ...]:
        """A program in it, run by the user of the image."""
        return ("chroot", f"--userspec={IMAGE_UID}:{IMAGE_UID}", str(self.path), *program)

    def run(self, *program: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Runs a program in it, as the image would."""
        return run(*self.command(*program), code=code, **VARIABLES)

    def serve(self, on: tuple[str, ...] = (), **variables: str) -> Server:
        """Starts the server in it, on a free loopback port, or `on` another machine."""
        return Server(command=self.command(BINARY), on=on, **(VARIABLES | variables))

    def write(self, name: str, text: str, mode: int = 0o644, group: int = 0) -> None:
        """Puts a file of root's into it, as a mount would."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.chown(path, 0, group)
        path.chmod(mode)

    def close(self) -> None:
        """Removes it."""
        self.folder.cleanup()

    def make_key(self, name: str) -> tuple[str, str]:
        """Makes the server's key and an account, somewhere else: the key of the account, and the lines of the file."""
        with tempfile.TemporaryDirectory() as folder:
            key = Path(folder, "server.key")
            said = run(SERVER, "key", "--account", "ada", "--role", "player", "--key-file", key).stdout
            self.write(name, key.read_text(), mode=0o440, group=IMAGE_UID)
        account_key = next(word for word in said.split() if word.startswith("ehk_"))
        return account_key, said[said.index("[[account]]") :]


# A match that waits for its seats.
NEW_MATCH = {"requestId": "1", "game": "skirmish", "clientSecret": "A" * 43 + "="}


def new_match(server: Server, **arguments: Any) -> str:
    """Makes a match that waits for its seats, and gives its id."""
    return server.call("edgehill.v1.MatchService/CreateMatch", NEW_MATCH, **arguments)["match"]["config"]["matchId"]
