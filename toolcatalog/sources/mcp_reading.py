"""Lists the tools of an MCP server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from tempfile import TemporaryFile
from typing import Any, TextIO, cast

import anyio
from mcp_types import ListToolsRequest, ListToolsResult, PaginatedRequestParams, Tool
from pydantic import ValidationError

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError

from .background import LOOP
from .descriptions import fit_description
from .errors import SourceUnreachable
from .listing import ListedTool, SourceListing
from .mcp_connection import McpConnection, open_connection
from .registry import McpServer, get_mcp_server

LISTING_SECONDS = 30.0
MAX_TOOLS = 10_000
_SHOWN_COMPLAINT = 300
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def read_mcp_tools(server_name: str, *, seconds: float = LISTING_SECONDS) -> SourceListing:
    """All tools that the registered server lists, page by page, within `seconds` after it greeted.

    What breaks the protocol is listed with its errors. Raises InvalidInput where no such server is registered, and
    SourceUnreachable where it does not answer: then nothing was read.
    """
    return LOOP.run(_read(get_mcp_server(server_name), seconds))


async def _read(server: McpServer, seconds: float) -> SourceListing:
    with TemporaryFile("w+", errors="replace") as file:
        complaints = cast("TextIO", file)  # the type that the SDK asks for; it takes any file
        try:
            async with open_connection(server, complaints) as connection:
                return await _read_listing(server.name, connection, seconds)
        except SourceUnreachable as error:
            raise SourceUnreachable(error.detail + _last_line(complaints)) from error


async def _read_listing(server_name: str, connection: McpConnection, seconds: float) -> SourceListing:
    with anyio.move_on_after(seconds):
        raw, warnings = await _read_pages(connection)
        tools = _drop_repeated(read_tool(index, item) for index, item in enumerate(raw))
        return SourceListing(tuple(tools), warnings, is_complete=not warnings)
    raise SourceUnreachable(f"The MCP server “{server_name}” did not list its tools in {seconds:g} seconds.")


async def _read_pages(connection: McpConnection) -> tuple[list[Any], tuple[str, ...]]:
    """(raw tools, why the listing did not come to its end)."""
    raw: list[Any] = []
    seen: set[str | None] = {None}
    cursor: str | None = None
    while True:
        params = PaginatedRequestParams(cursor=cursor) if cursor is not None else None
        page = await connection.client.session.send_request(ListToolsRequest(params=params), ListToolsResult)
        raw.extend(item for tools in connection.pages for item in tools)
        connection.pages.clear()
        cursor = page.next_cursor
        if cursor is None:
            return raw, ()
        if cursor in seen:
            return raw, ("The server gave the same page mark twice; reading stopped there. Tools may be missing.",)
        if len(raw) > MAX_TOOLS:
            return raw[:MAX_TOOLS], (f"The server lists more than {MAX_TOOLS:,} tools; the rest was not read.",)
        seen.add(cursor)


def read_tool(index: int, raw: Any) -> ListedTool:
    """The tool at this place of the listing, or what the protocol does not allow of it."""
    path = f"tools[{index}]"
    fields = raw if isinstance(raw, Mapping) else {}
    name = fields.get("name") if isinstance(fields.get("name"), str) else ""
    errors = tuple(_find_errors(raw))
    if errors:
        return ListedTool(str(name), path, Execution.MCP, errors=errors)
    description, notes = fit_description(fields.get("description") or "")
    output_schema, output_notes = _read_output_schema(fields.get("outputSchema"))
    return ListedTool(
        name=str(name),
        path=path,
        execution=Execution.MCP,
        title=_read_title(fields),
        description=description,
        parameters=_read_parameters(fields["inputSchema"]),
        output_schema=output_schema,
        annotations=_read_annotations(fields),
        notes=(*notes, *output_notes),
    )


def _find_errors(raw: Any) -> Iterator[FieldError]:
    """What the protocol does not allow. Its annotations are only hints, and no reason to refuse a tool."""
    if not isinstance(raw, Mapping):
        yield FieldError("", "not_an_object", "The server lists something that is no tool.")
        return
    try:
        Tool.model_validate({**raw, "annotations": None}, by_name=False)
    except ValidationError as error:
        for finding in error.errors(include_url=False, include_input=False):
            path = ".".join(str(part) for part in finding["loc"])
            yield FieldError(path, "breaks_protocol", f"The server gives {path} wrongly: {finding['msg']}.")
        return
    if raw["inputSchema"].get("type", "object") != "object":
        yield FieldError("inputSchema.type", "root_not_object", "The server takes arguments that are no object.")


def _read_title(fields: Mapping[str, Any]) -> str:
    """The display name: the tool's own title before that of its annotations."""
    hints = fields.get("annotations")
    hinted = hints.get("title") if isinstance(hints, Mapping) else None
    return fields.get("title") or (hinted if isinstance(hinted, str) else "")


def _read_parameters(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of the arguments, whose root says that it is an object and has properties, if only none (J16)."""
    return {"type": "object", **schema, "properties": schema.get("properties") or {}}


def _read_output_schema(schema: Any) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    return (dict(schema), ()) if isinstance(schema, Mapping) and schema else (None, ())


def _read_annotations(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations without the hints that are not given as the protocol says."""
    given = fields.get("annotations")
    if not isinstance(given, Mapping):
        return {}
    return {key: value for key, value in given.items() if isinstance(value, bool) or key not in _HINTS}


def _drop_repeated(tools: Iterator[ListedTool]) -> Iterator[ListedTool]:
    """Every name once: the same tool again is left out, another tool of that name is an error."""
    first: dict[str, ListedTool] = {}
    counts: Counter[str] = Counter()
    for tool in tools:
        counts[tool.name] += 1
        known = first.setdefault(tool.name, tool)
        if known is tool or tool.errors:
            yield tool
        elif (known.description, known.parameters) != (tool.description, tool.parameters):
            message = f"The server lists another tool with the name “{tool.name}”, at {known.path}."
            yield ListedTool(
                tool.name, tool.path, tool.execution, errors=(FieldError("name", "repeated_name", message),)
            )


def _last_line(complaints: TextIO) -> str:
    """The end of what the server's command wrote to its standard error, which mostly says why it ended."""
    complaints.seek(0)
    lines = [line.strip() for line in complaints.read()[-4000:].splitlines() if line.strip()]
    return f" It wrote: {lines[-1][:_SHOWN_COMPLAINT]}" if lines else ""
