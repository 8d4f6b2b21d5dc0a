"""Runs calls in worker processes, which can be killed: at a time-out, and when they grow too large.

Workers are new interpreters (nothing is forked from this process with its threads), are kept for the next call, and
number at most as many as asked for.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition
from time import monotonic
from typing import Any

import orjson

from .errors import CallNotRun, CallTimedOut
from .frames import FrameTooLong, receive_frame, send_frame
from .invoking import ERROR, FAILED, Outcome
from .results import SMALLEST_LIMIT
from .threads import BUSY
from .worker import LOADED

_PROGRAM = "import sys; from toolcatalog.callbacks.worker import main; main(int(sys.argv[1]), int(sys.argv[2]))"
START_SECONDS = 20.0
"""How long a worker may take to start, or to import a callback. It does not count towards the tool's own time."""

_LONGEST_HEADER = 65_536


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """At most `workers` processes, each with `memory_bytes` of data; one that still holds half of it is replaced."""

    workers: int
    memory_bytes: int


class WorkerGone(Exception):
    """A worker that ended while it waited for a call: the call it was given has not begun."""


class Worker:
    """One process and the channel to it."""

    def __init__(self, memory_bytes: int) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and program
                [sys.executable, "-P", "-c", _PROGRAM, str(theirs.fileno()), str(memory_bytes)],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
                start_new_session=True,  # so that what a tool starts is killed with it
            )
        self._greeted = False

    def call(self, request: bytes, seconds: float, limit_bytes: int) -> tuple[dict[str, Any], bytes]:
        """Header and body of the answer.

        Raises WorkerGone, CallTimedOut, EOFError, OSError or FrameTooLong: then kill it.
        """
        if self._greeted:
            self._hand_over_again(request)
        else:
            self._expect_loaded()
            self._greeted = True
            self._hand_over(request)
        deadline = monotonic() + seconds
        try:
            header: dict[str, Any] = orjson.loads(receive_frame(self._channel, _LONGEST_HEADER, deadline))
            return header, receive_frame(self._channel, max(limit_bytes, SMALLEST_LIMIT), deadline)
        except TimeoutError as error:
            raise CallTimedOut("The process was killed.") from error

    def _hand_over_again(self, request: bytes) -> None:
        try:
            self._hand_over(request)
        except (EOFError, ConnectionError) as error:
            raise WorkerGone from error

    def _hand_over(self, request: bytes) -> None:
        send_frame(self._channel, request, monotonic() + START_SECONDS)
        self._expect_loaded()

    def _expect_loaded(self) -> None:
        if receive_frame(self._channel, len(LOADED), monotonic() + START_SECONDS) != LOADED:
            raise EOFError

    def kill(self) -> None:
        """End the process and all that it started, now."""
        self._channel.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def abandon(self) -> None:
        """Close this end of the channel."""
        self._channel.close()

    def is_alive(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None


class ProcessRunner:
    """The workers of this process. No tool can have all of them, unless there is only one."""

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits = limits
        self._idle: list[Worker] = []
        self._busy: Counter[str] = Counter()
        self._changed = Condition()

    def run(self, name: str, request: Mapping[str, object], seconds: float, limit_bytes: int) -> Outcome:
        """What the worker answers to the request, whose call may take `seconds`; as long may waiting for a worker.

        Raises CallTimedOut, and CallNotRun (`busy`) when it was not started.
        """
        while True:
            with suppress(WorkerGone):
                return self._run_once(name, request, seconds, limit_bytes)

    def _run_once(self, name: str, request: Mapping[str, object], seconds: float, limit_bytes: int) -> Outcome:
        worker = self._take(name, monotonic() + seconds)
        keeps = False
        try:
            limits = {"seconds": seconds, "limit_bytes": limit_bytes}
            header, body = worker.call(orjson.dumps({**request, **limits}), seconds, limit_bytes)
            keeps = header.pop("resident_bytes") < self._limits.memory_bytes / 2
        except (EOFError, OSError, FrameTooLong, orjson.JSONDecodeError) as error:
            return Outcome(ERROR, "crashed", FAILED, f"the worker process was lost: {type(error).__name__}")
        finally:
            self._give_back(name, worker, keeps=keeps)
        return Outcome(**header, body=body)

    def close(self) -> None:
        """End the workers that wait for a call."""
        with self._changed:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    def abandon(self) -> None:
        """In a process that was forked: the workers are the parent's. Only this end of their channels is closed.

        Takes no lock: a thread that does not exist here may hold it.
        """
        for worker in self._idle:
            worker.abandon()

    def _take(self, name: str, deadline: float) -> Worker:
        with self._changed:
            if not self._changed.wait_for(lambda: self._has_room(name), deadline - monotonic()):
                raise CallNotRun(BUSY)
            self._busy[name] += 1
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive():
                    return worker
                worker.kill()
        try:
            return Worker(self._limits.memory_bytes)
        except OSError as error:
            self._free(name)
            raise CallNotRun(BUSY) from error

    def _has_room(self, name: str) -> bool:
        workers = self._limits.workers
        return self._busy.total() < workers and self._busy[name] < max(1, workers - 1)

    def _give_back(self, name: str, worker: Worker, *, keeps: bool) -> None:
        if not keeps:
            worker.kill()
        self._free(name, worker if keeps else None)

    def _free(self, name: str, worker: Worker | None = None) -> None:
        with self._changed:
            self._busy[name] -= 1
            if worker is not None:
                self._idle.append(worker)
            self._changed.notify_all()
