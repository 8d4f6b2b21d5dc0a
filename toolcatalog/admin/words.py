"""The words that curators read for the closed lists of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.catalog import (
    Disclosure,
    Effect,
    Eviction,
    Execution,
    Policy,
    SearchMode,
    TextPolicy,
    ToolStatus,
)
from toolcatalog.contract.matching import Operator, Source

Words: TypeAlias = Mapping[str, str | Promise]
"""A stored value, and what people read for it."""

STATUSES: Words = {
    ToolStatus.DRAFT: _("Draft"),
    ToolStatus.IN_REVIEW: _("In review"),
    ToolStatus.PUBLISHED: _("Published"),
    ToolStatus.DEPRECATED: _("Deprecated"),
    ToolStatus.DISABLED: _("Switched off"),
    ToolStatus.RETIRED: _("Retired"),
}

STATUS_COLOURS: Mapping[str, str] = {
    ToolStatus.DRAFT: "",
    ToolStatus.IN_REVIEW: "info",
    ToolStatus.PUBLISHED: "success",
    ToolStatus.DEPRECATED: "warning",
    ToolStatus.DISABLED: "danger",
    ToolStatus.RETIRED: "",
}

EXECUTIONS: Words = {
    Execution.CLIENT: _("The calling service"),
    Execution.CALLBACK: _("A Python callback on this server"),
    Execution.MCP: _("An MCP server"),
    Execution.HTTP: _("An HTTP API"),
}

POLICIES: Words = {
    Policy.LATEST_CALL: _("The last search call"),
    Policy.LATEST_TURN: _("The last turn that searched"),
    Policy.ACCUMULATE: _("Every search of the conversation"),
}

DISCLOSURES: Words = {
    Disclosure.INLINE: _("Inline: definitions join the tool list"),
    Disclosure.NATIVE: _("Native: the vendor’s own deferred form"),
    Disclosure.META: _("Meta: the tool list never changes"),
}

SEARCH_MODES: Words = {
    SearchMode.ON: _("On"),
    SearchMode.OFF: _("Off"),
    SearchMode.GROUPS: _("Only where a matching group offers it"),
}

EFFECTS: Words = {Effect.ALLOW: _("Allow"), Effect.DENY: _("Deny")}

TEXT_POLICIES: Words = {
    TextPolicy.DIGEST: _("Only a digest"),
    TextPolicy.FULL: _("The full text"),
}

EVICTIONS: Words = {
    Eviction.LRU: _("By number"),
    Eviction.TTL: _("By age"),
    Eviction.LRU_TTL: _("By number and age"),
    Eviction.NEVER: _("Never"),
    Eviction.ALWAYS: _("Always: keep none"),
}

OUTCOMES: Words = {
    "resolved": _("Answered"),
    "unchanged": _("Unchanged since the last answer"),
    "found": _("Found"),
    "no_match": _("Nothing found"),
    "failed": _("Search failed"),
}

CALL_OUTCOMES: Words = {
    "ok": _("Went well"),
    "error": _("Failed"),
    "refused": _("Refused"),
    "timeout": _("Took too long"),
    "unknown": _("No end on record"),
}

CALL_COLOURS: Mapping[str, str] = {"ok": "success", "error": "danger", "timeout": "danger", "refused": "warning"}

DOORS: Words = {
    "tool_calls": _("Tool calls of a model’s message"),
    "execute": _("One call by the service"),
    "meta": _("The meta tool"),
    "mcp": _("MCP"),
    "admin": _("The admin"),
}
"""The ways by which a call comes in."""

CALL_CODES: Words = {
    "not_exposed": _("The model had not been shown this tool."),
    "not_permitted": _("The tool is not there for this caller."),
    "unknown_tool": _("There is no such tool for this tenant."),
    "missing_tool_name": _("The call names no tool."),
    "missing_scope": _("The key may not execute."),
    "invalid_arguments": _("The arguments do not fit the tool’s parameters."),
    "unreadable_arguments": _("The arguments are not JSON."),
    "arguments": _("The arguments do not fit the function that runs it."),
    "stale_definition": _("The arguments fit an older revision, which the model had been shown."),
    "not_executable": _("The calling service runs this tool itself."),
    "no_callback": _("The function that runs it is not installed here."),
    "no_executor": _("Nothing here can run this kind of tool."),
    "tool_error": _("The tool answered with an error."),
    "tool_failed": _("The tool answered with an error."),
    "failed": _("The function that runs it failed."),
    "crashed": _("The function that runs it took its process down."),
    "executor_failed": _("What runs this kind of tool failed."),
    "cannot_encode": _("The result could not be written as JSON."),
    "timeout": _("The tool took longer than it may."),
    "busy": _("Too many calls ran at once."),
    "stuck": _("Earlier calls of the tool have not ended."),
    "call_running": _("The same call still ran."),
    "source_unreachable": _("The server that runs it did not answer."),
    "mcp_server_unreachable": _("The server that runs it did not answer."),
    "http_source_unreachable": _("The server that runs it did not answer."),
}
"""Why a call did not go well, in a sentence. Reasons have words of their own."""

APPLIES: Words = {"always": _("always"), "rules": _("by its conditions")}
"""When a group applies, in few words; anything else is the name of a matcher."""

SCOPES: Words = {
    "resolve": _("Resolve: ask which tools a model may see, and search"),
    "execute": _("Execute: run tools and answer tool calls"),
    "curate": _("Curate: change the tenant’s own catalog"),
    "audit": _("Audit: read what was shown to whom"),
    "manage": _("Manage: change shared tools and grants"),
}

SOURCES: Words = {
    Source.MESSAGE: _("the last user message"),
    Source.MODEL: _("the model"),
    Source.ACCOUNT_ID: _("the account"),
    Source.CONVERSATION_ID: _("the conversation"),
    Source.BOT_ID: _("the bot"),
    Source.TURN_ID: _("the turn"),
    Source.TENANT: _("the tenant"),
    Source.GROUP: _("an earlier group"),
    Source.ATTRIBUTE: _("the attribute"),
    Source.TIME: _("the time"),
}

OPERATORS: Words = {
    Operator.CONTAINS_ANY: _("contains any of"),
    Operator.CONTAINS_ALL: _("contains all of"),
    Operator.MATCHES_REGEX: _("matches the pattern"),
    Operator.EQUALS: _("is exactly"),
    Operator.NOT_EQUALS: _("is not"),
    Operator.IN: _("is one of"),
    Operator.NOT_IN: _("is none of"),
    Operator.STARTS_WITH: _("starts with"),
    Operator.ENDS_WITH: _("ends with"),
    Operator.GREATER_THAN: _("is greater or later than"),
    Operator.LESS_THAN: _("is less or earlier than"),
    Operator.IS_TRUE: _("is true"),
    Operator.IS_FALSE: _("is false"),
    Operator.EXISTS: _("is given"),
    Operator.PERCENTAGE: _("is among the first … percent"),
    Operator.BETWEEN_TIMES: _("is between"),
}

DAYS: Words = {
    "1": _("Mon"),
    "2": _("Tue"),
    "3": _("Wed"),
    "4": _("Thu"),
    "5": _("Fri"),
    "6": _("Sat"),
    "7": _("Sun"),
}


def say(words: Words, value: str | StrEnum | None) -> str:
    """What people read for the value; a value that nobody foresaw is shown as it is."""
    return str(words.get(str(value), value or ""))
