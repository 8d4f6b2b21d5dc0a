"""The MCP endpoint in a process of its own, on the database of the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from django.db import connections

from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds
PROGRAM = """
import sys
import django
django.setup()
from django.db import connections
for alias in ("default", "owner"):
    connections[alias].settings_dict["NAME"] = sys.argv[1]
sys.argv[1:] = sys.argv[2:]
from project.mcp_server import main
main()
"""


@dataclass(frozen=True)
class Endpoint:
    """A running endpoint."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to end; its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def run_endpoint(environment: Mapping[str, str] | None = None) -> Iterator[Endpoint]:
    """Serve on a free port until the block ends."""
    port = free_port()
    command = [sys.executable, "-c", PROGRAM, str(connections["default"].settings_dict["NAME"]), "--port", str(port)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", **(environment or {})},
    )
    endpoint = Endpoint(f"http://127.0.0.1:{port}", process)
    try:
        wait_for(endpoint)
        yield endpoint
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise


def wait_for(endpoint: Endpoint) -> None:
    """Until it answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert endpoint.process.poll() is None, "the endpoint ended"
        try:
            httpx2.get(f"{endpoint.url}/livez")
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the endpoint does not answer")
