"""The programs that the tests call, and where things are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVER = Path(os.environ.get("EDGEHILL_SERVER_BIN", ROOT / "target" / "debug" / "edgehill-server")).resolve()
IMAGE_UID = 65532

# A call that hangs ends; a script that makes many of them has longer.
CALL_SECONDS_MAX = 120
SCRIPT_SECONDS_MAX = 600


def require(available: object, what: str) -> None:
    """Skips a test, or a class in its `setUpClass`, and says so; in CI it fails."""
    if available:
        return
    if os.environ.get("CI"):
        raise RuntimeError(f"{what} is missing")
    print(f"skipped: a test of deploy/ ({what} is missing)", file=sys.stderr)
    raise unittest.SkipTest(f"{what} is missing")


def require_tools(*tools: str) -> None:
    """Skips where one of these programs is missing."""
    for tool in tools:
        require(shutil.which(tool), tool)


def bare_environment(**variables: str) -> dict[str, str]:
    """The environment without the settings of a server that somebody runs here, and with `variables`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EDGEHILL_")}
    return kept | variables


def run(
    *command: str | Path, code: int = 0, stdin: str | None = None, seconds: int = CALL_SECONDS_MAX, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command that has to end with exit code `code`."""
    done = subprocess.run(
        [str(part) for part in command],
        input=stdin,
        capture_output=True,
        text=True,
        env=bare_environment(**variables),
        timeout=seconds,
        check=False,
    )
    if done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done
