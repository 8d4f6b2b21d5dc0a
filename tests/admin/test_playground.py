"""The playground asks the resolver that requests ask, shows why, and records nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from tests.support import edit_group, fact, grant, make_group, make_profile, make_tenant, make_tool, resolve, row, says
from toolcatalog.admin.playground.searching import say_use
from toolcatalog.auditing import count_usage
from toolcatalog.models import Exposure, ExposureContent, Matcher, Session, Tenant, Tool, ToolGroup

from .pages import change_url

URL = "/admin/playground/"


@pytest.fixture
def catalog(tenant: Tenant) -> Tenant:
    """The worked example: weather by words, orders by words and an account, premium by an attribute."""
    make_tool(tenant, "getWeather", "查询指定城市的实时天气和未来预报", category="weather")
    make_tool(tenant, "get_order", "根据订单号查询订单状态", category="orders")
    make_tool(tenant, "advisor", "Calls a personal advisor.")
    make_tool(tenant, "sendEmail", "发送邮件")
    make_tool(tenant, "unfinished", "Not yet.", status="draft")
    make_group(tenant, "weather", ["getWeather"], says("天气", "温度", "下雨"), position=10)
    make_group(
        tenant,
        "order",
        ["get_order", "unfinished"],
        row("account_id", "exists"),
        says("订单", "物流"),
        position=20,
        system_prompt="只能查询当前账号下的订单。",
    )
    make_group(tenant, "premium", ["advisor"], fact("plan", "equals", "premium"), position=30)
    make_group(tenant, "hidden", [], status="draft")
    return tenant


def ask(admin: Client, tenant: Tenant, message: str, **parts: str) -> Any:
    """The page for a request in the address."""
    return admin.get(URL, {"tenant": tenant.slug, "message": message, **parts})


def b_G19_worked_examples__as_the_playground_shows_them(admin: Client, catalog: Tenant) -> None:
    for message, matched in (
        ("查询订单 AF20260001 的物流状态", ["order"]),
        ("订单目的地的天气", ["weather", "order"]),
        ("介绍一下上海", []),
    ):
        answer = ask(admin, catalog, message, account="user-1001").context["trial"].answer
        assert [group.name for group in answer.matched] == matched, message


def test_playground__shows_what_resolve_answers__and_records_nothing(admin: Client, catalog: Tenant) -> None:
    attributes = '{"plan": "premium"}'
    answer = ask(admin, catalog, "订单", account="u", attributes=attributes, format="anthropic").context["trial"].answer
    assert not Exposure.objects.exists()
    assert not ExposureContent.objects.exists()
    assert not Session.objects.exists()
    real = resolve(catalog, "订单", account_id="u", attributes={"plan": "premium"}, format="anthropic")
    assert tuple(tool.name for tool in answer.tools) == real.tool_names
    assert (answer.usage.snapshot_tokens, answer.usage.saved_percent) == (
        real.usage.snapshot_tokens,
        real.usage.saved_percent,
    )
    assert [(line.name, line.reason.title) for line in answer.omitted] == [("unfinished", "Not published")]


def test_playground__every_condition__with_what_it_saw_and_wanted(admin: Client, catalog: Tenant) -> None:
    page = ask(admin, catalog, "订单")
    groups = {group.name: group for group in page.context["trial"].answer.groups}
    (condition_set,) = groups["order"].sets
    assert [(line.result, line.seen, line.wanted) for line in condition_set.matchers] == [
        (False, "nothing", ""),
        (True, "订单", "订单, 物流"),
    ]
    assert (groups["order"].restricts, groups["order"].access) == (True, False)
    text = page.content.decode()
    for words in ("does not match", "does not hold", "access is closed", "true", "false"):
        assert words in text, words


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("get_order", "Access restricted"),
        ("getWeather", "No match"),
        ("unfinished", "Not published"),
        ("shared_tool", "Not granted"),
        ("nowhere", "Unknown"),
        ("toolSearch", "Tool search"),
    ],
)
def test_playground__asked_about_one_tool__the_true_reason(
    admin: Client, catalog: Tenant, name: str, title: str
) -> None:
    make_tool(None, "shared_tool", "Shared.")
    page = ask(admin, catalog, "hello", tool=name)
    assert page.context["trial"].verdict.reason.title == title
    assert title in page.content.decode()


def test_playground__search__finds_what_the_model_would_find(admin: Client, catalog: Tenant) -> None:
    page = ask(admin, catalog, "hello", query="查询城市天气")
    found = page.context["trial"].found
    assert found.lines[0].name == "getWeather"
    assert not Exposure.objects.exists()
    found = ask(admin, catalog, "hello", query="订单").context["trial"].found
    assert "get_order" not in [line.name for line in found.lines]
    assert "get_order" in found.hint, "a curator is told what fits and is kept back"


def test_playground__search_that_prefers_used_tools__says_why_one_rose(admin: Client, tenant: Tenant) -> None:
    ship = make_tool(tenant, "ship_two", "Ships a parcel.")
    make_tool(tenant, "ship_one", "Ships a parcel.")
    make_profile(tenant, search={"prefer_used": True})
    lines = ask(admin, tenant, "hello", query="ship a parcel").context["trial"].found.lines
    assert [(line.name, line.used) for line in lines] == [("ship_one", ""), ("ship_two", "")]
    count_usage(tenant.pk, [(ship.pk, True), (ship.pk, True), (ship.pk, False)])
    page = ask(admin, tenant, "hello", query="ship a parcel")
    said = "Used with success 2 times; by fit alone it would be number 2."
    lines = page.context["trial"].found.lines
    assert [(line.name, line.used) for line in lines] == [("ship_two", said), ("ship_one", "")]
    assert said in page.content.decode()
    with translation.override("zh-hans"):
        assert say_use({"successes": 2, "place_without": 3}) == "已成功调用 2 次；仅按匹配程度应排在第 3 位。"


def test_playground__broken_rule__says_so(admin: Client, catalog: Tenant) -> None:
    Matcher.objects.filter(group__name="premium").update(value="(", operator="matches_regex")
    group = next(
        group
        for group in ask(admin, catalog, "x", attributes='{"plan": "a"}').context["trial"].answer.groups
        if group.name == "premium"
    )
    assert not group.matched
    assert group.problems


def test_playground__drafts__are_named_as_not_counting(admin: Client, catalog: Tenant) -> None:
    page = ask(admin, catalog, "x").content.decode()
    assert "Not published, so they do not count:" in page
    assert "hidden" in page


def test_playground__the_address_holds_the_request(admin: Client, catalog: Tenant) -> None:
    page = ask(admin, catalog, "订单 & <物流>", account="user-1001", attributes='{"plan": "a"}')
    again = admin.get(page.context["shared_url"].replace("http://testserver", ""))
    assert again.context["form"].cleaned_data == page.context["form"].cleaned_data


def test_playground__sent__is_shown_at_an_address_of_its_own(admin: Client, catalog: Tenant) -> None:
    request = {"tenant": catalog.slug, "message": "订单 & <物流>", "account": "user-1001", "tool": ""}
    sent = admin.post(URL, request)
    assert sent.status_code == 302
    page = admin.get(sent["Location"])
    assert page.context["trial"].answer.matched[0].name == "order"
    assert page.context["form"].cleaned_data["message"] == "订单 & <物流>"


@pytest.mark.parametrize("part", ["message", "attributes"])
def test_playground__request_too_long_for_an_address__is_tried_all_the_same(
    admin: Client, catalog: Tenant, part: str
) -> None:
    """Servers take about 4,000 bytes of address; a message may have 64,000 characters, nine bytes each."""
    long = {"message": "订单" * 30_000} if part == "message" else {"attributes": f'{{"note": "{"天" * 5000}"}}'}
    page = admin.post(URL, {"tenant": catalog.slug, "message": "订单", "account": "user-1001", **long})
    assert page.status_code == 200
    assert page.context["trial"].answer.matched[0].name == "order"
    assert "Link to this request" not in page.content.decode()


def test_playground__wrong_parts__are_said_beside_them(admin: Client, catalog: Tenant) -> None:
    page = ask(admin, catalog, "x", attributes="{")
    assert "not JSON" in str(page.context["form"].errors["attributes"])
    assert page.context["trial"] is None
    page = admin.get(URL, {"tenant": "nobody", "message": "x"})
    assert "tenant" in page.context["form"].errors


def test_playground__profile_of_another_tenant__is_forgotten(admin: Client, catalog: Tenant) -> None:
    other = make_tenant("other")
    make_profile(other, "bot")
    assert ask(admin, other, "x", profile="bot").context["trial"].answer.profile == "bot"
    assert ask(admin, catalog, "x", profile="bot").context["trial"].answer.profile == "default"


def test_playground__caller_is_the_chosen_tenant_alone(admin: Client, catalog: Tenant) -> None:
    other = make_tenant("other")
    make_tool(other, "foreign", "A foreign tool.")
    page = ask(admin, catalog, "foreign", query="foreign tool", tool="foreign")
    assert page.context["trial"].verdict.reason.title == "Unknown"
    assert page.context["trial"].found.lines == ()


def case_T03_negative_saving__shown_honestly(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "a", "One small tool.")
    page = ask(admin, tenant, "x")
    assert page.context["trial"].answer.usage.saved_percent < 0
    assert "sending all would be cheaper" in page.content.decode()


def test_playground__nothing_there_yet__says_what_to_do(admin: Client) -> None:
    assert admin.get(URL).status_code == 200
    assert admin.get(URL, {"tenant": "x", "message": "y"}).status_code == 200


def test_playground__edited_group__is_seen_in_the_next_try(admin: Client, catalog: Tenant) -> None:
    assert not ask(admin, catalog, "快递").context["trial"].answer.matched
    edit_group(ToolGroup.objects.get(name="weather"), matchers=(says("快递"),))
    assert [group.name for group in ask(admin, catalog, "快递").context["trial"].answer.matched] == ["weather"]


def test_playground__asked_from_a_tools_page__answers_at_once(admin: Client, catalog: Tenant) -> None:
    tool = Tool.objects.get(name="advisor")
    link = next(panel.context["playground"] for panel in admin.get(change_url(tool)).context["panels"] if panel.context)
    assert admin.get(link).context["trial"].verdict.reason.title == "Access restricted"


def test_playground__shared_tool_by_grant__is_sent(admin: Client, catalog: Tenant) -> None:
    make_tool(None, "shared_tool", "<b>")
    make_profile(catalog, resident_tools=("shared_tool",))
    grant(catalog, "shared_tool")
    names = [tool.name for tool in ask(admin, catalog, "x").context["trial"].answer.tools]
    assert names[0] == "shared_tool"
