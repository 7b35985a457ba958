"""What is asked of Prometheus, by metric: the same question is written in the same way in alerts and panels."""

from __future__ import annotations

from .metrics import SENDER, Metric


def _by(labels: tuple[str, ...]) -> str:
    return ", ".join((*SENDER, *labels))


def value(metric: Metric) -> str:
    """A gauge as it is, or what a counter has come to."""
    return metric.prometheus


def rate(metric: Metric, *labels: str, window: str = "5m", where: str = "") -> str:
    """How fast a counter grows, by sender and these labels."""
    by = tuple(metric.label(label) for label in labels)
    return f"sum by ({_by(by)}) (rate({metric.prometheus}{where}[{window}]))"


def count_rate(metric: Metric, *labels: str, window: str = "5m", where: str = "") -> str:
    """How many a second a histogram measures, by sender and these labels."""
    by = tuple(metric.label(label) for label in labels)
    return f"sum by ({_by(by)}) (rate({metric.count}{where}[{window}]))"


def sum_rate(metric: Metric, *labels: str, window: str = "5m") -> str:
    """How much a second a histogram measures, by sender and these labels."""
    by = tuple(metric.label(label) for label in labels)
    return f"sum by ({_by(by)}) (rate({metric.sum}[{window}]))"


def quantile(metric: Metric, share: float, *labels: str, window: str = "5m") -> str:
    """The measurement below which this share of them is."""
    by = tuple(metric.label(label) for label in labels)
    return f"histogram_quantile({share}, sum by (le, {_by(by)}) (rate({metric.buckets}[{window}])))"


def increase(metric: Metric, *labels: str, window: str, where: str = "") -> str:
    """How much a counter has grown, by sender and these labels."""
    by = tuple(metric.label(label) for label in labels)
    return f"sum by ({_by(by)}) (increase({metric.prometheus}{where}[{window}]))"


def where(metric: Metric, label: str, test: str) -> str:
    """A choice of series by one label: `test` is an operator and a quoted value."""
    return f"{{{metric.label(label)}{test}}}"
