"""The database and the tools block, the event loop must not: they get threads, a bounded number of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from django.db import close_old_connections

Answer = TypeVar("Answer")

READING_THREADS = 4
"""For what only asks the database. With those below no more than a process's pool has connections for."""

CALLING_THREADS = 6
"""For calls, which may take as long as a tool does: they must not keep lists waiting."""


class Threads:
    """Runs blocking work. Make it inside the event loop."""

    def __init__(self) -> None:
        self._reading = anyio.CapacityLimiter(READING_THREADS)
        self._calling = anyio.CapacityLimiter(CALLING_THREADS)

    async def read(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run what only asks the database."""
        return await to_thread.run_sync(partial(_run, work, *arguments), limiter=self._reading)

    async def call(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run what may wait for a tool. It goes on to its end when the client goes away: its end is on record."""
        return await to_thread.run_sync(partial(_run, work, *arguments), limiter=self._calling)


def _run(work: Callable[..., Answer], *arguments: Any) -> Answer:
    close_old_connections()
    try:
        return work(*arguments)
    finally:
        close_old_connections()
