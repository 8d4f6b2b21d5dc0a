"""A web process of its own on the test database, which a test can kill.

with Worker(folder) as worker:
    worker.post("/tool-calls", key, {...})
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from types import TracebackType
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.core.wsgi import get_wsgi_application
from django.db import connections

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, django
django.setup()
from tests.execution.worker import serve
serve(sys.argv[1])
"""


class Worker:
    """A process that serves the API. `folder` holds the packages of tests that are installed in it too, and its log."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "worker.log"
        with self.log.open("a") as log:
            self._start(folder, log)

    def _start(self, folder: Path, log: IO[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(connections["default"].settings_dict["NAME"])],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", "PYTHONPATH": str(folder)},
        )
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        assert port, self.log.read_text()
        self._url = f"http://127.0.0.1:{port}/api/v1"

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def is_up(self) -> bool:
        """Whether the process is still the one that was started."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process as a power cut would."""
        self._process.kill()
        self._process.wait()

    def post(self, path: str, key: str, body: Any) -> tuple[int, Any]:
        """Status and body of an answer. Raises OSError when the process goes away meanwhile."""
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = Request(self._url + path, json.dumps(body).encode(), headers)
        try:
            with urlopen(request, timeout=180) as answer:
                return answer.status, json.load(answer)
        except HTTPError as problem:
            return problem.code, json.load(problem)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        return


def serve(database: str) -> None:
    """Serve the API on a free port of the loopback interface, from this database. Prints the port."""
    for alias in ("default", "owner"):
        connections[alias].settings_dict["NAME"] = database
    server = make_server("127.0.0.1", 0, get_wsgi_application(), _Server, _Quiet)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()
