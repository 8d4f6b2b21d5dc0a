"""What the admin shows of the past, and lets nobody change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import edit_group, edit_tool, make_group, make_profile, make_tool, resolve, says, search, set_tenant
from toolcatalog.models import Exposure, Revision, Session, Tenant, Tool, ToolGroup

from .conftest import log_in
from .pages import change_url, list_url, messages_of


def _exposure(tenant: Tenant, **parts: Any) -> Exposure:
    resolve(tenant, "订单 AF20260001 到哪了", account_id="user-1001", conversation_id="c-1", model="qwen-max", **parts)
    return Exposure.objects.order_by("-id")[0]


@pytest.fixture
def catalog(tenant: Tenant) -> Tenant:
    """One tool by a group, one resident, one that search finds."""
    make_tool(tenant, "get_order", "根据订单号查询订单状态", version="2.1", category="orders")
    make_tool(tenant, "current_time", "Says the time.")
    make_tool(tenant, "get_weather", "查询指定城市的实时天气和未来预报", category="weather")
    make_group(tenant, "order", ["get_order"], says("订单"), system_prompt="只能查询当前账号下的订单。")
    make_profile(tenant, resident_tools=("current_time",))
    return tenant


def test_exposure__detail__the_exact_snapshot_with_reasons_and_revisions(admin: Client, catalog: Tenant) -> None:
    exposure = _exposure(catalog, attributes={"plan": "premium"})
    response = admin.get(change_url(exposure))
    shown = response.context["shown"]
    assert shown.is_intact
    tools = {tool.name: tool for tool in shown.tools}
    assert list(tools) == ["current_time", "get_order", "toolSearch"]
    assert (tools["get_order"].revision, tools["get_order"].version, tools["get_order"].groups) == (
        1,
        "2.1",
        ("order",),
    )
    page = response.content.decode()
    for part in (
        "Group matched",
        "Always sent",
        "只能查询当前账号下的订单。",
        "user-1001",
        "qwen-max",
        "premium",
        "only a digest",
    ):
        assert part in page, part
    assert "AF20260001" not in page, "a message that is not kept is nowhere"
    assert change_url(Revision.objects.get(name="get_order")) in page


def test_exposure__later_edit__still_shows_what_was_sent(admin: Client, catalog: Tenant) -> None:
    exposure = _exposure(catalog)
    from toolcatalog.models import Tool

    edit_tool(Tool.objects.get(name="get_order"), description="Something else by now.")
    page = admin.get(change_url(exposure)).content.decode()
    assert "根据订单号查询订单状态" in page
    assert "Something else by now" not in page


def test_exposure__kept_text__is_shown_and_can_be_tried_again(admin: Client, catalog: Tenant) -> None:
    set_tenant(catalog, text_policy="full")
    exposure = _exposure(catalog, attributes={"plan": "premium"})
    response = admin.get(change_url(exposure))
    assert "AF20260001" in response.content.decode()
    again = admin.post("/admin/playground/", response.context["shown"].playground, follow=True)
    assert again.context["trial"].answer.matched[0].name == "order"


def test_exposure__of_a_search__shows_what_was_found(admin: Client, catalog: Tenant) -> None:
    search(catalog, "查询城市天气")
    exposure = Exposure.objects.get(kind="search")
    assert [tool.name for tool in admin.get(change_url(exposure)).context["shown"].tools] == ["get_weather"]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ({}, 3),
        ({"tenant": "acme"}, 3),
        ({"tenant": "nobody"}, 0),
        ({"kind": "search"}, 1),
        ({"outcome": "found"}, 1),
        ({"outcome": "resolved"}, 2),
        ({"tool": "get_order"}, 1),
        ({"tool": "get_weather"}, 1),
        ({"tool": "nothing"}, 0),
        ({"group": "order"}, 1),
        ({"account": "user-1001"}, 1),
        ({"account": "user"}, 0),
        ({"model": "qwen-max"}, 1),
        ({"conversation": "c-1"}, 1),
        ({"period": "hour"}, 3),
        ({"tenant": "acme", "account": "user-1001", "period": "day"}, 1),
    ],
)
def test_exposures__filters(admin: Client, catalog: Tenant, query: dict[str, str], number: int) -> None:
    _exposure(catalog)
    resolve(catalog, "hello")
    search(catalog, "查询城市天气")
    assert len(admin.get(list_url("exposure"), query).context["cl"].result_list) == number


def test_exposures__list__never_counts(admin: Client, catalog: Tenant, django_assert_num_queries: object) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    _exposure(catalog)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        admin.get(list_url("exposure"))
    assert not [query for query in queries if "COUNT(" in query["sql"] and "toolcatalog_exposure" in query["sql"]]


@pytest.mark.parametrize("model", ["exposure", "revision", "session"])
def test_records__of_the_past__nobody_adds_changes_or_deletes(admin: Client, catalog: Tenant, model: str) -> None:
    exposure = _exposure(catalog)
    search(catalog, "天气", session_id="s-1")
    thing: Any = {"exposure": exposure, "revision": Revision.objects.first(), "session": Session.objects.first()}[model]
    assert admin.get(f"{list_url(model)}add/").status_code in {302, 403}
    assert admin.post(f"{list_url(model)}add/", {}).status_code in {302, 403, 405}
    url = change_url(thing)
    assert admin.get(url.replace("change", "delete")).status_code == 403
    assert admin.post(url.replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert type(thing).objects.filter(pk=thing.pk).exists()


def case_V08_revision__diff__shows_only_what_changed(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "a")
    make_tool(tenant, "b")
    group = make_group(tenant, "order", ["a"], says("订单"), system_prompt="Say it.")
    edit_group(group, tools=("a", "b"))
    latest = Revision.objects.get(kind="group", number=2)
    changes = admin.get(change_url(latest)).context["changes"]
    assert [(change.label, change.removed, change.added) for change in changes] == [("tools", (), ("b",))]


def test_revision__compared_with_another__texts_word_by_word(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "a", "Says where an order of this account is, and when it will be there.")
    edit_tool(tool, description="Says where an order of this account is, and when it will arrive.")
    edit_tool(tool, description="Something.", parameters={"type": "object", "properties": {"x": {"type": "string"}}})
    third, second = Revision.objects.get(number=3), Revision.objects.get(number=2)
    (change,) = admin.get(change_url(second)).context["changes"]
    assert [piece.text for piece in change.pieces if piece.kind == "added"] == ["arrive"]
    page = admin.get(change_url(third), {"against": "1"})
    assert page.context["against"].number == 1
    assert {change.label for change in page.context["changes"]} == {"description", "parameters › properties › x"}
    assert admin.get(change_url(third), {"against": "99999999999999999999"}).status_code == 200


def test_revision__of_something_deleted__is_still_there(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "a", "A tool.")
    admin.post(change_url(tool).replace("change", "delete"), {"post": "yes"})
    page = admin.get(change_url(Revision.objects.get(status="deleted"))).content.decode()
    assert "deleted" in page


def test_session__shown_and_forgotten(admin: Client, catalog: Tenant) -> None:
    search(catalog, "查询城市天气", session_id="s-1")
    session = Session.objects.get()
    assert "get_weather" in admin.get(change_url(session)).content.decode()
    response = admin.post(
        list_url("session"), {"action": "forget_selected", "_selected_action": [session.pk]}, follow=True
    )
    assert "1 session is forgotten" in " ".join(messages_of(response))
    assert not Session.objects.exists()


def _replay(admin: Client, exposure: Exposure) -> Any:
    return admin.post(change_url(exposure).replace("/change/", "/replay/"))


def test_replay__nothing_changed__says_so_and_records_nothing(admin: Client, catalog: Tenant) -> None:
    set_tenant(catalog, text_policy="full")
    exposure = _exposure(catalog)
    assert "Resolve again today" in admin.get(change_url(exposure)).content.decode()
    page = _replay(admin, exposure).content.decode()
    assert "The same today" in page
    assert Exposure.objects.count() == 1


def test_replay__catalog_changed__says_what_differs_and_why(admin: Client, catalog: Tenant) -> None:
    set_tenant(catalog, text_policy="full")
    exposure = _exposure(catalog)
    edit_tool(Tool.objects.get(name="get_order"), status="disabled")
    edit_tool(Tool.objects.get(name="current_time"), description="Says what time it is.")
    edit_group(ToolGroup.objects.get(), system_prompt="只能查询当前账号下的订单！")
    make_group(catalog, "extra", ["get_weather"], says("订单"))
    response = _replay(admin, exposure)
    replay = response.context["replay"]
    assert [line.name for line in replay.added] == ["get_weather"]
    assert [line.name for line in replay.removed] == ["get_order"]
    assert "current_time" in [line.name for line in replay.changed]
    assert replay.groups_added == ("extra",)
    page = response.content.decode()
    for words in (
        "shown now",
        "not shown now",
        "Switched off",
        "definition",
        "revision 1 then, 2 now",
        "<ins>！</ins>",
    ):
        assert words in page, words


def test_replay__message_not_kept__says_why_it_cannot(admin: Client, catalog: Tenant) -> None:
    page = _replay(admin, _exposure(catalog)).content.decode()
    assert "text policy kept no message" in page


def test_replay__needs_the_right_to_see_exposures(catalog: Tenant) -> None:
    exposure = _exposure(catalog)
    assert _replay(log_in("view_tool"), exposure).status_code == 403


def test_replay__is_asked_for_by_post_alone(admin: Client, catalog: Tenant) -> None:
    assert admin.get(change_url(_exposure(catalog)).replace("/change/", "/replay/")).status_code == 405
