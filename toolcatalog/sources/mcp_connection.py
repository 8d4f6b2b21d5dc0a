"""A connection to one MCP server, with the official SDK.

The SDK refuses a whole page of tools for one that breaks the protocol, so tools are taken out of the answer before it
looks, and read one by one.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from types import TracebackType
from typing import Any, TextIO, TypeAlias

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import CONNECTION_CLOSED, Implementation, JSONRPCResponse

from toolcatalog.contract.errors import ToolCatalogError

from .errors import MissingCredential, SourceUnreachable
from .registry import McpServer, read_credentials

MAX_EVENT_BYTES = 16 * 1024 * 1024
SOCKET_SECONDS = 5.0
"""How long a host may take to accept a connection."""
CONNECTION_FAILURES = (OSError, ValueError, RuntimeError, MCPError, httpx2.HTTPError, httpx2.InvalidURL, ExceptionGroup)
"""What the SDK raises for a server that is not there, ends, or answers nonsense."""

Incoming: TypeAlias = SessionMessage | Exception
_IDENTITY = Implementation(name="tool-catalog", version=version("mcp"))


@dataclass(slots=True)
class McpConnection:
    """An open connection. `pages` holds the raw tools of the pages that were asked for and not read yet.

    `ended` is set once the server will send nothing more.
    """

    client: Client
    pages: list[list[Any]]
    ended: asyncio.Event


@asynccontextmanager
async def open_connection(server: McpServer, complaints: TextIO) -> AsyncIterator[McpConnection]:
    """Connect and greet, within the server's `connect_seconds`. Leave it in the task that entered it.

    What a command writes to its standard error goes to `complaints`, which has to be a real file. Raises
    SourceUnreachable with a sentence for the operator, also for what fails while the connection is in use.
    """
    try:
        with anyio.CancelScope(deadline=anyio.current_time() + server.connect_seconds) as scope:
            async with AsyncExitStack() as stack:
                sieve = _Sieve(await _make_transport(server, complaints, stack))
                client = await stack.enter_async_context(Client(sieve, client_info=_IDENTITY, cache=None))
                scope.deadline = math.inf
                yield McpConnection(client, sieve.pages, sieve.ended)
    except MissingCredential as error:
        raise SourceUnreachable(f"The MCP server “{server.name}” cannot be reached: {error.detail}") from error
    except CONNECTION_FAILURES as error:
        cause = next(_leaves(error))
        if isinstance(cause, ToolCatalogError):
            raise cause from error
        message = f"The MCP server “{server.name}” cannot be reached: {describe_failure(cause)}"
        raise SourceUnreachable(message) from error
    if scope.cancelled_caught:
        raise SourceUnreachable(f"The MCP server “{server.name}” did not answer in {server.connect_seconds:g} seconds.")


def describe_failure(error: BaseException) -> str:
    """The error in a few words, with the type where there are none."""
    if isinstance(error, MCPError) and error.code == CONNECTION_CLOSED:
        return "it closed the connection."
    if isinstance(error, httpx2.ConnectTimeout):
        return "no connection in time."
    return str(error) or type(error).__name__


async def _make_transport(server: McpServer, complaints: TextIO, stack: AsyncExitStack) -> Any:
    if server.url is None:
        environment = read_credentials({name: name for name in server.environment})
        command, *arguments = server.command
        parameters = StdioServerParameters(command=command, args=arguments, env=environment, cwd=server.folder)
        return stdio_client(parameters, errlog=complaints)
    headers = read_credentials(server.headers_from)
    # Each call has a time limit of its own, so reading may take as long as it likes.
    timeout = httpx2.Timeout(min(server.connect_seconds, SOCKET_SECONDS), read=None)
    http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=timeout))
    return streamable_http_client(server.url, http_client=http, max_sse_event_size=MAX_EVENT_BYTES)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group; what says most comes first."""
    found = [error]
    while any(isinstance(each, BaseExceptionGroup) for each in found):
        found = [leaf for each in found for leaf in (getattr(each, "exceptions", None) or (each,))]
    # That the connection was closed only follows from something else.
    yield from sorted(found, key=lambda leaf: isinstance(leaf, MCPError) and leaf.code == CONNECTION_CLOSED)


class _Sieve:
    """A transport whose lists of tools arrive empty; what was in them is added to `pages`."""

    def __init__(self, transport: Any) -> None:
        self.pages: list[list[Any]] = []
        self.ended = asyncio.Event()
        self._transport = transport

    async def __aenter__(self) -> tuple[_SievedStream, Any]:
        incoming, outgoing = await self._transport.__aenter__()
        return _SievedStream(incoming, self), outgoing

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        answer: bool | None = await self._transport.__aexit__(kind, error, trace)
        return answer


class _SievedStream:
    """The stream of incoming messages, as the SDK reads it."""

    def __init__(self, stream: Any, sieve: _Sieve) -> None:
        self._stream = stream
        self._sieve = sieve

    @property
    def last_context(self) -> Any:
        """The sender's context, which the SDK asks for."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Incoming:
        return self._sift(await self._next(self._stream.receive()))

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> _SievedStream:
        return self

    async def __anext__(self) -> Incoming:
        return self._sift(await self._next(self._stream.__anext__()))

    async def __aenter__(self) -> _SievedStream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        answer: bool | None = await self._stream.__aexit__(kind, error, trace)
        return answer

    async def _next(self, waiting: Awaitable[Incoming]) -> Incoming:
        try:
            return await waiting
        except (StopAsyncIteration, anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._sieve.ended.set()
            raise

    def _sift(self, item: Incoming) -> Incoming:
        if not isinstance(item, SessionMessage) or not isinstance(item.message, JSONRPCResponse):
            return item
        message = item.message
        if not isinstance(message.result.get("tools"), list):
            return item
        self._sieve.pages.append(message.result["tools"])
        emptied = message.model_copy(update={"result": {**message.result, "tools": []}})
        return replace(item, message=emptied)
