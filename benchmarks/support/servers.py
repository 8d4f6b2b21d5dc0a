"""A server of its own for a benchmark, and what it costs: CPU time of its processes and of the database's."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def serve(environment: dict[str, str], *, workers: int = 1, threads: int = 4) -> Iterator[tuple[int, int]]:
    """A gunicorn that answers on a free port: (port, pid of the master)."""
    port = free_port()
    variables = {
        **os.environ,
        **environment,
        "DJANGO_SETTINGS_MODULE": "benchmarks.support.settings",
        "BIND": f"127.0.0.1:{port}",
        "WEB_CONCURRENCY": str(workers),
        "WEB_THREADS": str(threads),
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "python:project.gunicorn", "--log-level", "error"]
    server = subprocess.Popen(command, env=variables)  # our own interpreter
    try:
        wait_for(port, server)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(30)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, server: subprocess.Popen[bytes], seconds: float = 30) -> None:
    """Return when the server answers there. Raises RuntimeError when it has ended, TimeoutError when it is silent."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with {server.returncode}; what it wrote is above")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing answers on port {port}")


def post_many(port: int, path: str, body: bytes, key: str, *, requests: int, clients: int = 8) -> None:
    """So many requests over kept connections. Raises RuntimeError for any answer but 200."""
    failures: list[str] = []

    def work(count: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        for _ in range(count):
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                failures.append(f"{answer.status} {text[:300]!r}")
                return
        connection.close()

    def try_work(count: int) -> None:
        try:
            work(count)
        except (OSError, http.client.HTTPException) as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=try_work, args=(requests // clients,)) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(failures[0])


def cpu_seconds(roots: list[int]) -> float:
    """User and system time of these processes and all their children, dead ones included."""
    total = 0
    for pid in family(roots):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def family(roots: list[int]) -> set[int]:
    """These processes and all that descend from them."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting.extend(parents.get(pid, []))
    return found
