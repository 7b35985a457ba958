"""The files of deploy/compose, as docker compose lays one over the other: by its own library."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tools import DEPLOY, ROOT, require_tools, run

COMPOSE = DEPLOY / "compose"
# What is brought up together, each under the next.
STACKS = (
    ("compose.yaml",),
    ("compose.yaml", "compose.database.yaml"),
    ("compose.yaml", "compose.database.yaml", "compose.servers.yaml"),
)
LIBRARY = ("go", "run", "-C", ROOT / "deploy" / "tests" / "stack", ".")


@cache
def _stack_text(names: tuple[str, ...]) -> str:
    require_tools("go")
    return run(*LIBRARY, COMPOSE, *(COMPOSE / name for name in names)).stdout


def stack(names: tuple[str, ...]) -> dict[str, Any]:
    """What comes of these files, each laid over those before it. Paths are whole, and short forms are written out."""
    return json.loads(_stack_text(names))


def refused(files: dict[str, str], folder: Path) -> str:
    """What the library says of files, written into this folder, that it does not accept."""
    require_tools("go")
    for name, text in files.items():
        (folder / name).write_text(text)
    return run(*LIBRARY, folder, *(folder / name for name in files), code=1).stderr
