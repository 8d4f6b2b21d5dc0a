"""Waiting for what other threads and processes do: asked again and again, never slept through."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60.0
"""Seconds. Only what never comes is waited for as long: a test says what happens, not how fast."""


def wait_until(holds: Callable[[], object], *, seconds: float = PATIENCE) -> None:
    """Until it holds. Fails where it does not within so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def state_of(pid: int) -> str:
    """The letter for a process's state (`R`, `S`, `T`, `Z`...; see proc(5)); empty where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_running(pid: int) -> bool:
    """Whether the process is there and not a zombie."""
    return state_of(pid) not in {"", "Z"}
