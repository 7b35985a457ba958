"""deploy/compose: its files are accepted and fit each other, and its server starts in the image's file system."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path
from typing import Any

import yaml

from compose import COMPOSE, STACKS, refused, stack
from containers import Containers
from rootfs import NEW_MATCH, RootFs, new_match
from tools import run

UNAUTHENTICATED = 64 + 16
SERVERS = ("edgehill", "edgehill-second")
# What the page's steps make before the first start.
MADE_BY_STEPS = (COMPOSE / "kept",)


def read(name: str) -> Any:
    """A YAML file of the folder that is not compose's own."""
    return yaml.safe_load((COMPOSE / name).read_text())


class Files(unittest.TestCase):
    def test_what_compose_does_not_know_is_refused(self) -> None:
        text = (COMPOSE / "compose.yaml").read_text()
        self.assertIn("read_only: true", text)
        with tempfile.TemporaryDirectory() as folder:
            said = refused({"compose.yaml": text.replace("read_only: true", "readonly: true", 1)}, Path(folder))
        self.assertIn("readonly", said)

    def test_docker_accepts_them(self) -> None:
        # There is no package of the plugin in CI's registries: its library stands for it there.
        docker = shutil.which("docker")
        if (
            docker is None
            or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
        ):
            self.skipTest("docker compose is missing")
        for names in STACKS:
            files = [part for name in names for part in ("-f", COMPOSE / name)]
            run(docker, "compose", *files, "config", "--quiet", EDGEHILL_COMMIT="abc1234")

    def test_every_file_that_is_mounted_is_there(self) -> None:
        compose = stack(STACKS[-1])
        for name, service in compose["services"].items():
            for volume in service.get("volumes", []):
                with self.subTest(service=name, volume=volume):
                    if volume["type"] == "volume":
                        self.assertIn(volume["source"], compose["volumes"])
                    elif Path(volume["source"]) not in MADE_BY_STEPS:
                        self.assertTrue(Path(volume["source"]).exists())

    def test_what_is_published_is_loopbacks_and_once(self) -> None:
        for names in STACKS:
            published = [port for service in stack(names)["services"].values() for port in service.get("ports", [])]
            with self.subTest(names):
                self.assertEqual({port["host_ip"] for port in published}, {"127.0.0.1"})
                self.assertEqual(sorted(port["published"] for port in published), ["3000", "7400"])

    def test_everything_runs_without_rights_of_its_own(self) -> None:
        for name, service in stack(STACKS[-1])["services"].items():
            with self.subTest(name):
                self.assertEqual(service["cap_drop"], ["ALL"])
                self.assertEqual(service["security_opt"], ["no-new-privileges:true"])
                self.assertIn("mem_limit", service)

    def test_nobody_but_the_servers_reaches_the_database(self) -> None:
        compose = stack(STACKS[-1])
        reach = {name for name, service in compose["services"].items() if "database" in service["networks"]}
        self.assertEqual(reach, {"database", *SERVERS})
        self.assertEqual(set(compose["services"]["database"]["networks"]), {"database"})
        self.assertNotIn("ports", compose["services"]["database"])
        for network in ("database", "servers", "telemetry"):
            self.assertTrue(compose["networks"][network]["internal"])

    def test_the_server_is_the_same_with_a_database(self) -> None:
        with_folder, with_database = (
            tomllib.loads((COMPOSE / "server" / name).read_text()) for name in ("edgehill.toml", "database.toml")
        )
        del with_folder["store"], with_database["postgres"]
        self.assertEqual(with_folder, with_database)

    def test_the_second_server_is_as_the_first(self) -> None:
        first, second = (stack(STACKS[-1])["services"][name] for name in SERVERS)
        addresses = [service["networks"]["servers"]["ipv4_address"] for service in (first, second)]
        for service, address in zip((first, second), addresses, strict=True):
            self.assertEqual(service["environment"].pop("EDGEHILL_CLUSTER__ADDRESS"), f"http://{address}:7400")
            service["networks"]["servers"] = "its own address"
        self.assertEqual(first, second)
        balancer = (COMPOSE / "balancer.cfg").read_text()
        self.assertEqual(re.findall(r"^    server \w+ ([0-9.]+):7400$", balancer, re.MULTILINE), addresses)
        self.assertEqual(
            first["environment"]["EDGEHILL_PROXY__ADDRESSES"],
            json.dumps([stack(STACKS[-1])["services"]["balancer"]["networks"]["servers"]["ipv4_address"]]),
        )

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
        services = stack(STACKS[-1])["services"]
        self.assertTrue(any(volume["target"].startswith(f"{boards}/") for volume in services["grafana"]["volumes"]))
        for name in SERVERS:
            self.assertIn("telemetry", services[name]["networks"])

    def test_each_pipeline_of_the_collector_is_of_parts_that_it_has(self) -> None:
        collector = read("collector.yaml")
        for pipeline in collector["service"]["pipelines"].values():
            for part, names in pipeline.items():
                self.assertLessEqual(set(names), set(collector[part]))

    def test_the_server_has_time_to_stop(self) -> None:
        shutdown = tomllib.loads((COMPOSE / "server" / "edgehill.toml").read_text())["shutdown"]
        services = stack(STACKS[-1])["services"]
        for name in SERVERS:
            period = int(services[name]["stop_grace_period"].removesuffix("s"))
            self.assertGreaterEqual(period, shutdown["delay_seconds"] + shutdown["grace_seconds"] + 20)


class Started(unittest.TestCase):
    def setUp(self) -> None:
        self.root = RootFs()
        self.addCleanup(self.root.close)
        self.key, lines = self.root.make_key("run/secrets/server.key")
        for name in ("edgehill.toml", "database.toml"):
            self.root.write(f"etc/edgehill/{name}", (COMPOSE / "server" / name).read_text())
        self.root.write("etc/edgehill/accounts.toml", (COMPOSE / "server" / "accounts.toml").read_text() + lines)

    def test_its_server_lets_in_the_accounts_of_its_file(self) -> None:
        # Nothing listens there: a receiver that is missing holds nothing up.
        server = self.root.serve(
            EDGEHILL_SHUTDOWN__DELAY_SECONDS="0", EDGEHILL_TELEMETRY__OTLP_ENDPOINT="http://127.0.0.1:9"
        )
        self.assertEqual(server.call("grpc.health.v1.Health/Check"), {"status": "SERVING"})
        server.call("edgehill.v1.MatchService/ListMatches", code=UNAUTHENTICATED)
        self.assertEqual(server.matches(self.key), [])
        server.stop()

    def up(self, names: tuple[str, ...]) -> Containers:
        """Brings up the database of a stack, on a network of the containers' own."""
        containers = Containers(self.root, stack(names))
        self.addCleanup(containers.close)
        return containers

    def test_its_server_keeps_matches_in_its_database(self) -> None:
        # What was in the folder before comes with it.
        before = self.root.serve(EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
        match_id = new_match(before, key=self.key)
        before.stop()
        containers = self.up(STACKS[1])
        address = tomllib.loads((COMPOSE / "server" / "database.toml").read_text())["postgres"]["address"]
        containers.run("edgehill", "migrate-store", "/var/lib/edgehill/store", address)
        self.assertIn("sound", containers.run("edgehill", "fsck"))
        server = containers.serve("edgehill", EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
        self.assertEqual([found["config"]["matchId"] for found in server.matches(self.key)], [match_id])
        server.stop()
        server = containers.serve("edgehill", EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
        self.assertEqual([found["config"]["matchId"] for found in server.matches(self.key)], [match_id])
        server.stop()
        # Whoever reaches it has to know the password.
        refused = containers.psql(
            f"postgres://edgehill:wrong@{containers.address('database')}/edgehill", "SELECT 1", code=2
        )
        self.assertIn("password authentication failed", refused)
        # What was written comes into the archive, within the minute for which a segment may stay open.
        containers.wait_until(lambda: any((containers.kept / "archive").iterdir()), "nothing came into the archive")

    def test_two_servers_answer_behind_one_address(self) -> None:
        containers = self.up(STACKS[2])
        calls = {"EDGEHILL_LOG__FILTER": "info,edgehill_service=debug"}
        running = [containers.serve(name, **calls) for name in SERVERS]
        balancer = containers.balance()
        containers.wait_until(lambda: balancer.servers() == 2, "the balancer does not find both servers")
        made = balancer.answered("edgehill.v1.MatchService/CreateMatch", NEW_MATCH, self.key)["match"]["config"][
            "matchId"
        ]

        def listed() -> list[str]:
            found = balancer.answered("edgehill.v1.MatchService/ListMatches", key=self.key)
            return [match["config"]["matchId"] for match in found["matches"]]

        self.assertEqual(listed(), [made])
        # A page comes through, in HTTP/1.1.
        self.assertIn("Edgehill", balancer.page("/docs/"))
        # Callers without an account are told apart by their own address, whatever they say of it.
        lies = ("x-forwarded-for: 192.0.2.9",)
        balancer.call("edgehill.v1.MatchService/ListMatches", code=UNAUTHENTICATED, headers=lies)
        # Each is stopped and started again in its turn, as for a new image, and calls go on.
        logs = ""
        for name, server in zip(SERVERS, running, strict=True):
            logs += server.stop()
            containers.wait_until(lambda: balancer.servers() == 1, "the other one does not go on")
            self.assertEqual(listed(), [made])
            again = containers.serve(name, EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
            self.addCleanup(again.stop)
            containers.wait_until(lambda: balancer.servers() == 2, f"{name} does not come back")
        self.assertEqual(listed(), [made])
        callers = set(re.findall(r'"caller":"([^"]+)"', logs))
        self.assertLessEqual({"ada", containers.address("client")}, callers)
        self.assertNotIn("192.0.2.9", callers)


if __name__ == "__main__":
    unittest.main()
