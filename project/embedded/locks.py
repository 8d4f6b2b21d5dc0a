"""Advisory file locks between processes.

The kernel drops a lock when the last copy of its file descriptor is closed, however its holder ended. So a lock is
the one honest answer to "is somebody still there?": process ids are reused, files are left behind.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from project.embedded.errors import EmbeddedDatabaseError

_POLL_SECONDS = 0.02


def open_lock(path: Path) -> int:
    """Open (and make, mode 0600) a lock file. Never follows a symbolic link. Closing the descriptor drops the lock."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def try_lock(descriptor: int, *, shared: bool) -> bool:
    """Take the lock now, or answer False if somebody else's lock is in the way."""
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_for_lock(descriptor: int, *, shared: bool) -> None:
    """Take the lock, waiting for as long as it takes."""
    fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Ask again and again until the condition holds; False if it still does not after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


@contextmanager
def exclusive_lock(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock of this file alone; `EmbeddedDatabaseError` if others keep it for longer than this."""
    descriptor = open_lock(path)
    try:
        if not wait_until(lambda: try_lock(descriptor, shared=False), seconds=seconds):
            raise EmbeddedDatabaseError(
                f"Another process has been starting or stopping the embedded database for {seconds:.0f} seconds: "
                f"end it (it holds {path}) and try again."
            )
        yield
    finally:
        os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether somebody holds this file's lock alone. Askers make no file, and do not get in each other's way."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(descriptor, shared=True)
    finally:
        os.close(descriptor)
