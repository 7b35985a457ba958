"""Lengths of time as messages have them."""

from __future__ import annotations

from datetime import timedelta

from google.protobuf.duration_pb2 import Duration


def span(time: timedelta) -> Duration:
    """Returns a length of time for a message."""
    duration = Duration()
    duration.FromTimedelta(time)
    return duration
