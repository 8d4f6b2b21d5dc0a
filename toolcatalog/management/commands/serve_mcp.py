"""Serves the MCP endpoint."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connections


class Command(BaseCommand):
    """Become the MCP server."""

    help = "Serves the MCP endpoint: a tenant's profile for MCP clients, with its API key. See docs/mcp.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to serve on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8001, help="the port to serve on (default 8001)")

    def handle(self, *_: Any, host: str, port: int, **__: Any) -> None:
        connections.close_all()
        command = [sys.executable, "-m", "project.mcp_server", "--host", host, "--port", str(port)]
        os.execve(sys.executable, command, dict(os.environ))  # noqa: S606  # our own interpreter: signals reach the server
