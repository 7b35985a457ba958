"""What the chart's autoscaler looks at is sent by servers of the chart: by those that hand calls on, too."""

from __future__ import annotations

import socket
import sys
import tempfile
import unittest
from contextlib import ExitStack
from pathlib import Path

from postgres import ROLE, Folder, Postgres, make_cluster, require_postgres
from receiver import Receiver
from running import Server
from test_install_chart import ACCOUNTS, AUTOSCALED, resources, template
from tools import DEPLOY, require_tools

sys.path.insert(0, str(DEPLOY / "monitoring"))

from edgehill_monitoring.adapter import CARRIED  # noqa: E402
from edgehill_monitoring.metrics import metric  # noqa: E402

CLIENTS = 7


class Measured(unittest.TestCase):
    def setUp(self) -> None:
        require_tools("helm", "grpcurl")
        require_postgres()
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def database(self) -> Postgres:
        """A database of the server's role."""
        make_cluster(self.folder.path / "data")
        database = Postgres(self.folder.path / "data", self.folder.make("sockets")).wait_until_ready()
        self.addCleanup(database.stop)
        database.sql(f"CREATE DATABASE {ROLE}", database="postgres")
        return database

    def test_each_server_sends_what_the_autoscaler_asks_for(self) -> None:
        found = resources(template(AUTOSCALED))
        asked = found["HorizontalPodAutoscaler", "games-edgehill"]["spec"]["metrics"][1]["external"]["metric"]
        job = asked["selector"]["matchLabels"]["job"]
        [name] = [name for name in CARRIED if metric(name).prometheus == asked["name"]]

        receiver = Receiver()
        self.addCleanup(receiver.close)
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder, "edgehill.toml")
            config.write_text(found["ConfigMap", "games-edgehill"]["data"]["edgehill.toml"])
            # All else is as the chart has it: what is sent, and under which name.
            here = {
                "EDGEHILL_CONFIG": str(config),
                "EDGEHILL_KEY_FILE": str(Path(folder, "server.key")),
                "EDGEHILL_ACCOUNTS": str(ACCOUNTS),
                "EDGEHILL_POSTGRES__ADDRESS": self.database().address(),
                "EDGEHILL_POSTGRES__PASSWORD_FILE": str(ACCOUNTS),
                "EDGEHILL_CLUSTER__ADDRESS": "http://127.0.0.1:0",
                "EDGEHILL_SHUTDOWN__DELAY_SECONDS": "0",
                "EDGEHILL_TELEMETRY__OTLP_ENDPOINT": receiver.endpoint,
                "EDGEHILL_TELEMETRY__METRIC_INTERVAL_SECONDS": "1",
            }
            servers = [Server(**here) for _ in range(2)]
            # Clients of the one, and then of the other: each has half of the matches.
            for number, server in enumerate(servers, start=1):
                host, port = server.address.split(":")
                with ExitStack() as clients:
                    for _ in range(CLIENTS):
                        clients.enter_context(socket.create_connection((host, int(port))))
                    receiver.wait_for(job, name, value=CLIENTS, senders=number)
            for server in servers:
                server.stop()


if __name__ == "__main__":
    unittest.main()
