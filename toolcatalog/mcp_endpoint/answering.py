"""What MCP asks, answered by the catalog: the same resolver and the same runner as behind the REST API. Blocking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from toolcatalog import execution, resolution
from toolcatalog.contract.catalog import Disclosure, ProfileRecord
from toolcatalog.contract.errors import ToolCatalogError, Unavailable
from toolcatalog.contract.execution import OK, CallReport, ToolCallsAnswer, ToolCallsRequest
from toolcatalog.contract.json import JsonObject, dump_json
from toolcatalog.contract.resolve import Caller, ContextInput, ResolveRequest

from .visits import Visit

FORMAT = "mcp"
UNFIT_RESULT = "The result does not have the form that the tool promises: "


@dataclass(frozen=True, slots=True)
class Listing:
    """The answer of `tools/list`.

    `snapshot_id` is its exposure, `structured` the names of the tools that promise structured results.
    """

    tools: list[dict[str, Any]]
    snapshot_id: UUID
    structured: frozenset[str]


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The answer of `tools/call`. `searched` is set when the list of tools is another one now."""

    result: JsonObject
    searched: bool = False


def find_profile(caller: Caller, slug: str | None) -> str:
    """The slug of the profile that is meant. Raises InvalidInput `unknown_profile`."""
    return resolution.pick_profile(resolution.read_catalog(caller.tenant_id), slug, caller.profiles).slug


def name_session(mcp_session_id: str) -> str:
    """The catalog's session of an MCP session."""
    return f"mcp-{mcp_session_id}"


def list_tools(visit: Visit, mcp_session_id: str) -> Listing:
    """Resolve, and write the exposure. Raises InvalidInput for a profile that is gone."""
    profile = _profile(visit)
    request = ResolveRequest(
        messages=(),
        profile=visit.profile,
        context=_context(visit),
        session_id=name_session(mcp_session_id),
        disclosure=Disclosure.INLINE if profile.disclosure is Disclosure.NATIVE else None,
        format=FORMAT,
        returns=frozenset({"tools"}),
        correlation_id=visit.correlation_id,
    )
    answer = resolution.resolve(request, visit.caller)
    tools: list[dict[str, Any]] = orjson.loads(dump_json(list(answer.tools or ())))
    structured = frozenset(tool["name"] for tool in tools if "outputSchema" in tool)
    return Listing(tools, answer.snapshot.id, structured)


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One `tools/call`. `snapshot_id` is the exposure of the latest list, `call_id` the id of the message."""

    mcp_session_id: str
    snapshot_id: UUID | None
    call_id: str
    name: str
    arguments: JsonObject


def call_tool(visit: Visit, call: AskedCall) -> CallAnswer:
    """Run one call through the gate. What a tool or the gate says against it is an answer, not an error.

    Raises Unavailable where the database does not answer: then nothing ran.
    """
    called: JsonObject = {
        "id": call.call_id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    snapshot_id = call.snapshot_id
    request = ToolCallsRequest(
        message={"role": "assistant", "content": None, "tool_calls": [called]},
        format=FORMAT,
        snapshot_id=snapshot_id,
        session_id=name_session(call.mcp_session_id),
        profile=None if snapshot_id is not None else visit.profile,
        context=None if snapshot_id is not None else _context(visit),
        correlation_id=visit.correlation_id,
        door="mcp",
    )
    try:
        answer = execution.run_tool_calls(request, visit.caller)
    except Unavailable:
        raise
    except ToolCatalogError as error:
        return CallAnswer(write_error(error.detail))
    return _read_answer(visit, answer, call.name)


def write_error(text: str) -> JsonObject:
    """An error that the model reads."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def keep_promise(result: JsonObject, name: str, structured: frozenset[str]) -> JsonObject:
    """The result, as an error where its tool promises a structured one and it is not: clients refuse it otherwise."""
    if name not in structured or result.get("isError") or "structuredContent" in result:
        return result
    content: Any = result["content"]
    return {"content": [{"type": "text", "text": UNFIT_RESULT}, *content], "isError": True}


def _profile(visit: Visit) -> ProfileRecord:
    catalog = resolution.read_catalog(visit.caller.tenant_id)
    return resolution.pick_profile(catalog, visit.profile, visit.caller.profiles)


def _context(visit: Visit) -> ContextInput:
    return ContextInput(conversation_id=visit.correlation_id)


def _read_answer(visit: Visit, answer: ToolCallsAnswer, name: str) -> CallAnswer:
    if not answer.results:
        return CallAnswer(write_error(f"“{name}” is a tool that its caller runs; this endpoint does not run it."))
    report = answer.results[0]
    message: Any = report.message
    return CallAnswer(message, searched=report.status == OK and _is_search(visit, report))


def _is_search(visit: Visit, report: CallReport) -> bool:
    """Whether the entry tool answered, so that other tools are found now."""
    catalog = resolution.read_catalog(visit.caller.tenant_id)
    entry = _profile(visit).search.entry_tool
    names = catalog.names(resolution.read_format(FORMAT))
    return report.name in {entry, names.exported[entry]}
