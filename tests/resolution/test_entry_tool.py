"""T6, T10, T11, R12: the entry tool as a model sees it, and what its suffix says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    DIALECTS,
    Dialect,
    deny,
    edit_profile,
    fact,
    grant,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    search,
    sent,
)
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.models import CatalogState, Tenant, Tool

pytestmark = pytest.mark.django_db


def entry_of(answer: ResolveAnswer, name: str = "toolSearch") -> dict[str, Any]:
    return next(tool for tool in sent(answer) if tool["name"] == name)


def category_text(answer: ResolveAnswer) -> str:
    text: str = entry_of(answer)["parameters"]["properties"]["category"]["description"]
    return text


# T6


def b_T6_entry_tool__sent__takes_query_max_results_and_category(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", category="orders")
    parameters = entry_of(resolve(tenant))["parameters"]
    types = {name: schema["type"] for name, schema in parameters["properties"].items()}
    assert types == {"query": "string", "maxResults": "integer", "category": "string"}
    assert parameters["required"] == ["query"]


def b_T6_entry_tool__sent__says_what_a_search_is(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    description = entry_of(resolve(tenant))["description"]
    assert "names only" in description
    assert "next turn" in description
    assert "runs nothing" in description


def b_T6_categories__of_tools_that_can_be_found__are_listed(tenant: Tenant) -> None:
    make_tool(tenant, "ship", category="orders")
    make_tool(tenant, "quiet", category="quiet", searchable=False)
    make_tool(tenant, "draft", category="drafts", status="draft")
    make_tool(tenant, "pay", category="payments")
    make_tool(None, "shared", category="shared")
    make_tool(None, "granted", category="granted")
    grant(tenant, "granted")
    make_tool(make_tenant(), "foreign", category="foreign")
    make_group(tenant, "cashiers", ["pay"], fact("role", "equals", "cashier"))
    assert category_text(resolve(tenant)).endswith("One of: granted, orders.")
    assert category_text(resolve(tenant, attributes={"role": "cashier"})).endswith("granted, orders, payments.")
    deny(tenant, category="granted")
    assert category_text(resolve(tenant)).endswith("One of: orders.")


def b_T6_categories__more_than_thirty__thirty_are_listed(tenant: Tenant) -> None:
    for number in range(33):
        make_tool(tenant, f"tool_{number}", category=f"shelf-{number:02}")
    listed = category_text(resolve(tenant)).rpartition(": ")[2].rstrip(".").split(", ")
    assert listed == [f"shelf-{number:02}" for number in range(30)]


def b_T6_categories__none_at_all__entry_tool_goes_without(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    assert category_text(resolve(tenant)) == "Looks only in this category."


def b_T6_entry_name__of_the_profile__is_sent(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    make_profile(tenant, search={"entry_tool": "findTools", "default_results": 3, "max_results": 7})
    answer = resolve(tenant)
    assert answer.tool_names == ("findTools",)
    words = entry_of(answer, "findTools")["parameters"]["properties"]["maxResults"]["description"]
    assert "7" in words
    assert "3" in words


def b_T6_nothing_searchable__entry_tool_and_its_suffix_are_left_out(tenant: Tenant) -> None:
    make_tool(tenant, "quiet", searchable=False)
    answer = resolve(tenant)
    assert (answer.tool_names, answer.system_prompt) == ((), None)


def b_T6_search_off__entry_tool_is_left_out(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    make_profile(tenant, search={"enabled": False})
    answer = resolve(tenant)
    assert (answer.tool_names, answer.system_prompt) == ((), None)
    assert search(tenant, "ship").names == ()


# T10


def b_T10_search__answers_distinct_names_in_rank_order(tenant: Tenant) -> None:
    make_many_tools(tenant, ["image_crop", "image_rotate", "image"])
    answer = search(tenant, "image")
    assert answer.names[0] == "image"
    assert sorted(answer.names) == ["image", "image_crop", "image_rotate"]
    assert answer.names == tuple(result.name for result in answer.results)
    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)


def b_T10_nothing_fits__answer_is_empty_and_says_so(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    answer = search(tenant, "astronomy")
    assert (answer.names, answer.results, answer.outcome) == ((), (), "no_match")
    assert answer.hint


@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d.format != "generic"], ids=repr)
@pytest.mark.parametrize("form", ["catalog", "exported"])
def b_T10_answer_in_the_conversation__either_form_of_the_name__is_read(
    tenant: Tenant, dialect: Dialect, form: str
) -> None:
    make_tool(tenant, "calendar.respond", "Answers an invitation.")
    found = search(tenant, "invitation", format=dialect.format).results[0]
    assert (found.name, found.exported_name) == ("calendar.respond", "calendar_respond")
    name = found.name if form == "catalog" else found.exported_name
    assert name is not None
    answer = resolve(tenant, messages=[dialect.user("?"), *dialect.search(name)], format=dialect.format)
    assert dialect.tool_names(answer) == ["toolSearch", "calendar_respond"]
    assert answer.tool_names == ("toolSearch", "calendar.respond")
    assert answer.active_tools == ("calendar.respond",)
    assert answer.name_map["calendar_respond"] == "calendar.respond"


# T11


def b_T11_search__asked_many_times__changes_no_tool_and_no_revision(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", execution="client")
    before = (list(Tool.objects.values()), list(CatalogState.objects.values()))
    for query in ("ship", "parcel", "nothing of the kind"):
        search(tenant, query, session_id="s")
    resolve(tenant, session_id="s")
    assert (list(Tool.objects.values()), list(CatalogState.objects.values())) == before


# R12


def b_R12_suffix_null__built_in_text__tells_how_to_search(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    text = resolve(tenant).system_prompt
    assert isinstance(text, str)
    for point in ("no visible tool fits", "toolSearch", "once more with other words", "Never assume", "only after"):
        assert point in text


def b_R12_suffix_empty__is_off(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    make_profile(tenant, search={"system_prompt_suffix": ""})
    answer = resolve(tenant)
    assert (answer.tool_names, answer.system_prompt) == (("toolSearch",), None)


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_R12_suffix__stands_after_the_group_prompts(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "ship")
    make_group(tenant, "one", system_prompt="One.", position=1)
    make_group(tenant, "two", system_prompt="Two.", position=2)
    profile = make_profile(tenant, search={"system_prompt_suffix": "Search {entry} %s {{x}}."})
    messages = [dialect.user("hi")]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert dialect.system(answer) == "One.\n\nTwo.\n\nSearch {entry} %s {{x}}."
    edit_profile(profile, search={"enabled": False})
    assert dialect.system(resolve(tenant, messages=messages, format=dialect.format)) == "One.\n\nTwo."


def b_R12_built_in_suffix__names_the_entry_tool_as_it_is_exported(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    make_profile(tenant, search={"entry_tool": "find.tools"})
    answer = resolve(tenant, format="openai_chat")
    assert sent(answer)[0]["function"]["name"] == "find_tools"
    assert "call find_tools with" in str(answer.system_prompt)
