"""The rules of an adapter that shows Prometheus's series to an autoscaler of Kubernetes as external metrics."""

from __future__ import annotations

from typing import Any

from .metrics import SENDER, metric

# What an autoscaler may ask for (deploy/helm): what each server carries of, whether it owns matches or hands calls on.
CARRIED = ("edgehill.connections.open",)


def values() -> dict[str, Any]:
    """The values of the adapter's own chart, prometheus-adapter."""
    return {"rules": {"default": False, "external": [_rule(metric(name).prometheus) for name in CARRIED]}}


def _rule(series: str) -> dict[str, Any]:
    job = SENDER[0]
    return {
        "seriesQuery": f'{series}{{{job}!=""}}',
        "name": {"as": series},
        # Series have the name of the servers, and no namespace.
        "resources": {"namespaced": False},
        # The autoscaler's own choice of a job, and the sum over its servers.
        "metricsQuery": "sum(<<.Series>>{<<.LabelMatchers>>})",
    }
