"""The processors of this machine, by who had them."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import NamedTuple

# Processes that end take their figures with them: they are looked at so often, in seconds.
OFTEN = 0.25

# Those of a PostgreSQL that are no session.
HELPERS = r"walsender|walreceiver|walwriter|startup|checkpointer|background writer|autovacuum"


class Spent(NamedTuple):
    """Ticks of processors: in programs of their own, and in the kernel for them."""

    user: int = 0
    kernel: int = 0

    def plus(self, other: Spent) -> Spent:
        return Spent(self.user + other.user, self.kernel + other.kernel)

    def since(self, before: Spent) -> Spent:
        return Spent(self.user - before.user, self.kernel - before.kernel)


def name(process: Path) -> str:
    """What a process is, in a table: a server of PostgreSQL has many."""
    said = (process / "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
    if not said.startswith("postgres: "):
        return Path(said).name
    helper = re.search(HELPERS, said)
    return f"PostgreSQL: {helper[0] if helper else 'sessions'}"


def processes() -> dict[int, tuple[str, Spent]]:
    """All processes that there are."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            found[int(process.name)] = (name(process), Spent(int(fields[11]), int(fields[12])))
        except OSError:
            # It has ended meanwhile.
            continue
    return found


def nobody() -> int:
    """Ticks of all processors that nobody had: idle, or waiting for a disk."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    return int(fields[4]) + int(fields[5])


class Processors(threading.Thread):
    """Looks at who has the processors, until it is stopped."""

    def __init__(self) -> None:
        super().__init__(name="processors", daemon=True)
        self._stopped = threading.Event()
        self._first = {pid: spent for pid, (_, spent) in processes().items()}
        self._last: dict[int, tuple[str, Spent]] = {}
        self._nobody = nobody()
        self.start()

    def run(self) -> None:
        while not self._stopped.wait(OFTEN):
            self._last |= processes()

    def stop(self) -> str:
        """The table of those who had a hundredth or more."""
        self._last |= processes()
        idle = nobody() - self._nobody
        self._stopped.set()
        self.join()
        groups: dict[str, Spent] = {}
        for pid, (group, spent) in self._last.items():
            mine = spent.since(self._first.get(pid, Spent()))
            groups[group] = groups.get(group, Spent()).plus(mine)
        every = idle + sum(map(sum, groups.values()))
        lines = ["| | of all processors | of that in the kernel |", "| --- | --- | --- |"]
        for group, spent in sorted(groups.items(), key=lambda one: -sum(one[1])):
            if sum(spent) >= every / 100:
                lines.append(f"| {group} | {sum(spent) / every:.1%} | {spent.kernel / every:.1%} |")
        lines.append(f"| nobody | {idle / every:.1%} | - |")
        return "\n".join(lines)
