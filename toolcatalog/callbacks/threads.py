"""Runs calls in threads of this process, under a wall-clock limit.

A thread cannot be ended from outside. One that is late is left behind and counted as hung until it comes back by
itself; while too many of one tool hang, that tool is not started again. No executor is used: it would wait for its
threads when the process ends.
"""

from __future__ import annotations

import contextvars
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from time import monotonic

from .errors import CallNotRun, CallTimedOut
from .invoking import Outcome

STUCK = "The tool is not available at the moment: earlier calls of it have not come back."
BUSY = "The tool is busy. Try again later."


@dataclass(frozen=True, slots=True)
class ThreadLimits:
    """How many calls may run at once, in all and of one tool; and how many may hang before calls are refused."""

    running: int = 32
    running_of_one: int = 8
    hung: int = 64
    hung_of_one: int = 4


@dataclass(slots=True, eq=False)
class _Call:
    name: str
    answers: SimpleQueue[Outcome] = field(default_factory=SimpleQueue)
    hung: bool = False
    over: bool = False


class ThreadRunner:
    """Bounded threads. `after_call` runs in the thread after each call, to give back what belongs to the thread."""

    def __init__(self, limits: ThreadLimits = ThreadLimits(), after_call: Callable[[], None] | None = None) -> None:
        self.after_call = after_call
        self._limits = limits
        self._running: Counter[str] = Counter()
        self._hung: Counter[str] = Counter()
        self._changed = Condition()

    def run(self, name: str, work: Callable[[], Outcome], seconds: float) -> Outcome:
        """What `work` answers within the time, waiting for room included.

        Raises CallTimedOut, and CallNotRun (`busy`, `stuck`) when it was not started.
        """
        deadline = monotonic() + seconds
        self._enter(name, deadline)
        call = _Call(name)
        context = contextvars.copy_context()
        thread = Thread(target=context.run, args=(self._run, call, work), name=f"callback-{name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            self._leave(call)
            raise CallNotRun(BUSY) from error
        try:
            return call.answers.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            return self._give_up(call)

    def hung_calls(self) -> Mapping[str, int]:
        """How many calls of each tool are left behind at this moment; tools without one are not listed."""
        with self._changed:
            return dict(+self._hung)

    def _enter(self, name: str, deadline: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._has_room(name) or self._is_stuck(name), deadline - monotonic())
            if self._is_stuck(name):
                raise CallNotRun(STUCK, code="stuck")
            if not self._has_room(name):
                raise CallNotRun(BUSY)
            self._running[name] += 1

    def _has_room(self, name: str) -> bool:
        return self._running.total() < self._limits.running and self._running[name] < self._limits.running_of_one

    def _is_stuck(self, name: str) -> bool:
        return self._hung[name] >= self._limits.hung_of_one or self._hung.total() >= self._limits.hung

    def _give_up(self, call: _Call) -> Outcome:
        with self._changed:
            if not call.over:
                call.hung = True
                self._running[call.name] -= 1
                self._hung[call.name] += 1
                self._changed.notify_all()
                raise CallTimedOut("The thread was left behind.")
        return call.answers.get_nowait()  # it answered at the very last moment

    def _run(self, call: _Call, work: Callable[[], Outcome]) -> None:
        try:
            call.answers.put(work())
        finally:
            self._leave(call)
            if self.after_call is not None:
                self.after_call()

    def _leave(self, call: _Call) -> None:
        with self._changed:
            call.over = True
            (self._hung if call.hung else self._running)[call.name] -= 1
            self._changed.notify_all()
