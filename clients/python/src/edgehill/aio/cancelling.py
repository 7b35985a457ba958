"""The difference between a task that is cancelled and a call that was closed: gRPC raises the same for both."""

from __future__ import annotations

import asyncio


def is_cancelled(error: BaseException) -> bool:
    """Returns whether the error cancels the current task, and is to be raised on."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
