"""The protocol's side: the SDK's server, and what it does when a client lists or calls."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from mcp import MCPError
from mcp.server import NotificationOptions, Server, ServerRequestContext
from mcp.server.models import InitializationOptions
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
    ToolListChangedNotification,
)

from toolcatalog.contract.errors import ToolCatalogError, Unavailable

from .answering import AskedCall, call_tool, keep_promise, list_tools
from .threads import Threads
from .visits import VISIT, McpSession, SessionBook, Visit

SESSION_HEADER = "mcp-session-id"
NO_DATABASE = "The database does not answer. Try again shortly; nothing was run."

Context = ServerRequestContext[Any]


class ToolServer(Server[Any]):
    """A server that tells its clients when their tools change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """The options, with `tools.listChanged` unless it is asked otherwise."""
        changes = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(changes, experimental_capabilities, extensions)


def make_server(book: SessionBook, threads: Threads) -> ToolServer:
    """A server whose clients have one catalog session each."""

    async def on_list_tools(context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        session_id, session = _session_of(context, book)
        session.channel = context.session
        listing = await _guard(threads.read(list_tools, _visit_of(context), session_id))
        session.snapshot_id, session.structured = listing.snapshot_id, listing.structured
        return ListToolsResult(tools=[Tool.model_validate(tool) for tool in listing.tools])

    async def on_call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        session_id, session = _session_of(context, book)
        session.channel = context.session
        call = AskedCall(session_id, session.snapshot_id, f"{context.request_id}", params.name, params.arguments or {})
        answer = await _guard(threads.call(call_tool, _visit_of(context), call))
        if answer.searched:
            # On the stream of this very request, which every client reads: it knows before it has the answer.
            await context.session.send_notification(ToolListChangedNotification(), context.request_id)
        return CallToolResult.model_validate(keep_promise(answer.result, params.name, session.structured))

    return ToolServer(
        "tool-catalog",
        title="Tool Catalog",
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def _visit_of(context: Context) -> Visit:
    visit = context.request.scope.get(VISIT) if context.request is not None else None
    if not isinstance(visit, Visit):
        raise TypeError("a message came in without its request")
    return visit


def _session_of(context: Context, book: SessionBook) -> tuple[str, McpSession]:
    """The session of the request. Raises MCPError for one that has ended meanwhile."""
    session_id = context.request.headers.get(SESSION_HEADER, "") if context.request is not None else ""
    session = book.find(session_id)
    if session is None:
        raise MCPError(INVALID_REQUEST, "This session has ended. Open a new one.")
    return session_id, session


async def _guard(work: Any) -> Any:
    """The answer of `work`; its errors in words that a client shows."""
    try:
        return await work
    except Unavailable as error:
        raise MCPError(INTERNAL_ERROR, error.detail, {"code": error.code}) from error
    except ToolCatalogError as error:
        raise MCPError(INVALID_PARAMS, error.detail, {"code": error.code}) from error
    except (DatabaseError, InterfaceError) as error:
        raise MCPError(INTERNAL_ERROR, NO_DATABASE, {"code": "database_unavailable"}) from error
