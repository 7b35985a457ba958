"""The Grafana dashboard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .expressions import count_rate, increase, quantile, rate, sum_rate, value
from .metrics import Metric, metric

# The uid that the data source has in deploy/compose; elsewhere it is chosen at the import.
DATASOURCE = {"type": "prometheus", "uid": "prometheus"}

# Columns of a row, and the height of a panel in Grafana's grid.
COLUMNS, HEIGHT, WIDTH = 3, 8, 8


@dataclass(frozen=True)
class Line:
    """One question of a panel, and how its answers are called."""

    expression: str
    legend: str


@dataclass(frozen=True)
class Panel:
    """One chart."""

    title: str
    lines: tuple[Line, ...]
    unit: str = "short"


@dataclass(frozen=True)
class Row:
    """Charts of one subject."""

    title: str
    panels: tuple[Panel, ...] = field(default_factory=tuple)


def _gauge(title: str, legend: str, name: str, unit: str = "short") -> Panel:
    return Panel(title, (Line(value(metric(name)), legend),), unit)


def _legend(of: Metric, label: str) -> str:
    return "{{" + of.label(label) + "}}"


def rows() -> tuple[Row, ...]:
    """What it shows."""
    calls, refused = metric("rpc.server.call.duration"), metric("edgehill.calls.refused")
    streams, ended = metric("edgehill.streams.open"), metric("edgehill.streams.ended")
    appends, replays = metric("edgehill.store.append.duration"), metric("edgehill.matches.replay.duration")
    written, transactions = metric("edgehill.store.appends"), metric("edgehill.store.transactions")
    failures, turns = metric("edgehill.store.failures"), metric("edgehill.bots.turn.duration")
    verdicts, forwarded = metric("edgehill.competitions.verdicts"), metric("edgehill.cluster.calls.forwarded")
    opened, limit = metric("edgehill.connections.open"), metric("edgehill.connections.limit")
    cpu, method, status = metric("process.cpu.time"), "rpc.method", "rpc.response.status_code"
    return (
        Row(
            "Calls",
            (
                Panel("Calls a second", (Line(count_rate(calls, method), _legend(calls, method)),), "reqps"),
                Panel("Calls a second, by status", (Line(count_rate(calls, status), _legend(calls, status)),), "reqps"),
                Panel(
                    "Time of calls",
                    tuple(Line(quantile(calls, share), f"{share:.0%} below") for share in (0.5, 0.9, 0.99)),
                    "s",
                ),
                Panel(
                    "Refusals a second",
                    (Line(rate(refused, "edgehill.reason"), _legend(refused, "edgehill.reason")),),
                    "reqps",
                ),
                Panel("Streams that are open", (Line(value(streams), _legend(streams, method)),)),
                Panel(
                    "Streams that end",
                    (Line(rate(ended, method, status), f"{_legend(ended, method)} {_legend(ended, status)}"),),
                    "reqps",
                ),
            ),
        ),
        Row(
            "Store",
            (
                Panel(
                    "Time of appends",
                    tuple(Line(quantile(appends, share), f"{share:.0%} below") for share in (0.5, 0.9, 0.99)),
                    "s",
                ),
                Panel(
                    "Appends and transactions a second",
                    (Line(rate(written), "appends"), Line(rate(transactions), "transactions")),
                    "wps",
                ),
                Panel(
                    "Transactions that fail",
                    (Line(rate(failures, "edgehill.failure"), _legend(failures, "edgehill.failure")),),
                    "wps",
                ),
                _gauge("Operations that wait", "operations", "edgehill.store.line.operations"),
                _gauge("Bytes that wait", "bytes", "edgehill.store.line.bytes", "bytes"),
                Panel(
                    "Files",
                    (
                        Line(value(metric("edgehill.store.file.bytes")), "store"),
                        Line(value(metric("edgehill.store.log.bytes")), "write-ahead log"),
                    ),
                    "bytes",
                ),
                _gauge("Writable", "writable", "edgehill.store.writable"),
            ),
        ),
        Row(
            "Matches",
            (
                _gauge("In memory", "matches", "edgehill.matches.loaded"),
                _gauge("Bytes in memory", "bytes", "edgehill.matches.loaded_bytes", "bytes"),
                Panel("Evictions a second", (Line(rate(metric("edgehill.matches.evicted")), "evicted"),)),
                Panel(
                    "Time of replays",
                    tuple(Line(quantile(replays, share), f"{share:.0%} below") for share in (0.5, 0.99)),
                    "s",
                ),
                Panel(
                    "Closed to play",
                    (
                        Line(value(metric("edgehill.matches.quarantined")), "in quarantine"),
                        Line(value(metric("edgehill.matches.unplayable")), "unplayable"),
                    ),
                ),
            ),
        ),
        Row(
            "House bots",
            (
                Panel("Turns a second", (Line(count_rate(turns, "edgehill.game"), _legend(turns, "edgehill.game")),)),
                Panel(
                    "Processors that they use",
                    (Line(sum_rate(turns, "edgehill.game"), _legend(turns, "edgehill.game")),),
                ),
                _gauge("Turns that wait", "turns", "edgehill.bots.turns.waiting"),
            ),
        ),
        Row(
            "Competitions",
            (
                Panel(
                    "Competitions",
                    (
                        Line(value(metric("edgehill.competitions.running")), "being played"),
                        Line(value(metric("edgehill.competitions.hindered")), "hindered"),
                    ),
                ),
                Panel(
                    "Verdicts a second",
                    (Line(rate(verdicts, "edgehill.verdict"), _legend(verdicts, "edgehill.verdict")),),
                ),
            ),
        ),
        Row(
            "Servers of a cluster",
            (
                Panel(
                    "Shards of each server, of 1,024",
                    (Line(value(metric("edgehill.cluster.shards")), "{{instance}}"),),
                ),
                Panel(
                    "Home of what belongs to no match",
                    (Line(value(metric("edgehill.cluster.home")), "{{instance}}"),),
                ),
                _gauge("Lease that is left", "{{instance}}", "edgehill.cluster.lease.remaining", "s"),
                Panel(
                    "Takeovers in 30 minutes",
                    (Line(increase(metric("edgehill.cluster.takeovers"), window="30m"), "{{instance}}"),),
                ),
                Panel(
                    "Calls that are handed on a second, by status",
                    (Line(rate(forwarded, status), _legend(forwarded, status)),),
                    "reqps",
                ),
                _gauge("Database answers", "{{instance}}", "edgehill.cluster.database.answers"),
            ),
        ),
        Row(
            "Process",
            (
                Panel("Processors", (Line(rate(cpu, "cpu.mode"), _legend(cpu, "cpu.mode")),)),
                _gauge("Memory", "memory", "process.memory.usage", "bytes"),
                Panel(
                    "Connections and files",
                    (
                        Line(value(opened), "connections"),
                        Line(value(limit), "connections at most"),
                        Line(value(metric("process.unix.file_descriptor.count")), "files"),
                    ),
                ),
                Panel(
                    "TLS handshakes that fail, a second",
                    (Line(rate(metric("edgehill.tls.handshakes.failed")), "failed"),),
                ),
                _gauge("Build", "{{" + metric("edgehill.build").label("edgehill.version") + "}}", "edgehill.build"),
            ),
        ),
    )


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana reads it."""
    panels: list[dict[str, Any]] = []
    top = 0
    for row in rows():
        panels.append(
            {"type": "row", "title": row.title, "collapsed": False, "panels": [], "gridPos": _at(0, top, 24, 1)}
        )
        top += 1
        for index, panel in enumerate(row.panels):
            line, column = divmod(index, COLUMNS)
            panels.append(_chart(panel, _at(column * WIDTH, top + line * HEIGHT, WIDTH, HEIGHT)))
        top += -(-len(row.panels) // COLUMNS) * HEIGHT
    return {
        "uid": "edgehill",
        "title": "Edgehill",
        "tags": ["edgehill"],
        "schemaVersion": 39,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "panels": [{"id": number, **panel} for number, panel in enumerate(panels, start=1)],
    }


def _at(x: int, y: int, w: int, h: int) -> dict[str, int]:
    return {"x": x, "y": y, "w": w, "h": h}


def _chart(panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    targets = [
        {"refId": chr(ord("A") + index), "datasource": DATASOURCE, "expr": line.expression, "legendFormat": line.legend}
        for index, line in enumerate(panel.lines)
    ]
    return {
        "type": "timeseries",
        "title": panel.title,
        "datasource": DATASOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": targets,
    }
