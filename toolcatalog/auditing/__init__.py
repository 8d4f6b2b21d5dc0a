"""The audit: writes exposures in the transaction of the answer, and reads them for auditors."""

from .call_reading import calls_of, render_calls, with_ends
from .calls import CallEntry, CallOutcome, end_calls, start_calls
from .claims import Claim, claim_call, settle_claim
from .exposures import exposures_of, matching_group, render_exposures, showing_tool
from .reading import (
    StoredContext,
    StoredRequest,
    StoredSnapshot,
    find_context,
    find_request,
    find_snapshot,
    names_shown_in_session,
    read_content,
    tools_found_in_snapshot,
)
from .record import ExposureEntry, digest_text, record_exposure
from .report import MOST_COUNTED, FruitlessSearch, ToolUse, count_tool_use, list_fruitless_searches
from .usage import PopularTool, count_successes, count_usage, popular_tools

__all__ = [
    "MOST_COUNTED",
    "CallEntry",
    "CallOutcome",
    "Claim",
    "ExposureEntry",
    "FruitlessSearch",
    "PopularTool",
    "StoredContext",
    "StoredRequest",
    "StoredSnapshot",
    "ToolUse",
    "calls_of",
    "claim_call",
    "count_successes",
    "count_tool_use",
    "count_usage",
    "digest_text",
    "end_calls",
    "exposures_of",
    "find_context",
    "find_request",
    "find_snapshot",
    "list_fruitless_searches",
    "matching_group",
    "names_shown_in_session",
    "popular_tools",
    "read_content",
    "record_exposure",
    "render_calls",
    "render_exposures",
    "settle_claim",
    "showing_tool",
    "start_calls",
    "tools_found_in_snapshot",
    "with_ends",
]
