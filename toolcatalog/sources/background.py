"""One event loop in a thread of its own, for everything that talks to other machines.

A web process has threads, not an event loop; here connections stay open between requests, and every wait can be ended
at its time, which a thread's wait cannot.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

# It writes the whole URL of each request, and with it arguments and keys.
logging.getLogger("httpx2").setLevel(logging.WARNING)

Answer = TypeVar("Answer")
CLOSING_SECONDS = 6.0
RESOLVING_THREADS = 32
"""Name look-ups block a thread each; a name server that hangs must not keep other names waiting."""


class BackgroundLoop:
    """Starts with its first use, and afresh in a forked process. Thread-safe.

    `on_close` callbacks run in the loop when the process ends.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._on_close: list[Callable[[], Awaitable[None]]] = []
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run `work` in the loop and wait for its answer. `work` limits its own time; it ends when the wait does."""
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result()
        finally:
            future.cancel()

    def call_on_close(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Have `callback` run in the loop before it stops."""
        self._on_close.append(callback)

    def close(self) -> None:
        """Run the callbacks and stop. The next use starts anew."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None:
            return
        with suppress(TimeoutError):  # what hangs is ended with the process
            asyncio.run_coroutine_threadsafe(self._close_all(), loop).result(CLOSING_SECONDS)
        loop.call_soon_threadsafe(loop.stop)

    async def _close_all(self) -> None:
        await asyncio.gather(*(callback() for callback in self._on_close), return_exceptions=True)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(ThreadPoolExecutor(RESOLVING_THREADS, "name-lookup"))
                Thread(target=self._loop.run_forever, name="sources", daemon=True).start()
            return self._loop

    def _forget(self) -> None:
        self._lock = Lock()
        self._loop = None


LOOP = BackgroundLoop()
"""The loop of this process."""
