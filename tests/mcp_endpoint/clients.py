"""MCP clients: the official SDK's, with a note of what it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent, ToolListChangedNotification

PATIENCE = 30.0  # seconds


@dataclass
class Client:
    """An open session. `changes` counts the times that it was told that its tools changed."""

    session: ClientSession
    changes: int = 0
    _told: asyncio.Event = field(default_factory=asyncio.Event)

    async def note(self, message: Any) -> None:
        if isinstance(getattr(message, "root", message), ToolListChangedNotification):
            self.changes += 1
            self._told.set()

    async def names(self) -> list[str]:
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, name: str, **arguments: Any) -> CallToolResult:
        return await self.session.call_tool(name, arguments)

    async def search(self, query: str, **more: Any) -> list[str]:
        """The names that the entry tool answers."""
        result = await self.call("toolSearch", query=query, **more)
        assert not result.is_error, text_of(result)
        names: list[str] = json.loads(text_of(result))
        return names

    async def wait_for_change(self, since: int, seconds: float = PATIENCE) -> None:
        """Until the client has been told more often than `since` that its tools changed."""
        with anyio.fail_after(seconds):
            while self.changes <= since:
                self._told.clear()
                await self._told.wait()


def text_of(result: CallToolResult) -> str:
    """What a model would read."""
    return "".join(part.text for part in result.content if isinstance(part, TextContent))


@asynccontextmanager
async def connect(url: str, secret: str, **headers: str) -> AsyncIterator[Client]:
    """A session of the SDK's client."""
    sent = {"Authorization": f"Bearer {secret}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    clients: list[Client] = []

    async def note(message: Any) -> None:
        for client in clients:
            await client.note(message)

    async with (
        httpx2.AsyncClient(headers=sent, timeout=httpx2.Timeout(PATIENCE, read=None)) as http,
        streamable_http_client(url, http_client=http) as (reading, writing),
        ClientSession(reading, writing, message_handler=note) as session,
    ):
        client = Client(session)
        clients.append(client)
        await session.initialize()
        yield client


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    """Run an asynchronous test to its end."""

    async def whole() -> Any:
        with anyio.fail_after(4 * PATIENCE):
            return await work()

    return asyncio.run(whole())
