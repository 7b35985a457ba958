"""From packages to a match that is over, in a fresh virtualenv: `cold_start.py FOLDER`, with the wheels in it.

It does what clients/python/server/README.md says, and prints how long it took: the bar is a minute. Then the program of
docs/quickstarts.md runs with the same packages, in a clean folder.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

GAME = "skirmish"
QUICKSTARTS = Path(__file__).resolve().parents[3] / "docs" / "quickstarts.md"


def main(wheels: Path) -> None:
    """Installs, starts, plays."""
    with tempfile.TemporaryDirectory() as name:
        folder, began = Path(name), time.monotonic()
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / "bin"
        packages = sorted(wheels.glob("edgehill*.whl"))
        pip: list[str | Path] = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(pip, check=True)
        installed = time.monotonic()
        command: list[str | Path] = [
            programs / "edgehill-server",
            "--listen",
            "127.0.0.1:0",
            "--store",
            folder / "games",
        ]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().removeprefix("listening on ").strip()
            bot: list[str | Path] = [
                programs / "python",
                "-m",
                "edgehill.random_bot",
                "--server",
                address,
                "--game",
                GAME,
            ]
            played = subprocess.run(bot, check=True, capture_output=True, text=True, cwd=folder).stdout
            listed = subprocess.run(
                [programs / "edgehill", "--server", f"http://{address}", "matches"],
                check=True,
                capture_output=True,
                text=True,
                cwd=folder,
            ).stdout
            over = time.monotonic()
            [program] = re.findall(r"^```python\n(.*?)^```$", QUICKSTARTS.read_text(), re.MULTILINE | re.DOTALL)
            (folder / "clean").mkdir()
            (folder / "clean" / "match.py").write_text(program.replace("localhost:7400", address))
            said = subprocess.run(
                [programs / "python", "match.py"],
                check=True,
                capture_output=True,
                text=True,
                cwd=folder / "clean",
            ).stdout
        finally:
            server.terminate()
            server.wait()
            if server.stdout is not None:
                server.stdout.close()
    if "finished: " not in played or GAME not in listed:
        sys.exit(f"no match was played: {played}{listed}")
    if not re.fullmatch(r"\d+ actions, \w+: \[-?\d, -?\d\]\n", said):
        sys.exit(f"the quickstart has played nothing: {said}")
    print(f"a match was over after {over - began:.0f} s, {installed - began:.0f} of them for installing")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
