"""Calling code that may hang."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import TypeVar

from django.db import connections

MAX_CALLS = 16
"""A call that hangs holds a thread, since no thread can be ended from outside. While so many do, further calls fail."""

Answer = TypeVar("Answer")

_places = BoundedSemaphore(MAX_CALLS)


def call_within(call: Callable[[], Answer], seconds: float) -> Answer:
    """Run `call` in a thread of its own, and answer or raise what it does.

    Raises `TimeoutError` when it is late, or when too many earlier calls still hang, and `RuntimeError` when it tries
    to end the thread. Database connections that it opened are given back.
    """
    deadline = monotonic() + seconds
    if seconds <= 0 or not _places.acquire(timeout=seconds):
        raise TimeoutError
    outcome: SimpleQueue[tuple[Answer | None, BaseException | None]] = SimpleQueue()
    context = copy_context()
    Thread(target=lambda: context.run(_run, call, outcome), name="search-provider", daemon=True).start()
    try:
        answer, error = outcome.get(timeout=max(0.0, deadline - monotonic()))
    except Empty:
        raise TimeoutError from None
    if isinstance(error, Exception):
        raise error
    if error is not None:
        raise RuntimeError(f"The call raised {type(error).__name__}.") from error
    return answer  # type: ignore[return-value]  # None only where the call answered None


def _run(call: Callable[[], Answer], outcome: SimpleQueue[tuple[Answer | None, BaseException | None]]) -> None:
    try:
        outcome.put((call(), None))
    except BaseException as error:  # also what would end a thread silently, such as SystemExit
        outcome.put((None, error))
    finally:
        connections.close_all()
        _places.release()
