"""Tools are curated by hand: added, changed, refused with the reason beside the field, deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from tests.support import deny, grant, make_group, make_key, make_profile, make_tool, says
from toolcatalog.models import Category, Revision, Tag, Tenant, Tool

from .pages import add_url, change_url, errors_of, fill, list_url, messages_of, read_form, send

RTL = "\u200fشحنة 👩‍🔬 中文 עברית"


def test_tool__added_by_hand__is_saved_with_author_and_reason(admin: Client, tenant: Tenant) -> None:
    response = fill(
        admin,
        add_url("tool"),
        "tool",
        owner=str(tenant.pk),
        name="get_order",
        title="Order status",
        description="Says where an order is.\r\nFor one order.",
        parameters='{"type": "object", "properties": {"orderNo": {"type": "string"}}}',
        status="published",
        category=["Orders"],
        tags=["logistics", "订单"],
        keywords__language=["en", "zh", ""],
        keywords__words=["parcel\r\n shipment ", "快递", ""],
        reason="first one",
    )
    assert response.status_code == 302
    tool = Tool.objects.get(owner=tenant, name="get_order")
    assert tool.description == "Says where an order is.\nFor one order."
    assert tool.keywords == {"en": ["parcel", "shipment"], "zh": ["快递"]}
    assert Category.objects.filter(tools=tool, slug="orders", title="Orders").exists()
    assert set(tool.tags.values_list("slug", flat=True)) == {"logistics", "订单"}
    revision = Revision.objects.get(object_id=tool.pk)
    assert (revision.author, revision.reason, revision.number) == ("Ada Curator", "first one", 1)


def test_tool__new__is_a_draft(admin: Client, tenant: Tenant) -> None:
    fill(admin, add_url("tool"), "tool", name="get_order", description="Says where an order is.")
    assert Tool.objects.get(name="get_order").status == "draft"


def case_J06_nothing_to_pass__is_stored_by_hand_too(admin: Client, tenant: Tenant) -> None:
    response = fill(admin, add_url("tool"), "tool", name="clock", description="Tells the time.", parameters="{}")
    assert response.status_code == 302
    assert Tool.objects.get(name="clock").parameters == {}


def case_U13_chinese_and_right_to_left_text__shown_and_saved_unchanged(admin: Client, tenant: Tenant) -> None:
    fill(admin, add_url("tool"), "tool", owner=str(tenant.pk), name="查询订单", title=RTL, description=RTL)
    tool = Tool.objects.get(name="查询订单")
    assert (tool.title, tool.description) == (RTL, RTL)
    assert RTL in admin.get(change_url(tool)).content.decode()


@pytest.mark.parametrize(
    ("changes", "field", "part"),
    [
        ({"name": "get order"}, "name", "get_order"),
        ({"name": "toolSearch"}, "name", "toolSearch"),
        ({"name": ""}, "name", "required"),
        ({"parameters": "{"}, "parameters", "not JSON"),
        ({"parameters": "[]"}, "parameters", "JSON object"),
        ({"parameters": '{"type": "object", "type": "object"}'}, "parameters", "twice"),
        ({"parameters": "[" * 5000}, "parameters", ""),
        ({"parameters": '{"type": "string"}'}, "parameters", "parameters.type"),
        ({"parameters": '{"properties": {"a": {"type": "wrong"}}}'}, "parameters", "parameters.properties.a"),
        ({"parameters": '{"properties": {"a": {"default": 1e999}}}'}, "parameters", "parameters.properties.a.default"),
        ({"output_schema": '{"type": 1}'}, "output_schema", "output_schema.type"),
        ({"execution": "callback"}, "callback", "callback"),
        ({"replaced_by": ["nowhere"]}, "replaced_by", "nowhere"),
        ({"keywords__language": ["en", "zh", ""], "keywords__words": ["", "", "Paket"]}, "keywords", "language"),
        ({"version": ""}, "version", "required"),
    ],
)
def test_tool__wrong_part__is_refused_beside_its_field(
    admin: Client, tenant: Tenant, changes: dict[str, Any], field: str, part: str
) -> None:
    wanted: dict[str, Any] = {
        "owner": str(tenant.pk),
        "name": "get_order",
        "description": "kept",
        "category": ["made-on-the-way"],
        **changes,
    }
    response = fill(admin, add_url("tool"), "tool", **wanted)
    assert part in " ".join(errors_of(response)[field])
    assert not Tool.objects.exists()
    assert not Category.objects.exists(), "nothing is half saved"
    sent_back = dict(read_form(response, "tool"))
    assert sent_back["description"] == "kept"
    if isinstance(changes.get("parameters"), str):
        assert sent_back["parameters"] == changes["parameters"], "what was typed is not lost"


def test_tool__name_of_another__is_refused_without_a_loss(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "y", "the other")
    tool = make_tool(tenant, "x", "this one")
    response = fill(admin, change_url(tool), "tool", name="y")
    assert "already has a tool of that name" in " ".join(errors_of(response)["name"])
    assert set(Tool.objects.values_list("name", "description")) == {("x", "this one"), ("y", "the other")}


def case_N18_rename__prompts_that_speak_of_it_are_named(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "find_customer", "Finds a customer.")
    make_group(tenant, "crm", system_prompt="First call find_customer.")
    url = change_url(tool)
    fields = [(name, value) for name, value in read_form(admin.get(url), "tool") if name != "name"]
    send(admin, url, [*fields, ("name", "look_up_customer"), ("_continue", "1")])
    said = " ".join(messages_of(admin.get(url)))
    assert "find_customer" in said
    assert "crm" in said


def b_T17_poor_metadata__warned_about_after_the_save(admin: Client, tenant: Tenant) -> None:
    fill(admin, add_url("tool"), "tool", owner=str(tenant.pk), name="handle", description="")
    said = " ".join(messages_of(admin.get(list_url("tool"))))
    assert "says little" in said
    assert "Models choose by the description" in said
    assert Tool.objects.filter(name="handle").exists()


def test_tool__deleted__its_last_state_stays(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    response = admin.post(change_url(tool).replace("change", "delete"), {"post": "yes"})
    assert response.status_code == 302
    assert not Tool.objects.exists()
    assert Revision.objects.filter(object_id=tool.pk, status="deleted", author="Ada Curator").exists()


@pytest.mark.parametrize(("action", "status"), [("publish_selected", "published"), ("switch_off_selected", "disabled")])
def test_tools__bulk_action__each_gets_a_revision(admin: Client, tenant: Tenant, action: str, status: str) -> None:
    tools = [make_tool(tenant, name, "A tool.", status="draft") for name in ("a", "b")]
    response = admin.post(
        list_url("tool"), {"action": action, "_selected_action": [tool.pk for tool in tools]}, follow=True
    )
    assert any("2 tools" in said for said in messages_of(response))
    assert set(Tool.objects.values_list("status", flat=True)) == {status}
    assert Revision.objects.filter(number=2).count() == 2


def case_P21_tool_page__groups_rules_tenants_and_keys(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(None, "get_weather", "Says the weather.", category="weather")
    make_group(tenant, "forecast", ["get_weather"], says("天气"))
    make_profile(tenant, "bot", resident_tools=("get_weather",))
    make_key(tenant)
    grant(tenant, category="weather")
    page = admin.get(change_url(tool)).content.decode()
    for part in ("forecast", "contains any of 天气", "acme/bot", "Allowed:", "tests"):
        assert part in page, part
    deny(tenant, "get_weather")
    page = admin.get(change_url(tool)).content.decode()
    assert "Denied:" in page


def test_tool_page__vendor_that_changes_it__says_what(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "jira/查询", "Finds.")
    page = admin.get(change_url(tool)).content.decode()
    assert "This name has characters that" in page


def test_parameters__as_a_table__even_while_they_are_typed(admin: Client, tenant: Tenant) -> None:
    days = {"type": "integer", "description": "How many <b>", "minimum": 1}
    schema = json.dumps({"properties": {"days": days}, "required": ["days"]})
    page = admin.post("/admin/toolcatalog/tool/parameters/", {"parameters": schema}).content.decode()
    assert "days" in page
    assert escape("How many <b>") in page
    assert "not JSON" in admin.post("/admin/toolcatalog/tool/parameters/", {"parameters": "{"}).content.decode()
    assert admin.get("/admin/toolcatalog/tool/parameters/").status_code == 405


def test_tag__chosen_by_its_title__is_not_made_twice(admin: Client, tenant: Tenant) -> None:
    fill(admin, add_url("tool"), "tool", name="a", description="A tool.", tags=["Mail Order"])
    fill(admin, add_url("tool"), "tool", name="b", description="Another tool.", tags=["mail order"])
    assert Tag.objects.count() == 1


def test_tool_page__verdict_of_a_vendor__says_what_to_do(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is. " * 60)
    page = admin.get(change_url(tool)).content.decode()
    assert escape("Shorten the description to 1,024 characters, the most important first.") in page
    page = admin.get(change_url(tool), HTTP_ACCEPT_LANGUAGE="zh-hans").content.decode()
    assert "Shorten the description" not in page
    assert "1,024" in page
