"""A receiver of OpenTelemetry's metrics, as a collector is one."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

# The suite starts programs beside it, and none of them goes on with its connections.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

import grpc  # noqa: E402
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc  # noqa: E402

WAIT_SECONDS_MAX = 60


class Receiver(metrics_service_pb2_grpc.MetricsServiceServicer):
    """Takes metrics on a free port of loopback, and keeps the highest value of each gauge by its sender."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        # By the sender's service, its instance and the metric's name.
        self._gauges: dict[tuple[str, str, str], float] = {}
        self._server = grpc.server(ThreadPoolExecutor(max_workers=2))
        metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(self, self._server)
        self.endpoint = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def Export(self, request: Any, context: Any) -> Any:  # The protocol names it so.
        """Takes what one sender sends at once."""
        with self._news:
            for sent in request.resource_metrics:
                sender = {each.key: each.value.string_value for each in sent.resource.attributes}
                for metric in (metric for scope in sent.scope_metrics for metric in scope.metrics):
                    for point in metric.gauge.data_points:
                        key = (sender["service.name"], sender["service.instance.id"], metric.name)
                        value = point.as_double or float(point.as_int)
                        self._gauges[key] = max(value, self._gauges.get(key, 0.0))
            self._news.notify_all()
        return metrics_service_pb2.ExportMetricsServiceResponse()

    def wait_for(self, service: str, name: str, value: float, senders: int) -> None:
        """Waits until so many senders of a service have sent a gauge with this value or a higher one."""

        def has_come() -> bool:
            found = [sent for key, sent in self._gauges.items() if (key[0], key[2]) == (service, name)]
            return len([sent for sent in found if sent >= value]) >= senders

        with self._news:
            if not self._news.wait_for(has_come, WAIT_SECONDS_MAX):
                raise AssertionError(f"{name} did not come from {senders} senders with {value}: {self._gauges}")

    def close(self) -> None:
        """Ends it."""
        self._server.stop(None).wait()
