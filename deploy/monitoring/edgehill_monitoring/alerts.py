"""The alert rules, each with the series on which it fires and on which it does not: from them its test is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .expressions import count_rate, increase, quantile, rate, value, where
from .metrics import metric

RUNBOOKS = "docs/operations.md"
SENDER = {"job": "edgehill-server", "instance": "a"}

# The minutes of a test at which nothing may fire.
QUIET_AT = (7, 22, 30)

MIB = 1024 * 1024


@dataclass(frozen=True)
class Series:
    """One series of a test, in promtool's form: a value for each minute."""

    name: str
    values: str
    labels: str = ""

    def entry(self) -> dict[str, str]:
        """The entry of promtool's file."""
        labels = f",{self.labels}" if self.labels else ""
        return {
            "series": f'{self.name}{{job="{SENDER["job"]}",instance="{SENDER["instance"]}"{labels}}}',
            "values": self.values,
        }


@dataclass(frozen=True)
class Alert:
    """One rule."""

    name: str
    expression: str
    minutes: int
    severity: str
    summary: str
    description: str
    fires: tuple[Series, ...]
    quiet: tuple[Series, ...]
    # Labels that it has beside the sender's.
    labels: tuple[tuple[str, str], ...] = ()
    # Labels of the sender are not known where nothing is sent.
    anonymous: bool = False
    # The minute of its test at which it fires.
    fires_at: int = 40

    @property
    def anchor(self) -> str:
        """The runbook's place in its page."""
        return f"{RUNBOOKS}#{self.name.lower()}"

    def rule(self) -> dict[str, Any]:
        """The rule as Prometheus reads it."""
        return {
            "alert": self.name,
            "expr": self.expression,
            "for": f"{self.minutes}m",
            "labels": {"severity": self.severity},
            "annotations": {"summary": self.summary, "description": self.description, "runbook_url": self.anchor},
        }


def _buckets(name: str, slow: bool) -> tuple[Series, ...]:
    """A histogram in which all measurements are below 50 ms, or above half a second."""
    below = "0+0x60" if slow else "0+600x60"
    return (
        Series(f"{name}_bucket", below, 'le="0.05"'),
        Series(f"{name}_bucket", below, 'le="0.5"'),
        Series(f"{name}_bucket", "0+600x60", 'le="1"'),
        Series(f"{name}_bucket", "0+600x60", 'le="+Inf"'),
    )


def alerts() -> tuple[Alert, ...]:
    """All rules, the gravest first."""
    build, writable = metric("edgehill.build"), metric("edgehill.store.writable")
    failures, appends = metric("edgehill.store.failures"), metric("edgehill.store.append.duration")
    calls, refused = metric("rpc.server.call.duration"), metric("edgehill.calls.refused")
    line, log = metric("edgehill.store.line.bytes"), metric("edgehill.store.log.bytes")
    opened, limit = metric("edgehill.connections.open"), metric("edgehill.connections.limit")
    quarantined, unplayable = metric("edgehill.matches.quarantined"), metric("edgehill.matches.unplayable")
    hindered = metric("edgehill.competitions.hindered")
    shards, takeovers = metric("edgehill.cluster.shards"), metric("edgehill.cluster.takeovers")
    answers = metric("edgehill.cluster.database.answers")
    memory, turns = metric("process.memory.usage"), metric("edgehill.bots.turns.waiting")
    failure, status = failures.label("edgehill.failure"), calls.label("rpc.response.status_code")
    faults = where(calls, "error.type", '!=""')
    fault, reason = calls.label("error.type"), refused.label("edgehill.reason")
    return (
        Alert(
            "EdgehillAbsent",
            f"absent({value(build)})",
            3,
            "critical",
            "No server sends metrics",
            "Nothing has come for 3 minutes: the server, the collector or the way between them is down.",
            fires=(Series(build.prometheus, "1x2 _x30"),),
            quiet=(Series(build.prometheus, "1x40"),),
            anonymous=True,
        ),
        Alert(
            "EdgehillStoreNotWritable",
            f"{value(writable)} == 0",
            1,
            "critical",
            "The store can't write",
            "Calls that change something are refused or unanswered since a minute or more; health says NOT_SERVING.",
            fires=(Series(writable.prometheus, "1x2 0x30"),),
            fires_at=25,
            quiet=(Series(writable.prometheus, "1x5 0 1x30"),),
        ),
        Alert(
            "EdgehillNoOwner",
            f"sum({value(shards)}) < 1024",
            1,
            "critical",
            "No server of several has some of the matches",
            "Calls for matches of {{ $value }} of 1,024 shards alone are answered, since a minute or more.",
            fires=(Series(shards.prometheus, "1024x2 512x40"),),
            quiet=(Series(shards.prometheus, "1024x5 512 1024x30"),),
            anonymous=True,
        ),
        Alert(
            "EdgehillStoreDamaged",
            increase(failures, window="15m", where=where(failures, "edgehill.failure", '="damaged"')) + " > 0",
            0,
            "critical",
            "The store's file is damaged or was exchanged",
            "Writes found damage in the last 15 minutes. The server ends with exit code 3; a restart does not mend it.",
            fires=(Series(failures.prometheus, "0x20 1x20", f'{failure}="damaged"'),),
            fires_at=25,
            quiet=(Series(failures.prometheus, "0x20 1x20", f'{failure}="undone"'),),
        ),
        Alert(
            "EdgehillServerFaults",
            f"{count_rate(calls, where=faults)} / {count_rate(calls)} > 0.01",
            5,
            "critical",
            "More than 1 of 100 calls fails by the server's fault",
            "{{ $value | humanizePercentage }} of the calls ended with INTERNAL, UNKNOWN, UNAVAILABLE or the like.",
            fires=(
                Series(calls.count, "0+60x60", f'{status}="INTERNAL",{fault}="INTERNAL"'),
                Series(calls.count, "0+600x60", f'{status}="OK"'),
            ),
            quiet=(
                Series(calls.count, "0+60x60", f'{status}="NOT_FOUND"'),
                Series(calls.count, "0+600x60", f'{status}="OK"'),
            ),
        ),
        Alert(
            "EdgehillStoreFailures",
            increase(failures, "edgehill.failure", window="10m") + " > 0",
            0,
            "warning",
            "Transactions of the store failed",
            "{{ $value | humanize }} failed in 10 minutes: {{ $labels.edgehill_failure }}.",
            fires=(Series(failures.prometheus, "0x20 2x20", f'{failure}="undone"'),),
            fires_at=25,
            quiet=(Series(failures.prometheus, "2x60", f'{failure}="undone"'),),
            labels=((failure, "undone"),),
        ),
        Alert(
            "EdgehillManyTakeovers",
            f"sum(increase({value(takeovers)}[30m])) > 6",
            0,
            "warning",
            "Matches go from server to server",
            "{{ $value | humanize }} times in 30 minutes; each time some calls wait until the lease before is over.",
            fires=(Series(takeovers.prometheus, "0x20 8x20"),),
            quiet=(Series(takeovers.prometheus, "0x10 1x30"),),
            anonymous=True,
        ),
        Alert(
            "EdgehillDatabaseSilent",
            f"{value(answers)} == 0",
            2,
            "warning",
            "A server of several does not reach the database",
            "It can't say who has which matches, nor take any over; those that it has go to others.",
            fires=(Series(answers.prometheus, "1x2 0x40"),),
            quiet=(Series(answers.prometheus, "1x5 0 1x30"),),
        ),
        Alert(
            "EdgehillMatchesQuarantined",
            f"{value(quarantined)} > 0",
            0,
            "warning",
            "Matches are closed to play",
            "{{ $value }} matches wait until somebody has looked at them.",
            fires=(Series(quarantined.prometheus, "0x10 1x30"),),
            fires_at=25,
            quiet=(Series(quarantined.prometheus, "0x60"),),
        ),
        Alert(
            "EdgehillMatchesUnplayable",
            f"{value(unplayable)} > 0",
            5,
            "warning",
            "Matches that are not over can't be played",
            "This build lacks the rules, or the store the content, of {{ $value }} matches.",
            fires=(Series(unplayable.prometheus, "3x60"),),
            quiet=(Series(unplayable.prometheus, "0x60"),),
        ),
        Alert(
            "EdgehillCompetitionsHindered",
            f"{value(hindered)} > 0",
            5,
            "warning",
            "Competitions do not go on",
            "Something hinders {{ $value }} of them since 5 minutes; each says what it is.",
            fires=(Series(hindered.prometheus, "0x10 1x40"),),
            quiet=(Series(hindered.prometheus, "0x20 1x2 0x40"),),
        ),
        Alert(
            "EdgehillSlowAppends",
            f"{quantile(appends, 0.99)} > 0.25",
            10,
            "warning",
            "The disk is slow",
            "One append of a hundred takes {{ $value | humanizeDuration }} or longer to the disk.",
            fires=_buckets(appends.prometheus, slow=True),
            quiet=_buckets(appends.prometheus, slow=False),
        ),
        Alert(
            "EdgehillSlowCalls",
            f"{quantile(calls, 0.99)} > 0.5",
            10,
            "warning",
            "Calls are slow",
            "One call of a hundred takes {{ $value | humanizeDuration }} or longer.",
            fires=_buckets(calls.prometheus, slow=True),
            quiet=_buckets(calls.prometheus, slow=False),
        ),
        Alert(
            "EdgehillLineFills",
            f"{value(line)} > {32 * MIB}",
            5,
            "warning",
            "Much waits to be written",
            "{{ $value | humanize1024 }}B wait for the disk; at sqlite.line_bytes (64 MiB) callers wait as well.",
            fires=(Series(line.prometheus, f"{40 * MIB}x60"),),
            quiet=(Series(line.prometheus, f"{MIB}x20 {40 * MIB}x2 {MIB}x30"),),
        ),
        Alert(
            "EdgehillLogLarge",
            f"{value(log)} > {1024 * MIB}",
            30,
            "warning",
            "The write-ahead log does not go into the file",
            "It has {{ $value | humanize1024 }}B: somebody reads the store for very long.",
            fires=(Series(log.prometheus, f"{2048 * MIB}x60"),),
            quiet=(Series(log.prometheus, f"{16 * MIB}x60"),),
        ),
        Alert(
            "EdgehillConnectionsFull",
            f"{value(opened)} / {value(limit)} > 0.8",
            5,
            "warning",
            "Few connections are left",
            "{{ $value | humanizePercentage }} of capacity.connections are open; beyond, clients wait.",
            fires=(Series(opened.prometheus, "900x60"), Series(limit.prometheus, "1000x60")),
            quiet=(Series(opened.prometheus, "100x60"), Series(limit.prometheus, "1000x60")),
        ),
        Alert(
            "EdgehillManyRefusals",
            f"{rate(refused, 'edgehill.reason')} > 50",
            10,
            "warning",
            "Many calls are refused",
            "{{ $value | humanize }} a second for {{ $labels.edgehill_reason }}.",
            fires=(Series(refused.prometheus, "0+6000x60", f'{reason}="RATE_LIMITED"'),),
            quiet=(Series(refused.prometheus, "0+60x60", f'{reason}="RATE_LIMITED"'),),
            labels=((reason, "RATE_LIMITED"),),
        ),
        Alert(
            "EdgehillMemory",
            f"{value(memory)} > {1024 * MIB}",
            15,
            "warning",
            "The server has much memory",
            "{{ $value | humanize1024 }}B; the unit and the chart end it at 1.5 GiB.",
            fires=(Series(memory.prometheus, f"{1200 * MIB}x60"),),
            quiet=(Series(memory.prometheus, f"{200 * MIB}x60"),),
        ),
        Alert(
            "EdgehillBotsBehind",
            f"{value(turns)} > 100",
            15,
            "warning",
            "House bots are behind",
            "{{ $value }} of their turns wait for a thread.",
            fires=(Series(turns.prometheus, "500x60"),),
            quiet=(Series(turns.prometheus, "3x60"),),
        ),
    )


def rules() -> dict[str, Any]:
    """The file of rules."""
    return {"groups": [{"name": "edgehill", "rules": [alert.rule() for alert in alerts()]}]}


def tests() -> dict[str, Any]:
    """The file of their tests: each fires on its series, and is quiet on those that are as they should be."""
    cases: list[dict[str, Any]] = []
    for alert in alerts():
        labels = {"alertname": alert.name, "alertstate": "firing", "severity": alert.severity} | dict(alert.labels)
        if not alert.anonymous:
            labels |= SENDER
        fires = [{"labels": "ALERTS" + _braced(labels), "value": 1}]
        cases.append(_case(f"{alert.name} fires", alert, alert.fires, {alert.fires_at: fires}))
        cases.append(_case(f"{alert.name} is quiet", alert, alert.quiet, {minute: [] for minute in QUIET_AT}))
    return {"rule_files": ["alerts.yaml"], "evaluation_interval": "1m", "tests": cases}


def _case(name: str, alert: Alert, series: tuple[Series, ...], expected: dict[int, list[Any]]) -> dict[str, Any]:
    asked = f'ALERTS{{alertname="{alert.name}",alertstate="firing"}}'
    return {
        "name": name,
        "interval": "1m",
        "input_series": [one.entry() for one in series],
        "promql_expr_test": [
            {"expr": asked, "eval_time": f"{minute}m", "exp_samples": samples} for minute, samples in expected.items()
        ],
    }


def _braced(labels: dict[str, str]) -> str:
    return "{" + ",".join(f'{name}="{text}"' for name, text in sorted(labels.items())) + "}"
