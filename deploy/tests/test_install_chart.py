"""The chart: Helm and Kubernetes' schemas accept what it makes, and its server starts in the image's file system."""

from __future__ import annotations

import base64
import json
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import yaml

from rootfs import RootFs
from tools import DEPLOY, IMAGE_UID, SERVER, require, require_tools, run

CHART = DEPLOY / "helm" / "edgehill"
VALUES: list[Path | None] = [None, *sorted((CHART / "ci").glob("*-values.yaml"))]
# The oldest that Chart.yaml accepts, and the newest of the package.
KUBERNETES = ("1.27.0", "1.37.0")
AUTOSCALED = CHART / "ci" / "autoscaled-values.yaml"
ACCOUNTS = DEPLOY / "compose" / "server" / "accounts.toml"
UNAUTHENTICATED = 64 + 16


def template(values: Path | None = None, *arguments: str) -> str:
    """What the chart makes with these values, as YAML."""
    files = ("--values", str(values)) if values else ()
    return run("helm", "template", "games", CHART, "--namespace", "play", *files, *arguments).stdout


def resources(text: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The resources by kind and name."""
    return {(found["kind"], found["metadata"]["name"]): found for found in yaml.safe_load_all(text) if found}


def pod(found: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    """The specification of the pod."""
    return found["StatefulSet", "games-edgehill"]["spec"]["template"]["spec"]


class Schemas:
    """The strict schemas of one Kubernetes, as files that kubeconform can follow from one to the other."""

    def __init__(self, version: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        package = find_spec("kubernetes_validate")
        assert package is not None and package.origin is not None
        source = Path(package.origin).parent / "kubernetes-json-schema" / f"v{version}-local-strict"
        for name in (
            "_definitions",
            "configmap-v1",
            "horizontalpodautoscaler-autoscaling-v2",
            "networkpolicy-networking-v1",
            "poddisruptionbudget-policy-v1",
            "secret-v1",
            "service-v1",
            "statefulset-apps-v1",
        ):
            schema = json.loads(
                (source / f"{name}.json").read_text().replace('"/api/_definitions.json#', '"_definitions.json#')
            )
            schema.pop("$id", None)
            Path(self._folder.name, f"{name}.json").write_text(json.dumps(schema))
        self.location = f"{self._folder.name}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"

    def check(self, text: str, code: int = 0) -> str:
        """What kubeconform says of these resources."""
        return run(
            "kubeconform", "-strict", "-summary", "-schema-location", self.location, stdin=text, code=code
        ).stdout

    def close(self) -> None:
        """Removes the files."""
        self._folder.cleanup()


class Chart(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        require_tools("helm")

    def test_helm_finds_nothing_wrong(self) -> None:
        for values in VALUES:
            with self.subTest(values=values):
                run("helm", "lint", "--strict", CHART, *(("--values", values) if values else ()))

    def test_values_that_can_not_work_are_refused(self) -> None:
        for wrong in (
            "replicas=2",
            "accounts.existingSecret=",
            "key.existingSecret=",
            "key.value=ehserver_aaaa",
            "telemetry.otlpEndpoint=https://collector:4317",
            "podDisruptionBudget.maxUnavailable=2",
            "storage.accessMode=ReadWriteMany",
            "database.address=postgres://edgehill:secret@db/edgehill",
            # Without a database there is one server.
            "autoscaling.enabled=true",
        ):
            with self.subTest(wrong):
                refused = run("helm", "template", "games", CHART, "--set", wrong, code=1)
                self.assertIn("values don't meet the specifications", refused.stderr)

    def test_the_server_accepts_every_configuration(self) -> None:
        for values in VALUES:
            with self.subTest(values=values), tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                text = resources(template(values))["ConfigMap", "games-edgehill"]["data"]["edgehill.toml"]
                file.write(text)
                file.flush()
                # The file of accounts has to be there; this one stands for that of the pod.
                there = {"EDGEHILL_ACCOUNTS": str(ACCOUNTS)} if 'accounts = "' in text else {}
                if "[tls]" in text:
                    # So do these for its certificate and key: they are read at the start.
                    there |= {f"EDGEHILL_TLS__{name}": str(ACCOUNTS) for name in ("CERTIFICATE", "KEY")}
                if "[postgres]" in text:
                    for name in ("PASSWORD_FILE", "CA_FILE"):
                        there[f"EDGEHILL_POSTGRES__{name}"] = str(ACCOUNTS)
                    # As the pod's variables have it.
                    scheme = "https" if "[tls]" in text else "http"
                    there["EDGEHILL_CLUSTER__ADDRESS"] = f"{scheme}://games-edgehill-0.games-edgehill-pod:7400"
                    if "[tls]" in text:
                        there["EDGEHILL_CLUSTER__CA_FILE"] = str(ACCOUNTS)
                run(SERVER, "--config", file.name, "--print-config", **there)

    def test_one_server_writes_and_has_time_to_stop(self) -> None:
        found = resources(template(CHART / "ci" / "watched-values.yaml"))
        self.assertEqual(found["StatefulSet", "games-edgehill"]["spec"]["replicas"], 1)
        self.assertEqual(pod(found)["terminationGracePeriodSeconds"], 0 + 30 + 20)

    def test_several_servers_share_a_database_and_know_each_other(self) -> None:
        found = resources(template(CHART / "ci" / "database-values.yaml"))
        spec = found["StatefulSet", "games-edgehill"]["spec"]
        self.assertEqual((spec["replicas"], spec["podManagementPolicy"]), (3, "Parallel"))
        self.assertNotIn("volumeClaimTemplates", spec)
        environment = {each["name"]: each.get("value") for each in pod(found)["containers"][0]["env"]}
        self.assertEqual(environment["EDGEHILL_CLUSTER__ADDRESS"], "https://$(POD).games-edgehill-pod:7400")
        headless = found["Service", "games-edgehill-pod"]["spec"]
        self.assertEqual((spec["serviceName"], headless["clusterIP"]), ("games-edgehill-pod", "None"))
        policy = found["NetworkPolicy", "games-edgehill"]["spec"]
        ports = [port["port"] for rule in policy["egress"] for port in rule["ports"]]
        self.assertEqual(ports, [5432, 5433, "grpc", 53, 53])
        self.assertEqual(len(policy["ingress"][0]["from"]), 2)

    def test_servers_come_and_go_with_what_they_carry(self) -> None:
        found = resources(template(AUTOSCALED))
        # The autoscaler's number holds, whatever else is changed by an upgrade.
        self.assertNotIn("replicas", found["StatefulSet", "games-edgehill"]["spec"])
        spec = found["HorizontalPodAutoscaler", "games-edgehill"]["spec"]
        self.assertEqual(spec["scaleTargetRef"]["name"], "games-edgehill")
        self.assertEqual((spec["minReplicas"], spec["maxReplicas"]), (2, 6))
        cpu, connections = spec["metrics"]
        self.assertEqual(cpu["resource"]["target"], {"type": "Utilization", "averageUtilization": 60})
        self.assertEqual(connections["external"]["target"], {"type": "AverageValue", "averageValue": "4000"})
        # One measure alone.
        only = resources(template(AUTOSCALED, "--set", "autoscaling.cpuPercent=0,resources.requests=null"))
        self.assertEqual(only["HorizontalPodAutoscaler", "games-edgehill"]["spec"]["metrics"], [connections])
        self.assertEqual([kind for kind, _ in resources(template()) if kind == "HorizontalPodAutoscaler"], [])

    def test_an_autoscaler_that_could_not_work_is_refused(self) -> None:
        for wrong, words in (
            ("autoscaling.cpuPercent=0,autoscaling.connections=0", "values don't meet the specifications"),
            ("telemetry.otlpEndpoint=", "values don't meet the specifications"),
            ("resources.requests.cpu=null", "values don't meet the specifications"),
            ("autoscaling.minReplicas=7", "minReplicas is more than"),
        ):
            with self.subTest(wrong):
                refused = run("helm", "template", "games", CHART, "--values", AUTOSCALED, "--set", wrong, code=1)
                self.assertIn(words, refused.stderr)

    def test_health_takes_calls_away_and_never_restarts(self) -> None:
        container = pod(resources(template()))["containers"][0]
        self.assertEqual(container["readinessProbe"]["grpc"], {"port": 7400})
        self.assertNotIn("grpc", container["livenessProbe"])
        self.assertNotIn("grpc", container["startupProbe"])

    def test_through_tls_the_image_asks_for_health(self) -> None:
        container = pod(resources(template(CHART / "ci" / "tls-values.yaml")))["containers"][0]
        self.assertIn("-tls", container["readinessProbe"]["exec"]["command"])
        self.assertNotIn("grpc", container["readinessProbe"])
        self.assertIn({"name": "tls", "mountPath": "/run/secrets/tls", "readOnly": True}, container["volumeMounts"])

    def test_the_key_is_in_its_secret_alone(self) -> None:
        text = template(CHART / "ci" / "own-secrets-values.yaml")
        found = resources(text)
        key = base64.b64decode(found["Secret", "games-edgehill-key"]["data"]["server.key"]).decode()
        self.assertTrue(key.startswith("ehserver_"))
        self.assertNotIn(key, text)
        self.assertEqual(
            found["Secret", "games-edgehill-key"]["metadata"]["annotations"], {"helm.sh/resource-policy": "keep"}
        )

    def test_notes_say_what_is_missing(self) -> None:
        notes = run("helm", "install", "games", CHART, "--dry-run=client", "--namespace", "play").stdout
        self.assertIn("kubectl --namespace play create secret generic edgehill-key --from-file=server.key", notes)
        self.assertIn("games-edgehill.play.svc:7400", notes)


class Kubernetes(unittest.TestCase):
    schemas: ClassVar[dict[str, Schemas]]

    @classmethod
    def setUpClass(cls) -> None:
        require_tools("helm", "kubeconform")
        require(find_spec("kubernetes_validate"), "kubernetes-validate")
        cls.schemas = {version: Schemas(version) for version in KUBERNETES}

    @classmethod
    def tearDownClass(cls) -> None:
        for schemas in cls.schemas.values():
            schemas.close()

    def test_its_schemas_accept_every_resource(self) -> None:
        for values in VALUES:
            for version, schemas in self.schemas.items():
                with self.subTest(values=values, version=version):
                    text = template(values, "--kube-version", version)
                    self.assertIn("Invalid: 0, Errors: 0, Skipped: 0", schemas.check(text))

    def test_its_schemas_refuse_a_field_that_is_not_there(self) -> None:
        wrong = template().replace("readOnlyRootFilesystem", "readonlyRootFilesystem")
        for schemas in self.schemas.values():
            self.assertIn("'readonlyRootFilesystem' not allowed", schemas.check(wrong, code=1))


class Started(unittest.TestCase):
    def test_its_server_answers_its_probe_through_tls(self) -> None:
        require_tools("helm", "openssl")
        root = RootFs()
        self.addCleanup(root.close)
        found = resources(template(CHART / "ci" / "tls-values.yaml"))
        root.make_key("run/secrets/edgehill/server.key")
        root.write("etc/edgehill/edgehill.toml", found["ConfigMap", "games-edgehill"]["data"]["edgehill.toml"])
        root.write("etc/edgehill/accounts.toml", ACCOUNTS.read_text())
        volume = next(volume for volume in pod(found)["volumes"] if volume["name"] == "tls")["secret"]
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = Path(folder, "tls.key"), Path(folder, "tls.crt")
            made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1")
            run("openssl", *made, "-subj", "/CN=games.example", "-keyout", key, "-out", certificate)
            for path in (key, certificate):
                mode = volume["defaultMode"]
                root.write(f"run/secrets/tls/{path.name}", path.read_text(), mode=mode, group=IMAGE_UID)
        server = root.serve(EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
        probe = pod(found)["containers"][0]["readinessProbe"]["exec"]["command"]
        command = [part.replace("127.0.0.1:7400", server.address) for part in probe]
        said = root.run(*command)
        self.assertIn("SERVING", said.stdout + said.stderr)
        # Not in clear.
        root.run(*(part for part in command if not part.startswith("-tls")), code=2)
        server.stop()

    def test_its_server_lets_in_the_accounts_of_its_secret(self) -> None:
        require_tools("helm")
        root = RootFs()
        self.addCleanup(root.close)
        key, lines = root.make_key("run/secrets/edgehill/server.key")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as values:
            yaml.safe_dump({"accounts": {"existingSecret": "", "value": lines}}, values)
            found = resources(template(Path(values.name)))
        root.write("etc/edgehill/edgehill.toml", found["ConfigMap", "games-edgehill"]["data"]["edgehill.toml"])
        accounts = found["Secret", "games-edgehill-accounts"]["data"]["accounts.toml"]
        root.write("etc/edgehill/accounts.toml", base64.b64decode(accounts).decode())
        server = root.serve(EDGEHILL_SHUTDOWN__DELAY_SECONDS="0")
        server.call("edgehill.v1.MatchService/ListMatches", code=UNAUTHENTICATED)
        self.assertEqual(server.matches(key), [])
        server.stop()


if __name__ == "__main__":
    unittest.main()
