"""Calls of the search tools: the entry tool, and `search_tools` of the meta mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db import DatabaseError, InterfaceError

from toolcatalog.contract.catalog import Disclosure
from toolcatalog.contract.errors import FieldError, InvalidInput, SearchFailed
from toolcatalog.contract.execution import ERROR, OK
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.resolve import ContextInput, SearchAnswer, SearchRequest
from toolcatalog.formats import DeferredTool
from toolcatalog.resolution import (
    MOST_META_RESULTS,
    answer_plan,
    discloses_strictly,
    export_allowed,
    make_deferred,
    plan_search,
    read_format,
)

from .answers import Answered
from .judging import Fate, JudgedCall
from .situation import Situation

SEARCH_FAILED = "The search failed; that says nothing about which tools there are."


def answer_search(situation: Situation, judged: JudgedCall, request: SearchRequest) -> tuple[Answered, tuple[str, ...]]:
    """Search for the model. Answers what it reads, and the catalog names that were found.

    What is wrong with the arguments becomes an error text (T7, T8), and a search that fails too (T15). Raises
    SearchFailed where it is the database that fails.
    """
    try:
        plan = plan_search(situation.catalog, request, situation.caller)
        if situation.shown is not None:
            plan = replace(plan, snapshot_id=situation.shown.id)
        if judged.fate is Fate.META_SEARCH:
            plan = replace(plan, limit=min(plan.limit, MOST_META_RESULTS))
        found = answer_plan(plan, request, situation.caller)
    except InvalidInput as error:
        return Answered(judged, ERROR, error_text(judged, error), error.code), ()
    except SearchFailed as error:
        if isinstance(error.__cause__, DatabaseError | InterfaceError):
            raise
        return Answered(judged, ERROR, failure_text(judged), error.code), ()
    if judged.fate is Fate.META_SEARCH:
        return Answered(judged, OK, describe_found(situation, found)), found.names
    exported = situation.names.exported
    answered = Answered(judged, OK, [exported[name] for name in found.names])
    if situation.disclosure is Disclosure.NATIVE:
        answered = replace(answered, found=tuple(disclose_found(situation, found.names)))
    return answered, found.names


def disclose_found(situation: Situation, names: Sequence[str]) -> Iterator[DeferredTool]:
    """The found tools as the vendor's own form takes them."""
    strict = discloses_strictly(situation.profile, situation.format)
    for tool in export_allowed(situation.catalog, situation.format, situation.permission, names, strict=strict):
        yield make_deferred(tool)


def error_text(judged: JudgedCall, error: InvalidInput) -> JsonValue:
    """The errors in words, by the names that the model knows the arguments by."""
    known = {"max_results": "maxResults"} if judged.fate is Fate.SEARCH else {}
    text = " ".join(f"{known.get(finding.path, finding.path)}: {finding.message}" for finding in error.errors)
    if judged.fate is Fate.META_SEARCH:
        return {"error": text, "suggestion": "Mend the arguments and search again."}
    return text


def failure_text(judged: JudgedCall) -> JsonValue:
    """That the search failed: no statement about what there is."""
    if judged.fate is Fate.META_SEARCH:
        return {"error": SEARCH_FAILED, "suggestion": "Search once more."}
    return f"{SEARCH_FAILED} Search once more."


def make_search_request(
    situation: Situation, judged: JudgedCall, session_id: str | None, correlation_id: str | None
) -> SearchRequest:
    """The search that a call asks for. Raises InvalidInput for a category that is no text."""
    arguments = judged.arguments
    category = arguments.get("category")
    if category is not None and not isinstance(category, str):
        raise InvalidInput([FieldError("category", "not_text", "Give the category as text, or leave it out.")])
    context = situation.context
    return SearchRequest(
        query=arguments.get("query"),
        max_results=arguments.get("maxResults" if judged.fate is Fate.SEARCH else "max_results"),
        category=category,
        profile=situation.profile.slug,
        session_id=session_id,
        context=ContextInput(
            context.account_id,
            context.conversation_id,
            context.bot_id,
            context.turn_id,
            context.model,
            context.attributes,
        ),
        correlation_id=correlation_id,
    )


def describe_found(situation: Situation, found: SearchAnswer) -> dict[str, Any]:
    """The answer of `search_tools`: definitions and all, or what to do instead (X6)."""
    if not found.results:
        categories = situation.permission.search_scope().categories
        known = f"Categories are: {', '.join(categories)}." if categories else "Nothing can be searched for."
        return {"found": 0, "message": "No tool fits.", "suggestion": f"Try other words once. {known}"}
    neutral = read_format("generic")
    written = export_allowed(situation.catalog, neutral, situation.permission, found.names)
    definitions = {one.line.name: one.tool.payload for one in written}
    tools = [
        {
            "name": situation.names.exported[hit.name],
            "description": definitions[hit.name]["description"],
            "category": hit.category,
            "tags": list(hit.tags),
            "input_schema": definitions[hit.name]["parameters"],
            "relevance_score": round(hit.score, 4),
        }
        for hit in found.results
        if hit.name in definitions
    ]
    return {"found": len(tools), "tools": tools}
