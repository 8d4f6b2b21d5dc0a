"""Everything for trying the product out: database, catalog, admin, keys, and a server."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from toolcatalog.contract.errors import NotAuthenticated
from toolcatalog.demo.loading import KEYS, DemoAccess, is_loaded, load_demo, make_access
from toolcatalog.selectors import find_key

AUDIT_TABLES = ("toolcatalog_exposure", "toolcatalog_exposure_content", "toolcatalog_call", "toolcatalog_call_end")
MCP_PORT_AFTER = 1000
"""Ports of the web and of MCP lie so far apart that demos on neighbouring ports do not meet."""
LAST_PORT = 65535


class Command(BaseCommand):
    """Migrate, load the demo catalog, write `.data/demo.env`, say what to open, and serve."""

    help = "Starts a server with a demo catalog to play with. Ctrl-C ends it; the data stays."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="the port to serve on (default 8000)")
        parser.add_argument("--mcp-port", type=int, help="the port of the MCP endpoint (default: 1000 after)")
        parser.add_argument("--reset", action="store_true", help="first empty the database")
        parser.add_argument("--no-serve", action="store_true", help="only prepare everything")

    def handle(self, *_: Any, port: int, mcp_port: int | None, reset: bool, no_serve: bool, **options: Any) -> None:
        if not no_serve:
            refuse_taken_port(port)
            if mcp_port is not None:
                refuse_taken_port(mcp_port, "MCP_PORT")
        mcp_port = mcp_port or choose_mcp_port(port)
        call_command("migrate", verbosity=0, interactive=False)
        if reset:
            empty_database()
        if not is_loaded():
            load_demo()
        url = f"http://127.0.0.1:{port}"
        mcp_url = f"http://127.0.0.1:{mcp_port}/mcp"
        access = keep_access(Path(settings.DATA_DIR) / "demo.env", url, mcp_url)
        self.stdout.write(describe(url, mcp_url, access))
        self.stdout.flush()
        if not no_serve:
            serve(port, mcp_port)


def refuse_taken_port(port: int, variable: str = "PORT") -> None:
    """Raise CommandError when something else listens there. `variable` is how `make` is told of another port."""
    if not is_free(port):
        raise CommandError(f"Port {port} is taken. Choose another: make demo {variable}={port + 10}")


def choose_mcp_port(port: int) -> int:
    """The port that belongs to this web port, or any free one where that is taken."""
    wished = port + MCP_PORT_AFTER
    if wished <= LAST_PORT and is_free(wished):
        return wished
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether nobody listens on the port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def empty_database() -> None:
    """Take everything out, the audit too."""
    call_command("flush", database="owner", interactive=False, verbosity=0)
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(AUDIT_TABLES)}")


def keep_access(path: Path, url: str, mcp_url: str) -> dict[str, str]:
    """The contents of the file for scripts: what still works is kept, else made anew."""
    known = read_env(path)
    if not works(known):
        known = as_env(make_access())
    known = {**known, "URL": url, "MCP_URL": mcp_url}
    path.touch(mode=0o600)
    path.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in known.items()))
    path.chmod(0o600)
    return known


def read_env(path: Path) -> dict[str, str]:
    """Name and value of each line; empty where there is no file."""
    if not path.exists():
        return {}
    words = (shlex.split(line) for line in path.read_text().splitlines())
    return dict(word[0].partition("=")[::2] for word in words if word)


def as_env(access: DemoAccess) -> dict[str, str]:
    """The access as variables."""
    return {**access.keys, "ADMIN_USER": access.admin_user, "ADMIN_PASSWORD": access.admin_password}


def works(known: dict[str, str]) -> bool:
    """Whether every key of an earlier start still opens."""
    if not {"ADMIN_USER", "ADMIN_PASSWORD", *KEYS} <= known.keys():
        return False
    try:
        for name in KEYS:
            find_key(known[name])
    except NotAuthenticated:
        return False
    return True


def describe(url: str, mcp_url: str, access: dict[str, str]) -> str:
    """What to open, and calls to paste."""
    headers = f"-H 'Authorization: Bearer {access['API_KEY']}' -H 'Content-Type: application/json'"
    return f"""
Tool Catalog is at {url}

  Admin      {url}/admin/     user {access["ADMIN_USER"]}, password {access["ADMIN_PASSWORD"]}
  API docs   {url}/api/docs/
  MCP        {mcp_url}   for MCP clients, with the header Authorization: Bearer {access["API_KEY"]}
  For scripts: . {Path(settings.DATA_DIR).name}/demo.env

Paste this to see which tools one request gets:

  curl -s {url}/api/v1/resolve {headers} \\
    -d '{{"format": "openai_chat", "explain": true, "context": {{"account_id": "user-1001"}},
         "messages": [{{"role": "user", "content": "查询订单 AF20260001 的物流状态"}}]}}' | python3 -m json.tool

And this to see a tool found, and then run (as after a model's call):

  curl -s {url}/api/v1/search {headers} \\
    -d '{{"query": "寄快递的运费", "session_id": "try-it"}}' | python3 -m json.tool
  curl -s {url}/api/v1/tool-calls {headers} \\
    -d '{{"session_id": "try-it", "format": "openai_chat", "message": {{"role": "assistant", "tool_calls": [
         {{"id": "call-1", "type": "function", "function":
          {{"name": "parcel_price", "arguments": "{{\\"weight_kg\\": 2.5, \\"zone\\": \\"city\\"}}"}}}}]}}}}' \\
    | python3 -m json.tool

Ctrl-C ends it; the data stays.
"""


def serve(port: int, mcp_port: int) -> None:
    """Become the web server, with the MCP endpoint for a child that ends when it does, whatever ends it.

    Signals reach the web server, and the database stops after both.
    """
    connections.close_all()
    mcp = [sys.executable, "-m", "project.mcp_server", "--port", str(mcp_port), "--with-parent"]
    subprocess.Popen(mcp, env={**os.environ, "LOG_LEVEL": "WARNING"})  # noqa: S603  # our own interpreter
    environment = {**os.environ, "PORT": str(port), "BIND": f"127.0.0.1:{port}"}
    command = [sys.executable, "-m", "gunicorn", "--config", "python:project.gunicorn", "--log-level", "warning"]
    os.execve(sys.executable, command, environment)  # noqa: S606  # our own interpreter
