"""Small real HTTP servers on the loopback interface, which answer what a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Received:
    """A request as it came in. Header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; `body` is written as JSON unless it is bytes."""

    status: int = 200
    body: Any = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HangUp:
    """Close the connection without an answer."""


@dataclass(frozen=True)
class Dribble:
    """Answer a byte at a time, until the caller goes away or the server stops."""


Behaviour = Answer | HangUp | Dribble
Respond = Callable[[Received], Behaviour]


def problem(status: int, code: str, detail: str = "", **headers: str) -> Answer:
    """A problem document as the catalog writes it."""
    body = {"status": status, "code": code, "detail": detail or code, "request_id": "from-the-server", "errors": []}
    return Answer(status, body, PROBLEM, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class Server:
    """A running server. `respond` may be exchanged at any time."""

    url: str
    respond: Respond
    received: list[Received] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    def script(self, *behaviours: Behaviour) -> None:
        """Answer the next requests in this way, and all further ones as the last."""
        rest = list(behaviours)
        self.respond = lambda _: rest.pop(0) if len(rest) > 1 else rest[0]

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.received]


@contextmanager
def run_server(respond: Respond = lambda _: Answer()) -> Iterator[Server]:
    """Serve on a free port until the block ends."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    http.daemon_threads = True
    server = Server(f"http://127.0.0.1:{http.server_address[1]}", respond)
    http.tests_server = server  # type: ignore[attr-defined]  # how the handler finds it
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        server: Server = self.server.tests_server  # type: ignore[attr-defined]  # set above
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, json.loads(raw) if raw else None)
        server.received.append(request)
        match server.respond(request):
            case Answer() as answer:
                self._answer(answer)
            case HangUp():
                self.close_connection = True
            case Dribble():
                self._dribble(server.stopping)

    do_GET = do_POST = do_DELETE = do_PUT = _serve

    def _answer(self, answer: Answer) -> None:
        empty = answer.body is None
        body = b"" if empty else answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _dribble(self, stopping: threading.Event) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        try:
            while not stopping.wait(0.01):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            return

    def log_message(self, *args: Any) -> None:
        return
