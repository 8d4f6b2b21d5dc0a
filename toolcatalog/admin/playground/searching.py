"""What the model would find: the search that requests are answered by, without a record of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from toolcatalog.admin.translating import translate_sentence
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.resolve import Caller, ContextInput, SearchRequest
from toolcatalog.resolution import CATALOGS
from toolcatalog.resolution.searching import find_tools, make_answer, plan_search


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One hit, best first. `share` is its score in percent; `used` says how use moved it, where that counts."""

    name: str
    title: str
    description: str
    category: str
    share: int
    matched_on: str
    url: str
    used: str = ""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The hits, or why there are none; `problem` where the search failed, which is not the same."""

    query: str
    lines: tuple[FoundLine, ...] = ()
    searched: int = 0
    hint: str = ""
    problem: str = ""


def try_search(query: str, profile: str | None, context: ContextInput, caller: Caller) -> SearchOutcome:
    """Search as the profile's model would."""
    request = SearchRequest(query=query, profile=profile, context=context, explain=True)
    try:
        catalog = CATALOGS.get(caller.tenant_id)
        plan = plan_search(catalog, request, caller)
        answer = make_answer(plan, find_tools(plan), request, caller)
    except ToolCatalogError as error:
        return SearchOutcome(query, problem=translate_sentence(error.detail))
    ids = {catalog.tools[tool_id].name: tool_id for tool_id in plan.allowed}
    used: Any = (answer.explanation or {}).get("used", {})
    lines = tuple(
        FoundLine(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            category=tool.category or "",
            share=round(100 * tool.score),
            matched_on=", ".join(gettext(field) for field in tool.matched_on),
            url=reverse("admin:toolcatalog_tool_change", args=[ids[tool.name]]),
            used=say_use(used[tool.name]) if tool.name in used else "",
        )
        for tool in answer.results
    )
    return SearchOutcome(query, lines, len(plan.allowed), translate_sentence(answer.hint or ""))


def say_use(use: Mapping[str, int]) -> str:
    """How often the tenant's agents used the tool with success, and where it would stand without that."""
    number, place = use["successes"], use["place_without"]
    said = ngettext(
        "Used with success %(number)s time; by fit alone it would be number %(place)s.",
        "Used with success %(number)s times; by fit alone it would be number %(place)s.",
        number,
    )
    return said % {"number": number, "place": place}
