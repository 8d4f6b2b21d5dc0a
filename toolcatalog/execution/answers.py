"""What a call was answered with, and how the model reads it."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.errors import Conflict
from toolcatalog.contract.execution import ERROR, OK, REFUSED, CallReport
from toolcatalog.contract.json import JsonValue
from toolcatalog.formats import CallResult, DeferredTool, Format

from .judging import JudgedCall

TRY_SEARCH = "Search with other words, or check the name with search_tools."
MEND = "Mend tool_input so that it fits the tool's input_schema, and call the tool again."
SEARCH_AGAIN = "Search for the tool again: the answer holds its definition as it is now."
GO_ON = "Say so, or go on without this tool."
SUGGESTIONS = {"invalid_arguments": MEND, "unreadable_arguments": MEND, "stale_definition": SEARCH_AGAIN}
"""What a model may do about an error, by code (X6). What is refused for another reason: `TRY_SEARCH`."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to one call. `code` says why for anything but `ok`; `value` is what the model reads; `found`
    holds the tools of a search that are disclosed in the vendor's own form.
    """

    judged: JudgedCall
    status: str
    value: JsonValue
    code: str = ""
    duration_ms: int = 0
    found: tuple[DeferredTool, ...] | None = None


def still_running(detail: str) -> Conflict:
    """The error that a repeat gets while the first call runs, whose record stands for both (X10)."""
    error = Conflict(f"{detail} Ask again shortly.", code="call_running")
    error.on_record = True
    return error


def answer_refusal(judged: JudgedCall) -> Answered:
    """The answer to a call that was not run. Wrong arguments are an error that the model can mend."""
    status = ERROR if judged.errors or judged.code in {"unreadable_arguments", "missing_tool_name"} else REFUSED
    suggestion = SUGGESTIONS.get(judged.code, TRY_SEARCH)
    return Answered(judged, status, error_value(judged, judged.text, suggestion), judged.code)


def error_value(judged: JudgedCall, error: JsonValue, suggestion: str = GO_ON) -> JsonValue:
    """An error as the model reads it; the meta tools have a shape of their own (X6)."""
    return {"error": error, "suggestion": suggestion} if judged.via_meta else error


def make_report(format_: Format, answered: Answered) -> CallReport:
    """One answered call for the caller, with its part of the messages."""
    message = format_.write_results([make_result(answered)])[0]
    call = answered.judged.call
    return CallReport(
        call.call_id, answered.judged.name, answered.status, answered.value, answered.duration_ms, message
    )


def make_result(answered: Answered) -> CallResult:
    """One answered call for the format to write."""
    call = answered.judged.call
    return CallResult(call.call_id, call.name, answered.value, is_error=answered.status != OK, found=answered.found)
