"""Fixtures for sources: registered servers, and what others wrote where it is installed (`make test-servers`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pytest_django import Settings

REPOSITORY = Path(__file__).resolve().parents[2]
FAKE_MCP = Path(__file__).with_name("fake_mcp.py")
SERVERS = Path(os.environ.get("TEST_SERVERS") or REPOSITORY / ".data" / "test-servers")


def installed(path: str) -> Path:
    """A file of what `make test-servers` installs; the test is skipped where it is not there."""
    found = SERVERS / path
    if not found.exists():
        complain = pytest.fail if os.environ.get("REQUIRE_TEST_SERVERS") else pytest.skip
        complain(f"{found.name} is not installed: run make test-servers")
    return found


@pytest.fixture
def register_fake(settings: Settings, tmp_path: Path) -> Callable[..., str]:
    """Registers the fake MCP server in one of its modes, and answers its name. It counts its starts in a file."""

    def register(mode: str, name: str = "", **fields: Any) -> str:
        name = name or f"fake-{mode}"
        arguments = [str(FAKE_MCP), mode, str(tmp_path / f"starts-{name}")]
        entry = {"command": sys.executable, "args": arguments, "connect_seconds": 60, **fields}
        settings.MCP_SERVERS = {**settings.MCP_SERVERS, name: entry}
        return name

    return register


class Recorder(BaseHTTPRequestHandler):
    """Answers what the test says, and remembers what it was asked."""

    protocol_version = "HTTP/1.1"
    server: HttpServer

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.server.requests.append((self.command, self.path, dict(self.headers.items()), self.rfile.read(length)))
        self.server.answer(self)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Send an answer. Underscores in the names of headers stand for hyphens."""
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Tests are quiet."""


class HttpServer(ThreadingHTTPServer):
    """A web server on a loopback port. `requests` are (method, path, headers, body)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Recorder)
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answer: Callable[[Recorder], None] = lambda handler: handler.reply(
            200, b'{"ok": true}', Content_Type="application/json"
        )

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def http_server() -> Iterator[HttpServer]:
    server = HttpServer()
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def allowed_server(http_server: HttpServer, settings: Settings) -> HttpServer:
    """A server that the operator allows, though it is on loopback and plain HTTP."""
    settings.OUTBOUND_ALLOWED_ORIGINS = [http_server.origin]
    return http_server
