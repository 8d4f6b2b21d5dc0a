"""Who runs what: one executor for each kind of execution. A new kind is one function and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from toolcatalog.callbacks import CallContext, run_callback
from toolcatalog.conf import read_settings
from toolcatalog.contract.catalog import Execution, ToolRecord
from toolcatalog.contract.json import JsonObject, JsonValue

from .situation import Situation


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of running a tool: `status` is ok, error or timeout; `error_text` is for the model."""

    status: str
    value: JsonValue
    error_text: str = ""
    code: str = ""


Executor = Callable[[ToolRecord, JsonObject, Situation], RunResult]


def run_as_callback(tool: ToolRecord, arguments: JsonObject, situation: Situation) -> RunResult:
    """A Python callback of this process."""
    settings = read_settings()
    result = run_callback(
        tool.callback,
        arguments,
        make_call_context(situation),
        timeout_seconds=settings.execute_timeout_seconds,
        result_limit_bytes=settings.result_limit_bytes,
    )
    return RunResult(result.status, result.value, result.error_text)


def make_call_context(situation: Situation) -> CallContext:
    """What a callback may know of who calls it."""
    context = situation.context
    return CallContext(
        tenant=context.tenant,
        account_id=context.account_id,
        conversation_id=context.conversation_id,
        attributes=context.attributes,
        request_id=situation.caller.request_id,
    )


EXECUTORS: Mapping[Execution, Executor] = {Execution.CALLBACK: run_as_callback}
