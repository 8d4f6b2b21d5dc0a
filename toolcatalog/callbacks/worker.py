"""The program of a worker process: runs one call after the other, until its parent closes the channel.

Nothing of Django is imported here, and no database is opened.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
from importlib.metadata import entry_points
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import orjson

from toolcatalog.contract.json import freeze_json

from .context import CallContext
from .frames import receive_frame, send_frame
from .invoking import ERROR, Outcome, invoke
from .registry import GROUP, CallbackRegistry

LOADED = b"loaded"
LONGEST_REQUEST = 64 * 1024 * 1024
NOT_HERE = "The tool is not available here."


def main(descriptor: int, memory_bytes: int) -> None:
    """Serve the parent at the other end of the socket. At most `memory_bytes` of data are ever allocated."""
    channel = socket.socket(fileno=descriptor)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(2, 1)  # what tools print is for the log
    registry = CallbackRegistry(entry_points(group=GROUP), None)
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive_all, args=(channel, requests), daemon=True).start()
    send_frame(channel, LOADED)
    while True:
        _answer(channel, registry, orjson.loads(requests.get()))


def _receive_all(channel: socket.socket, requests: SimpleQueue[bytes]) -> None:
    """Hand requests over. Without a parent the process ends, even in the midst of a call."""
    try:
        while True:
            requests.put(receive_frame(channel, LONGEST_REQUEST))
    except (EOFError, OSError):
        os._exit(0)


def _answer(channel: socket.socket, registry: CallbackRegistry, request: dict[str, Any]) -> None:
    callback = registry.find(request["callback"])
    send_frame(channel, LOADED)
    if callback is None:
        outcome = Outcome(ERROR, "no_callback", NOT_HERE, "; ".join(registry.problems().values()))
    else:
        given = request["context"]
        context = CallContext(**{**given, "attributes": freeze_json(given["attributes"])})
        limits = {"seconds": request["seconds"], "limit_bytes": request["limit_bytes"]}
        outcome = invoke(callback, request["arguments"], context, **limits)
    sys.stderr.flush()
    send_frame(channel, orjson.dumps({**_describe(outcome), "resident_bytes": _resident_bytes()}))
    send_frame(channel, outcome.body)


def _describe(outcome: Outcome) -> dict[str, object]:
    names = ("status", "code", "text", "detail", "size_bytes", "truncated")
    return {name: getattr(outcome, name) for name in names}


def _resident_bytes() -> int:
    """The memory that this process holds now; where that is not told, the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return pages * os.sysconf("SC_PAGE_SIZE")
