"""deploy/compose: its files are accepted, fit each other, and its server starts in the image's file system."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import unittest
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from rootfs import RootFs
from tools import DEPLOY, require_tools, run

COMPOSE = DEPLOY / "compose"
# The schema of compose files comes with the library that reads them.
SCHEMA_MODULE = "github.com/compose-spec/compose-go/v2@v2.16.2"
UNAUTHENTICATED = 64 + 16


def read(name: str) -> Any:
    """A YAML file of the folder."""
    return yaml.safe_load((COMPOSE / name).read_text())


class Files(unittest.TestCase):
    compose = read("compose.yaml")

    def test_the_file_is_of_the_compose_specification(self) -> None:
        require_tools("go")
        folder = json.loads(run("go", "mod", "download", "-json", SCHEMA_MODULE).stdout)["Dir"]
        schema = json.loads(Path(folder, "schema", "compose-spec.json").read_text())
        jsonschema.validate(self.compose, schema)

    def test_docker_accepts_it(self) -> None:
        # There is no package of the plugin in CI's registries: the schema above stands for it there.
        docker = shutil.which("docker")
        if (
            docker is None
            or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
        ):
            self.skipTest("docker compose is missing")
        run(docker, "compose", "-f", COMPOSE / "compose.yaml", "config", "--quiet", EDGEHILL_COMMIT="abc1234")

    def test_every_file_that_is_mounted_is_there(self) -> None:
        for name, service in self.compose["services"].items():
            for volume in service["volumes"]:
                source = volume.split(":")[0]
                if source.startswith("."):
                    with self.subTest(service=name, source=source):
                        self.assertTrue((COMPOSE / source).exists())
                else:
                    self.assertIn(source, self.compose["volumes"])

    def test_what_is_published_is_loopbacks(self) -> None:
        for service in self.compose["services"].values():
            for port in service.get("ports", []):
                self.assertTrue(port.startswith("127.0.0.1:"), port)

    def test_metrics_have_a_way_from_the_server_to_grafana(self) -> None:
        server = tomllib.loads((COMPOSE / "server" / "edgehill.toml").read_text())
        collector = read("collector.yaml")
        otlp = collector["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"]
        self.assertEqual(server["telemetry"]["otlp_endpoint"], f"http://collector:{otlp.split(':')[1]}")
        targets = {
            target for job in read("prometheus.yml")["scrape_configs"] for target in job["static_configs"][0]["targets"]
        }
        shown = collector["exporters"]["prometheus"]["endpoint"].split(":")[1]
        self.assertIn(f"collector:{shown}", targets)
        source = read("grafana/datasources/prometheus.yaml")["datasources"][0]
        self.assertEqual(source["url"], "http://prometheus:9090")
        boards = read("grafana/dashboards/edgehill.yaml")["providers"][0]["options"]["path"]
        self.assertTrue(any(f":{boards}/" in volume for volume in self.compose["services"]["grafana"]["volumes"]))

    def test_each_pipeline_of_the_collector_is_of_parts_that_it_has(self) -> None:
        collector = read("collector.yaml")
        for pipeline in collector["service"]["pipelines"].values():
            for part, names in pipeline.items():
                self.assertLessEqual(set(names), set(collector[part]))

    def test_the_server_has_time_to_stop(self) -> None:
        shutdown = tomllib.loads((COMPOSE / "server" / "edgehill.toml").read_text())["shutdown"]
        period = int(re.fullmatch(r"(\d+)s", self.compose["services"]["edgehill"]["stop_grace_period"])[1])  # type: ignore[index]
        self.assertGreaterEqual(period, shutdown["delay_seconds"] + shutdown["grace_seconds"] + 20)


class Started(unittest.TestCase):
    def test_its_server_lets_in_the_accounts_of_its_file(self) -> None:
        root = RootFs()
        self.addCleanup(root.close)
        key, lines = root.make_key("run/secrets/server.key")
        root.write("etc/edgehill/edgehill.toml", (COMPOSE / "server" / "edgehill.toml").read_text())
        root.write("etc/edgehill/accounts.toml", (COMPOSE / "server" / "accounts.toml").read_text() + lines)
        # Nothing listens there: a receiver that is missing holds nothing up.
        server = root.serve(
            EDGEHILL_SHUTDOWN__DELAY_SECONDS="0", EDGEHILL_TELEMETRY__OTLP_ENDPOINT="http://127.0.0.1:9"
        )
        self.assertEqual(server.call("grpc.health.v1.Health/Check"), {"status": "SERVING"})
        server.call("edgehill.v1.MatchService/ListMatches", code=UNAUTHENTICATED)
        self.assertEqual(server.matches(key), [])
        server.stop()


if __name__ == "__main__":
    unittest.main()
