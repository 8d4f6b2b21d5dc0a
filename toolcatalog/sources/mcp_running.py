"""Runs tools of MCP servers. Sessions stay open and are shared by all requests of this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog
from mcp import MCPError
from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

from toolcatalog.contract.errors import InvalidInput, ToolCatalogError
from toolcatalog.contract.json import JsonObject

from .background import LOOP
from .errors import SourceUnreachable
from .mcp_connection import CONNECTION_FAILURES, McpConnection, describe_failure, open_connection
from .mcp_results import read_mcp_result
from .registry import McpServer, get_mcp_server
from .results import RunResult

CALLS_AT_ONCE = 8
"""How many calls one server gets at the same time; further ones wait within their own time."""
NOT_SET_UP = "The server of this tool is not set up here."
_SESSION_GONE = "Session terminated"
_log = structlog.get_logger(__name__)


def run_mcp_tool(
    server_name: str, tool_name: str, arguments: JsonObject, *, timeout_seconds: float = 30.0
) -> RunResult:
    """Call the tool, under the name that the server gave it, and wait for its answer. Thread-safe; never raises.

    The time limit holds for everything: waiting for a place, connecting, and the call. Arguments are sent as they are.
    A server that was restarted is connected to again; a call that may have run is never repeated.
    """
    try:
        server = get_mcp_server(server_name)
    except InvalidInput as error:
        _log.warning("mcp_server_not_usable", server=server_name, detail=error.detail)
        return RunResult.failed(NOT_SET_UP, sent=False)
    return LOOP.run(_run_within(server, tool_name, arguments, timeout_seconds))


async def _run_within(server: McpServer, tool: str, arguments: JsonObject, seconds: float) -> RunResult:
    task = asyncio.ensure_future(_session_of(server).call(tool, arguments))
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if done:
        return task.result()
    task.cancel()  # not waited for: telling a server that hangs may hang too
    return RunResult.late(seconds)


class _Session:
    """The one connection to a server, kept by a task of its own. Lives in the background loop."""

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self._places = asyncio.Semaphore(CALLS_AT_ONCE)
        self._connecting: asyncio.Future[McpConnection] | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def call(self, tool: str, arguments: JsonObject) -> RunResult:
        """The tool's answer, or why there is none."""
        async with self._places:
            result = await self._try(tool, arguments)
            if result is None:  # the server forgot the session, so it did not run the tool
                result = await self._try(tool, arguments)
            return result or RunResult.failed("The server ends every session.", sent=False)

    async def close(self) -> None:
        """End the connection; a later call opens another."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})

    async def _try(self, tool: str, arguments: JsonObject) -> RunResult | None:
        try:
            connection = await self._connect()
        except ToolCatalogError as error:
            _log.warning("mcp_server_unreachable", server=self.server.name, detail=error.detail)
            return RunResult.failed("The server of this tool cannot be reached.", sent=False)
        try:
            return read_mcp_result(await _send(connection, tool, arguments))
        except MCPError as error:
            if error.message == _SESSION_GONE:
                connection.ended.set()
                return None
            return RunResult.failed(f"The server says: {error.message}")
        except CONNECTION_FAILURES as error:
            _log.warning("mcp_call_failed", server=self.server.name, tool=tool, detail=describe_failure(error))
            return RunResult.failed("The server's answer is not what the protocol says.")

    async def _connect(self) -> McpConnection:
        """The open connection, or a new one. Many callers share one attempt."""
        connecting = self._connecting
        if connecting is None or _is_over(connecting):
            connecting = self._connecting = asyncio.get_running_loop().create_future()
            connecting.add_done_callback(_look_at)
            self._keeper = asyncio.create_task(self._keep(connecting))
        return await asyncio.shield(connecting)

    async def _keep(self, connecting: asyncio.Future[McpConnection]) -> None:
        """Hold the connection open until the server ends it: it has to be left in the task that entered it."""
        try:
            with Path(os.devnull).open("w") as complaints:
                async with open_connection(self.server, complaints) as connection:
                    connecting.set_result(connection)
                    await connection.ended.wait()
        except ToolCatalogError as error:
            if not connecting.done():
                connecting.set_exception(error)
        finally:
            if not connecting.done():
                connecting.set_exception(SourceUnreachable("This process is about to end."))
            elif connecting.exception() is None:
                connecting.result().ended.set()


def _is_over(connecting: asyncio.Future[McpConnection]) -> bool:
    if not connecting.done():
        return False
    return connecting.exception() is not None or connecting.result().ended.is_set()


def _look_at(connecting: asyncio.Future[McpConnection]) -> None:
    """Take note of a failure that nobody waits for any more, so that the loop does not complain of it."""
    connecting.exception()


async def _send(connection: McpConnection, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
    params = CallToolRequestParams(name=tool, arguments=dict(arguments))
    return await connection.client.session.send_request(CallToolRequest(params=params), CallToolResult)


_sessions: dict[str, _Session] = {}


def _session_of(server: McpServer) -> _Session:
    session = _sessions.get(server.name)
    if session is None or session.server != server:
        session = _sessions[server.name] = _Session(server)
    return session


async def _close_all() -> None:
    sessions = list(_sessions.values())
    _sessions.clear()
    await asyncio.gather(*(session.close() for session in sessions))


LOOP.call_on_close(_close_all)
os.register_at_fork(after_in_child=_sessions.clear)  # they belong to the parent's loop, and the servers to the parent
