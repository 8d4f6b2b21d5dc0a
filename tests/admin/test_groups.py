"""Groups and their rules: rows that read like sentences, errors beside the right row, nothing saved by halves."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import edit_group, fact, make_group, make_profile, make_tool, row, says
from toolcatalog.curation import render_group
from toolcatalog.models import Revision, Tenant, ToolGroup

from .pages import (
    add_url,
    change_fields,
    change_url,
    errors_of,
    fill,
    list_url,
    read_form,
    row_errors,
    row_fields,
    send,
)

WORDS = "/admin/toolcatalog/toolgroup/words/"


def test_group__added_with_a_rule__is_saved_whole(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order")
    make_tool(tenant, "track_parcel")
    response = fill(
        admin,
        add_url("toolgroup"),
        "toolgroup",
        owner=str(tenant.pk),
        name="order",
        title="Orders",
        system_prompt="只能查询当前账号下的订单。\r\n",
        match="rules",
        status="published",
        tools=["track_parcel", "get_order"],
        offers_search="on",
        reason="new",
        matchers__TOTAL_FORMS="3",
        **row_fields(0, text="订单\r\n物流\r\n\r\n", note="the words"),
        **row_fields(1, source="account_id", operator="exists"),
        **row_fields(
            2, condition_set="2", source="attribute", attribute="plan", operator="equals", text="premium", negate="on"
        ),
    )
    assert response.status_code == 302, errors_of(response)
    document = render_group(ToolGroup.objects.get(name="order"))
    assert document["tools"] == ["track_parcel", "get_order", "toolSearch"]
    assert document["system_prompt"] == "只能查询当前账号下的订单。\n"
    rules = [
        (one["condition_set"], one["source"], one["operator"], one["value"], one["negate"])
        for one in document["matchers"]
    ]
    assert rules == [
        (1, "message", "contains_any", ["订单", "物流"], False),
        (1, "account_id", "exists", None, False),
        (2, "attribute", "equals", "premium", True),
    ]
    assert document["restricts_access"] is True
    assert ToolGroup.objects.get().restricts_access is None, "left automatic, it stays automatic"
    revision = Revision.objects.get(kind="group")
    assert (revision.author, revision.reason) == ("Ada Curator", "new")


def b_G2_new_group__applies_always_and_is_a_draft__said_in_words(admin: Client, tenant: Tenant) -> None:
    page = admin.get(add_url("toolgroup"))
    assert "applies always, and is a draft" in page.content.decode()
    fill(admin, add_url("toolgroup"), "toolgroup", owner=str(tenant.pk), name="fresh")
    group = ToolGroup.objects.get(name="fresh")
    assert (group.match, group.status) == ("always", "draft")


def b_G18_last_row_removed__refused_beside_the_rows(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"))
    response = fill(admin, change_url(group), "toolgroup", matchers__0__DELETE="on")
    form = response.context["adminform"].form
    assert "choose “always”" in form.rows_problems[0]
    assert form.rows_problems[0] in response.content.decode()
    assert ToolGroup.objects.get().match == "rules"
    assert ToolGroup.objects.get().matchers.count() == 1


@pytest.mark.parametrize(
    ("parts", "field", "said"),
    [
        ({"text": " \r\n "}, "text", "at least one keyword"),
        ({}, "text", "at least one keyword"),
        ({"operator": "matches_regex", "text": "(?=x)"}, "text", "look"),
        ({"operator": "matches_regex", "text": ""}, "text", ""),
        ({"source": "attribute", "operator": "equals", "text": "x"}, "attribute", "which attribute"),
        ({"source": "account_id", "operator": "greater_than", "text": "1"}, "operator", "cannot be used"),
        ({"source": "account_id", "operator": "percentage", "text": "many"}, "text", "percentage"),
        ({"source": "time", "operator": "between_times", "start": "9", "end": "18:00"}, "text", "time of day"),
        ({"source": "group", "operator": "equals", "text": "order"}, "text", "itself"),
        ({"source": "group", "operator": "equals", "text": "late"}, "text", "late"),
        ({"condition_set": "0"}, "condition_set", "1"),
        ({"source": "nothing"}, "source", "nothing"),
        ({"text": "nul\x00"}, "text", "Null"),
    ],
)
def test_row__wrong_part__is_refused_beside_its_own_row(
    admin: Client, tenant: Tenant, parts: dict[str, str], field: str, said: str
) -> None:
    make_group(tenant, "late", position=900)
    response = fill(
        admin,
        add_url("toolgroup"),
        "toolgroup",
        owner=str(tenant.pk),
        name="order",
        match="rules",
        matchers__TOTAL_FORMS="3",
        **row_fields(0, text="gone", matchers__DELETE=""),
        matchers__0__DELETE="on",
        **row_fields(1, text="fine"),
        **row_fields(2, **parts),
    )
    assert errors_of(response)["__all__"]
    errors = row_errors(response)
    assert errors[:2] == [{}, {}]
    assert said in " ".join(errors[2][field])
    assert not ToolGroup.objects.filter(name="order").exists()


def test_group__unknown_tool__is_refused_beside_the_tool(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order")
    response = fill(
        admin,
        add_url("toolgroup"),
        "toolgroup",
        owner=str(tenant.pk),
        name="order",
        tools=["get_order", "gone", "get_order"],
    )
    said = errors_of(response)["tools"]
    assert "There is no tool “gone”" in " ".join(said)
    assert "listed twice" in " ".join(said)
    picker = response.context["adminform"].form.fields["tools"].widget
    assert set(picker.errors) == {1, 2}
    assert dict(read_form(response, "toolgroup"))["name"] == "order"


@pytest.mark.parametrize(
    ("parts", "value"),
    [
        ({"source": "attribute", "attribute": "total", "operator": "equals", "text": "1000", "kind": "number"}, 1000),
        ({"source": "attribute", "attribute": "total", "operator": "equals", "text": "1000", "kind": "text"}, "1000"),
        ({"source": "attribute", "attribute": "mfa", "operator": "equals", "text": "true", "kind": "truth"}, True),
        (
            {"source": "attribute", "attribute": "level", "operator": "in", "text": "1\r\n2.5", "kind": "number"},
            [1, 2.5],
        ),
        ({"source": "attribute", "attribute": "level", "operator": "in", "text": '["a", 1]', "kind": "json"}, ["a", 1]),
        ({"source": "attribute", "attribute": "total", "operator": "greater_than", "text": " 1000 "}, 1000),
        ({"source": "attribute", "attribute": "since", "operator": "less_than", "text": "2023-01-01"}, "2023-01-01"),
        ({"source": "account_id", "operator": "percentage", "text": "12.5"}, 12.5),
        ({"source": "account_id", "operator": "in", "text": "1001\r\n1002"}, ["1001", "1002"]),
        ({"operator": "matches_regex", "text": " \\d "}, " \\d "),
        (
            {
                "source": "time",
                "operator": "between_times",
                "start": "09:00",
                "end": "18:00",
                "zone": "Asia/Shanghai",
                "days": ["1", "5"],
            },
            {"from": "09:00", "to": "18:00", "zone": "Asia/Shanghai", "days": [1, 5]},
        ),
    ],
)
def test_row__value_of_each_shape__is_stored_with_its_type(
    admin: Client, tenant: Tenant, parts: dict[str, Any], value: Any
) -> None:
    response = fill(
        admin,
        add_url("toolgroup"),
        "toolgroup",
        owner=str(tenant.pk),
        name="g",
        match="rules",
        matchers__TOTAL_FORMS="1",
        **row_fields(0, **parts),
    )
    assert response.status_code == 302, row_errors(response)
    stored = ToolGroup.objects.get().matchers.get().value
    assert (stored, type(stored)) == (value, type(value))


def test_row__removed_and_added__without_touching_the_others(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("a"), says("b", note="kept"), says("c"))
    response = fill(
        admin,
        change_url(group),
        "toolgroup",
        matchers__1__DELETE="on",
        matchers__TOTAL_FORMS="4",
        **row_fields(3, text="d"),
    )
    assert response.status_code == 302
    assert [one.value for one in ToolGroup.objects.get().matchers.all()] == [["a"], ["c"], ["d"]]


def test_row__warnings__are_said_after_the_save(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"))
    page = send(
        admin, change_url(group), [*change_fields(_fields(admin, group), matchers__0__text="x"), ("_continue", "1")]
    )
    assert page.status_code == 302
    assert "single character" in admin.get(change_url(group)).content.decode()


def _fields(admin: Client, group: ToolGroup) -> list[tuple[str, str]]:
    return read_form(admin.get(change_url(group)), "toolgroup")


def test_words__while_typing__say_the_rule_and_what_access_works_out_to(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"), row("account_id", "exists", condition_set=2))
    fields = _fields(admin, group)
    page = send(admin, WORDS, fields).content.decode()
    assert "the last user message contains any of 订单" in page
    assert "the account is given" in page
    assert "Left automatic it is: yes" in page
    page = send(admin, WORDS, change_fields(fields, matchers__1__DELETE="on")).content.decode()
    assert "Left automatic it is: no" in page
    page = send(admin, WORDS, change_fields(fields, matchers__0__text="<script>")).content.decode()
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def b_G17_access__said_in_words_beside_the_switch(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"), fact("plan", "equals", "premium"))
    page = admin.get(change_url(group)).content.decode()
    assert "Conditions on the message never restrict" in page
    words = send(admin, WORDS, change_fields(_fields(admin, group), restricts_access="yes")).content.decode()
    assert "Access is restricted: the tools of this group can be shown, found, called and run only where" in words
    words = send(admin, WORDS, change_fields(_fields(admin, group), restricts_access="no")).content.decode()
    assert "a search can still find them" in words


def b_G12_missing_attributes_and_messages__said_beside_the_rows(admin: Client, tenant: Tenant) -> None:
    page = admin.get(add_url("toolgroup")).content.decode()
    assert "An attribute that the caller does not send makes its condition false" in page
    assert "is false where the last user message has no text, also when it is turned around" in page


def test_list__rules_in_words(admin: Client, tenant: Tenant) -> None:
    make_group(tenant, "order", [], says("订单"), row("account_id", "exists", condition_set=2, negate=True))
    page = admin.get(list_url("toolgroup")).content.decode()
    assert "the last user message contains any of 订单" in page
    assert "the account is not given" in page


def case_U10_two_groups_from_one_template__each_page_shows_its_own_names(admin: Client, tenant: Tenant) -> None:
    for name, title in (("one", "First"), ("two", "Second")):
        make_group(tenant, name, title=title, system_prompt="the same")
    for group in ToolGroup.objects.all():
        fields = dict(_fields(admin, group))
        assert (fields["name"], fields["title"]) == (group.name, group.title)
    page = admin.get(list_url("toolgroup")).content.decode()
    assert "First" in page
    assert "Second" in page


def case_U05_group_with_many_tools__search_box_and_all_of_them_kept(admin: Client, tenant: Tenant) -> None:
    from tests.support import make_many_tools

    names = [f"tool_{number:03}" for number in range(200)]
    make_many_tools(tenant, names)
    group = make_group(tenant, "big", names)
    page = admin.get(change_url(group))
    assert "data-picker-filter" in page.content.decode()
    assert len(page.content) < 400_000
    assert send(admin, change_url(group), read_form(page, "toolgroup")).status_code == 302
    assert render_group(ToolGroup.objects.get())["tools"] == names


def case_U03_tools_chosen_in_two_searches__both_kept(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order")
    make_tool(None, "get_weather")
    pick = "/admin/pick/tool/"
    first = admin.get(pick, {"q": "order", "owner": str(tenant.pk)}).json()["choices"][0]["value"]
    second = admin.get(pick, {"q": "weather", "owner": str(tenant.pk)}).json()["choices"][0]["value"]
    fill(admin, add_url("toolgroup"), "toolgroup", owner=str(tenant.pk), name="both", tools=[first, second])
    assert render_group(ToolGroup.objects.get())["tools"] == ["get_order", "get_weather"]


def test_group__deleted__its_last_state_stays(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"))
    assert admin.post(change_url(group).replace("change", "delete"), {"post": "yes"}).status_code == 302
    assert not ToolGroup.objects.exists()
    assert Revision.objects.get(status="deleted").content["name"] == "order"


def test_groups__published_together__the_switch_stays_as_it_was(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], fact("plan", "equals", "x"), status="draft")
    admin.post(list_url("toolgroup"), {"action": "publish_selected", "_selected_action": [group.pk]})
    group.refresh_from_db()
    assert (group.status, group.restricts_access) == ("published", None)


def test_group_page__says_who_takes_it(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", status="draft")
    make_profile(tenant, "bot", title="The bot", groups=("order",))
    page = admin.get(change_url(group)).content.decode()
    assert "only a published group counts" in page
    assert "The bot" in page
    edit_group(group, status="published")
    assert "only a published group counts" not in admin.get(change_url(group)).content.decode()


def test_script__knows_the_operators_of_every_source(admin: Client, tenant: Tenant) -> None:
    from toolcatalog.matchers import OPERATORS

    shapes = admin.get(add_url("toolgroup")).context["shapes"]
    for operator, definition in OPERATORS.items():
        assert {source for source, fitting in shapes.items() if operator in fitting} == {
            str(s) for s in definition.sources
        }
