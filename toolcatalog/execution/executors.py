"""Who runs what: one executor for each kind of execution. A new kind is one function and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import orjson

from toolcatalog.callbacks import CallContext, encode_result, run_callback
from toolcatalog.conf import read_settings
from toolcatalog.contract.catalog import Execution, ToolRecord
from toolcatalog.contract.execution import ERROR, OK
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.selectors import read_origin
from toolcatalog.sources import RunResult, run_http_tool, run_mcp_tool

from .situation import Situation

FAILED = "The tool failed."


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of running a tool: `status` is ok, error or timeout. An error's `value` is what the model reads."""

    status: str
    value: JsonValue
    code: str = ""


Executor = Callable[[ToolRecord, JsonObject, Situation], Ran]


def run_as_callback(tool: ToolRecord, arguments: JsonObject, situation: Situation) -> Ran:
    """A Python callback of this process."""
    settings = read_settings()
    result = run_callback(
        tool.callback,
        arguments,
        make_call_context(situation),
        timeout_seconds=settings.execute_timeout_seconds,
        result_limit_bytes=settings.result_limit_bytes,
    )
    return Ran(result.status, result.value if result.status == OK else result.error_text, result.code)


def make_call_context(situation: Situation) -> CallContext:
    """What a callback may know of who calls it."""
    context = situation.context
    return CallContext(
        tenant=context.tenant,
        account_id=context.account_id,
        conversation_id=context.conversation_id,
        attributes=context.attributes,
        request_id=situation.caller.request_id,
        bot_id=context.bot_id,
        turn_id=context.turn_id,
        model=context.model,
    )


def run_over_mcp(tool: ToolRecord, arguments: JsonObject, _situation: Situation) -> Ran:
    """A tool of an MCP server."""
    key, _ = read_origin(tool.id)
    seconds = read_settings().execute_timeout_seconds
    return _settle(run_mcp_tool(tool.source or "", key or tool.name, arguments, timeout_seconds=seconds))


def run_over_http(tool: ToolRecord, arguments: JsonObject, _situation: Situation) -> Ran:
    """An operation of an HTTP API."""
    _, binding = read_origin(tool.id)
    seconds = read_settings().execute_timeout_seconds
    return _settle(run_http_tool(tool.source or "", binding, arguments, timeout_seconds=seconds))


def _settle(result: RunResult) -> Ran:
    """A foreign tool's answer, cut to the size that this server gives on. An error of words alone is those words."""
    value = result.value
    if result.status != OK and isinstance(value, Mapping) and set(value) == {"error"}:
        value = value["error"]
    encoded = encode_result(value, limit_bytes=read_settings().result_limit_bytes)
    return Ran(result.status.value, orjson.loads(encoded.body), "" if result.status == OK else "tool_failed")


EXECUTORS: Mapping[Execution, Executor] = {
    Execution.CALLBACK: run_as_callback,
    Execution.MCP: run_over_mcp,
    Execution.HTTP: run_over_http,
}


def run_tool(tool: ToolRecord, arguments: JsonObject, situation: Situation) -> Ran:
    """Run a tool by whoever runs its kind."""
    executor = EXECUTORS.get(tool.execution)
    if executor is None:
        return Ran(ERROR, FAILED, "no_executor")
    return executor(tool, arguments, situation)
