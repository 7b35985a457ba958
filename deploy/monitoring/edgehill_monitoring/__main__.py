"""Writes the files that Grafana, Prometheus, promtool and an adapter of Kubernetes read; `make deploy-generate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from .adapter import values
from .alerts import rules, tests
from .dashboard import dashboard

FOLDER = Path(__file__).resolve().parents[1]
SOURCE = "# Made by `make deploy-generate` from deploy/monitoring/edgehill_monitoring: change that.\n"


def _yaml(what: dict[str, Any]) -> str:
    return SOURCE + yaml.safe_dump(what, sort_keys=False, width=140)


def files() -> dict[str, str]:
    """The files by name."""
    return {
        "grafana-dashboard.json": json.dumps(dashboard(), indent=2) + "\n",
        "alerts.yaml": _yaml(rules()),
        "alerts_test.yaml": _yaml(tests()),
        "adapter.yaml": _yaml(values()),
    }


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / name).write_text(text)
