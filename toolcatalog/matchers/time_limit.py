"""Running other people's code for a short time only.

A thread cannot be ended from outside, and an executor waits for its threads at exit. So each call gets a daemon thread
of its own: what is late is left behind, and as long as too many calls of one plug-in are left behind, it is not asked
again.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from .problems import Mismatch

Result = TypeVar("Result")

PLUGIN_SECONDS = 0.2
"""Seconds that one call of a matcher or an enricher may take."""

MOST_RUNNING = 32
"""Calls of one plug-in that may run at once in this process, those left behind included."""


class LimitedCaller(Generic[Result]):
    """Calls one function under a time limit. Safe to share between threads."""

    def __init__(self, function: Callable[..., Result], seconds: float = PLUGIN_SECONDS) -> None:
        self._function = function
        self._seconds = seconds
        self._free = threading.BoundedSemaphore(MOST_RUNNING)

    def call(self, *arguments: object) -> Result:
        """The function's result. Raises Mismatch, with a sentence, when it raises, is late or hangs too often."""
        if not self._free.acquire(blocking=False):
            raise Mismatch(f"was not asked, since {MOST_RUNNING} earlier calls of it have not come back")
        answers: SimpleQueue[tuple[Result] | str] = SimpleQueue()
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(self._run, answers, arguments), daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            self._free.release()
            raise Mismatch("was not asked, since no thread could be started") from error
        try:
            answer = answers.get(timeout=self._seconds)
        except Empty as error:
            raise Mismatch(f"did not answer within {self._seconds:g} seconds") from error
        if isinstance(answer, str):
            raise Mismatch(answer)
        return answer[0]

    def _run(self, answers: SimpleQueue[tuple[Result] | str], arguments: tuple[object, ...]) -> None:
        try:
            answers.put((self._function(*arguments),))
        except Mismatch as mismatch:
            answers.put(mismatch.sentence)
        except BaseException as error:  # the callback border: sys.exit() in a plug-in is a failure like any other
            answers.put(f"raised {type(error).__name__}")
        finally:
            self._free.release()
