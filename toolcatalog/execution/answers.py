"""What a call was answered with, and how the model reads it."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.execution import ERROR, OK, REFUSED, CallReport
from toolcatalog.contract.json import JsonValue
from toolcatalog.formats import CallResult, DeferredTool, Format

from .judging import JudgedCall

TRY_SEARCH = "Search with other words, or check the name with search_tools."


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


def answer_refusal(judged: JudgedCall) -> Answered:
    """The answer to a call that was not run. Wrong arguments are an error that the model can mend."""
    status = ERROR if judged.errors or judged.code in {"unreadable_arguments", "missing_tool_name"} else REFUSED
    return Answered(judged, status, error_value(judged, judged.text), judged.code)


def error_value(judged: JudgedCall, error: JsonValue) -> JsonValue:
    """An error as the model reads it; the meta tools have a shape of their own (X6)."""
    return {"error": error, "suggestion": TRY_SEARCH} if judged.via_meta else error


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
