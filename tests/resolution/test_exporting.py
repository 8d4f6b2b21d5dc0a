"""How the tools of an answer are written: names, what cannot be written, and that no old text ever comes back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction

from tests.support import (
    availability,
    edit_tool,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    own_tool,
    parameters_of,
    resolve,
    sent,
)
from toolcatalog.contract.reasons import Reason
from toolcatalog.models import Exposure, ExposureContent, Tenant, Tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    tenant = make_tenant()
    make_profile(tenant, search={"enabled": False})
    return tenant


def spoil(tool: Tool) -> None:
    """Give the tool, past every service, parameters that no vendor takes."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE toolcatalog_tool SET parameters = '[1]' WHERE id = %s", [tool.pk])


# N08: one bad tool never spoils a request


@pytest.mark.parametrize(
    "format_name", ["openai_chat", "openai_responses", "anthropic", "gemini", "bedrock", "generic"]
)
def case_N08_one_tool_of_twenty_not_exportable__nineteen_are_sent(tenant: Tenant, format_name: str) -> None:
    tools = make_many_tools(tenant, [f"tool_{number:02}" for number in range(20)])
    make_group(tenant, "g", [tool.name for tool in tools])
    spoil(tools[7])
    answer = resolve(tenant, format=format_name)
    assert len(answer.tool_names) == 19
    assert [(o.name, o.reason) for o in answer.omitted] == [("tool_07", Reason.NOT_EXPORTABLE)]
    assert "tool_07" in [notice.name for notice in answer.notices]
    told = availability(tenant, "tool_07", format=format_name)
    assert (told.available, told.reason) == (False, Reason.NOT_EXPORTABLE)


def test_tool_not_exportable__takes_no_place_of_the_limit(tenant: Tenant) -> None:
    tools = make_many_tools(tenant, ["a", "b", "c", "d"])
    make_group(tenant, "g", "abcd")
    make_profile(tenant, max_tools=2, search={"enabled": False})
    spoil(tools[0])
    answer = resolve(tenant)
    assert answer.tool_names == ("b", "c")
    reasons = {o.name: o.reason for o in answer.omitted}
    assert reasons == {"a": Reason.NOT_EXPORTABLE, "d": Reason.OVER_BUDGET}


def test_tool_not_exportable__is_not_recorded_as_shown(tenant: Tenant) -> None:
    good, bad = make_many_tools(tenant, ["good", "bad"])
    make_group(tenant, "g", ["good", "bad"])
    spoil(bad)
    answer = resolve(tenant)
    exposure = Exposure.objects.get(pk=answer.snapshot.id)
    assert ExposureContent.objects.get(pk=exposure.snapshot_sha256).tool_ids == [good.pk]


# Names


def case_N16_unrelated_tools__do_not_rename_a_tool(tenant: Tenant) -> None:
    make_tool(tenant, "get_order")
    make_group(tenant, "g", ["get_order"])
    before = resolve(tenant, format="openai_chat")
    make_many_tools(tenant, ["calendar.respond", "订单", "x" * 100])
    make_group(tenant, "other", ["calendar.respond", "订单"], position=200)
    after = resolve(tenant, format="openai_chat")
    assert sent(after)[0] == sent(before)[0]
    assert before.name_map == {"get_order": "get_order"}


def test_callers_tool__of_an_exported_name_of_the_catalog__gets_another_in_every_snapshot(tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "The catalog's.")
    group = make_group(tenant, "g", ["get_order"])
    answer = resolve(tenant, tools=[own_tool("get.order")], format="openai_chat")
    (mine, theirs) = (tool["function"]["name"] for tool in sent(answer))
    assert (theirs, answer.name_map[mine]) == ("get_order", "get.order")
    assert mine.startswith("get_order_")
    group.group_tools.all().delete()
    alone = resolve(tenant, tools=[own_tool("get.order")], format="openai_chat")
    assert [tool["function"]["name"] for tool in sent(alone)] == [mine]


def test_callers_tool__of_a_catalog_name__keeps_its_name(tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "The catalog's.")
    answer = resolve(tenant, tools=[own_tool("get_order")], format="openai_chat")
    assert [tool["function"]["name"] for tool in sent(answer)] == ["get_order"]


def test_callers_tools__that_would_get_one_name__get_two(tenant: Tenant) -> None:
    answer = resolve(tenant, tools=[own_tool("a.b"), own_tool("a/b"), own_tool("a_b")], format="openai_chat")
    names = [tool["function"]["name"] for tool in sent(answer)]
    assert len(set(names)) == 3
    assert [answer.name_map[name] for name in names] == ["a.b", "a/b", "a_b"]


def test_callers_tool__of_the_name_that_another_tool_is_sent_under__gets_another(tenant: Tenant) -> None:
    make_tool(tenant, "订单")
    make_group(tenant, "g", ["订单"])
    (tool,) = sent(resolve(tenant, format="anthropic"))
    answer = resolve(tenant, tools=[own_tool(tool["name"])], format="anthropic")
    names = [tool["name"] for tool in sent(answer)]
    assert names[1] == tool["name"]
    assert names[0] != tool["name"]


def test_gemini__list_of_tools__is_what_its_field_takes(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    make_group(tenant, "g", ["ship"])
    answer = resolve(tenant, format="gemini")
    (entry,) = sent(answer)
    assert [declaration["name"] for declaration in entry["functionDeclarations"]] == ["ship"]


# Strict


def test_strict_tools__more_than_the_vendor_checks__go_without_and_say_so(tenant: Tenant) -> None:
    tools = make_many_tools(
        tenant,
        [f"tool_{number:02}" for number in range(21)],
        parameters={**parameters_of(a="A"), "required": ["a"], "additionalProperties": False},
    )
    make_profile(tenant, strict="on", search={"enabled": False})
    group = make_group(tenant, "g", [tool.name for tool in tools[:20]])
    answer = resolve(tenant, format="anthropic")
    assert all(tool["strict"] for tool in sent(answer))
    group.delete()
    make_group(tenant, "g", [tool.name for tool in tools])
    answer = resolve(tenant, format="anthropic")
    assert not any("strict" in tool for tool in sent(answer))
    assert answer.request is not None
    assert "strict" not in str(answer.request["tools"])
    assert "strict_budget" in {notice.code for notice in answer.notices}


# Nothing old comes back


def shown(tenant: Tenant, **fields: Any) -> dict[str, Any]:
    return sent(resolve(tenant, **fields))[0]


@pytest.fixture
def ship(tenant: Tenant) -> Tool:
    tool = make_tool(tenant, "ship", "Sends.", parameters=parameters_of(old="Old"), annotations={"readOnlyHint": True})
    make_group(tenant, "g", ["ship"])
    assert list(shown(tenant)["parameters"]["properties"]) == ["old"]
    return tool


def test_tool_edited_by_sql__without_a_revision__is_sent_as_it_is_now(tenant: Tenant, ship: Tool) -> None:
    Tool.objects.filter(pk=ship.pk).update(parameters=parameters_of(new="New"), annotations={"readOnlyHint": False})
    tool = shown(tenant)
    assert list(tool["parameters"]["properties"]) == ["new"]
    assert tool["annotations"] == {"readOnlyHint": False}


def test_edit_rolled_back__and_made_otherwise__nothing_of_it_stays(tenant: Tenant, ship: Tool) -> None:
    for name in ("first", "second"):
        with transaction.atomic():
            edit_tool(ship, parameters=parameters_of(**{name: "?"}))
            assert list(shown(tenant)["parameters"]["properties"]) == [name]
            transaction.set_rollback(True)
        assert list(shown(tenant)["parameters"]["properties"]) == ["old"]
    edit_tool(ship, parameters=parameters_of(third="?"))
    assert list(shown(tenant)["parameters"]["properties"]) == ["third"]
