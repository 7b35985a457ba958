"""The metrics of a server, as Prometheus has them: from the table of docs/server.md, which the server is held to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "server.md"
HEAD = "| metric | kind | unit | labels | what |"

# Labels that every series has: who sends it.
SENDER = ("job", "instance")

UNITS = {"s": "seconds", "By": "bytes"}


@dataclass(frozen=True)
class Metric:
    """One row of the table."""

    name: str
    kind: str
    unit: str
    labels: tuple[str, ...]
    what: str

    @property
    def prometheus(self) -> str:
        """Its name in Prometheus: words by underscores, then the unit, then `_total` where it only grows."""
        words = [word for word in re.split(r"[^a-zA-Z0-9]+", self.name) if word]
        unit = UNITS.get(self.unit)
        if unit and unit not in words:
            words.append(unit)
        if self.kind == "counter":
            words.append("total")
        if self.unit == "1" and self.kind == "gauge":
            words.append("ratio")
        return "_".join(words)

    @property
    def buckets(self) -> str:
        """The series of a histogram's buckets."""
        return self._part("bucket")

    @property
    def count(self) -> str:
        """The series of a histogram's count."""
        return self._part("count")

    @property
    def sum(self) -> str:
        """The series of a histogram's sum."""
        return self._part("sum")

    def _part(self, part: str) -> str:
        if self.kind != "histogram":
            raise ValueError(f"{self.name} is a {self.kind}")
        return f"{self.prometheus}_{part}"

    def label(self, name: str) -> str:
        """One of its labels, as Prometheus writes it."""
        if name not in self.labels:
            raise ValueError(f"{self.name} has no label {name}: {self.labels}")
        return name.replace(".", "_")


@cache
def table() -> dict[str, Metric]:
    """All metrics, by name."""
    _, _, after = MANUAL.read_text().partition(HEAD + "\n")
    rows = [row for row in after.split("\n\n")[0].splitlines() if row.startswith("| `")]
    metrics = [_row(row) for row in rows]
    if not metrics:
        raise ValueError(f"{MANUAL.name} has no table of metrics")
    return {metric.name: metric for metric in metrics}


def _row(row: str) -> Metric:
    name, kind, unit, labels, what = [cell.strip() for cell in row.strip("|").split("|")]
    return Metric(name.strip("`"), kind, unit.strip("`"), tuple(re.findall("`([^`]+)`", labels)), what)


def metric(name: str) -> Metric:
    """The metric of a name."""
    found = table().get(name)
    if found is None:
        raise ValueError(f"the server has no metric {name}")
    return found
