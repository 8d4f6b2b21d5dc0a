"""Calls of the search tools: the entry tool, and `search_tools` of the meta mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from toolcatalog.contract.catalog import Disclosure
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.execution import ERROR, OK
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.resolve import ContextInput, SearchAnswer, SearchRequest
from toolcatalog.formats import DeferredTool
from toolcatalog.resolution import answer_plan, export_allowed, make_deferred, plan_search

from .answers import Answered
from .judging import Fate, JudgedCall
from .situation import Situation


def answer_search(situation: Situation, judged: JudgedCall, request: SearchRequest) -> tuple[Answered, tuple[str, ...]]:
    """Search for the model. Answers what it reads, and the catalog names that were found.

    What is wrong with the arguments becomes an error text (T7, T8); a search that fails raises SearchFailed.
    """
    try:
        plan = plan_search(situation.catalog, request, situation.caller)
    except InvalidInput as error:
        return Answered(judged, ERROR, error_text(judged, error), error.code), ()
    found = answer_plan(situation.catalog, plan, request, situation.caller)
    if judged.fate is Fate.META_SEARCH:
        return Answered(judged, OK, describe_found(situation, found)), found.names
    exported = situation.names.exported
    answered = Answered(judged, OK, [exported[name] for name in found.names])
    if situation.disclosure is Disclosure.NATIVE:
        answered = replace(answered, found=tuple(disclose_found(situation, found.names)))
    return answered, found.names


def disclose_found(situation: Situation, names: Sequence[str]) -> Iterator[DeferredTool]:
    """The found tools as the vendor's own form takes them."""
    for tool in export_allowed(situation.catalog, situation.format, situation.permission, names):
        yield make_deferred(tool)


def error_text(judged: JudgedCall, error: InvalidInput) -> JsonValue:
    """The errors in words, by the names that the model knows the arguments by."""
    known = {"max_results": "maxResults"} if judged.fate is Fate.SEARCH else {}
    text = " ".join(f"{known.get(finding.path, finding.path)}: {finding.message}" for finding in error.errors)
    if judged.fate is Fate.META_SEARCH:
        return {"error": text, "suggestion": "Mend the arguments and search again."}
    return text


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
    catalog = situation.catalog
    tools = []
    for hit in found.results:
        tool = catalog.find(hit.name)
        if tool is not None:
            tools.append(
                {
                    "name": situation.names.exported[hit.name],
                    "description": hit.description,
                    "category": hit.category,
                    "tags": list(hit.tags),
                    "input_schema": orjson.loads(tool.content.parameters),
                    "relevance_score": round(hit.score, 4),
                }
            )
    return {"found": len(tools), "tools": tools}
