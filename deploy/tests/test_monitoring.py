"""The dashboard and the alerts: made from their code, by names that Prometheus has, with a runbook each."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from tools import DEPLOY, ROOT, require_tools, run

sys.path.insert(0, str(DEPLOY / "monitoring"))

from edgehill_monitoring.__main__ import FOLDER, files  # noqa: E402
from edgehill_monitoring.adapter import values  # noqa: E402
from edgehill_monitoring.alerts import RUNBOOKS, alerts  # noqa: E402
from edgehill_monitoring.dashboard import rows  # noqa: E402
from edgehill_monitoring.metrics import metric, table  # noqa: E402


class Monitoring(unittest.TestCase):
    def test_the_files_are_what_their_code_makes(self) -> None:
        for name, text in files().items():
            self.assertEqual((FOLDER / name).read_text(), text, f"{name}: make deploy-generate")

    def test_names_are_those_that_the_collector_makes(self) -> None:
        require_tools("go")
        asked = [{"Name": one.name, "Kind": one.kind, "Unit": one.unit} for one in table().values()]
        names = run("go", "run", "-C", ROOT / "deploy" / "tests" / "names", ".", stdin=json.dumps(asked))
        self.assertEqual(json.loads(names.stdout), [one.prometheus for one in table().values()])

    def test_what_the_server_does_not_have_can_not_be_named(self) -> None:
        for wrong in (lambda: metric("edgehill.nothing"), lambda: metric("edgehill.build").label("match")):
            with self.assertRaises(ValueError):
                wrong()

    def test_every_metric_is_on_the_dashboard(self) -> None:
        shown = " ".join(line.expression for row in rows() for panel in row.panels for line in panel.lines)
        self.assertEqual([one.name for one in table().values() if one.prometheus not in shown], [])

    def test_an_autoscaler_gets_the_sum_of_its_own_servers(self) -> None:
        require_tools("promtool")
        for rule in values()["rules"]["external"]:
            series = rule["name"]["as"]
            # As the adapter asks for an autoscaler that names a job.
            asked = rule["metricsQuery"].replace("<<.Series>>", series).replace("<<.LabelMatchers>>", 'job="games"')
            sent = (("games", "a", 30), ("games", "b", 12), ("others", "c", 99))
            test = {
                "input_series": [
                    {"series": f'{series}{{job="{job}",instance="{instance}"}}', "values": f"{value}x10"}
                    for job, instance, value in sent
                ],
                "promql_expr_test": [
                    {"expr": asked, "eval_time": "5m", "exp_samples": [{"labels": "{}", "value": 42}]}
                ],
            }
            with self.subTest(series), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                json.dump({"tests": [test]}, file)
                file.flush()
                run("promtool", "test", "rules", file.name)
                # Discovery finds what is named, and nothing else.
                self.assertEqual(rule["seriesQuery"], f'{series}{{job!=""}}')

    def test_each_alert_has_a_runbook(self) -> None:
        headings = re.findall(r"^### (\w+)$", (ROOT / RUNBOOKS).read_text(), flags=re.MULTILINE)
        self.assertEqual(headings, [alert.name for alert in alerts()])

    def test_rules_are_prometheus_own(self) -> None:
        require_tools("promtool")
        run("promtool", "check", "rules", FOLDER / "alerts.yaml")

    def test_alerts_fire_and_are_quiet(self) -> None:
        require_tools("promtool")
        run("promtool", "test", "rules", FOLDER / "alerts_test.yaml")

    def test_an_alert_that_is_wrong_fails_its_test(self) -> None:
        require_tools("promtool")
        rules = (FOLDER / "alerts.yaml").read_text()
        for right, wrong in (("_ratio == 0", "_ratio == 2"), (" > 0.8", " > 0.08"), ('="damaged"', '=~".*"')):
            with self.subTest(wrong=wrong), tempfile.TemporaryDirectory() as folder:
                self.assertIn(right, rules)
                (Path(folder) / "alerts.yaml").write_text(rules.replace(right, wrong))
                shutil.copy(FOLDER / "alerts_test.yaml", folder)
                run("promtool", "test", "rules", Path(folder) / "alerts_test.yaml", code=1)


if __name__ == "__main__":
    unittest.main()
