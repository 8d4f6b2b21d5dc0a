"""What an edit would change is said before it is saved, and nothing of it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import fact, grant, make_group, make_profile, make_tenant, make_tool, resolve, says
from toolcatalog.admin.effects import MOST_TENANTS, AgentChange
from toolcatalog.models import Grant, Revision, Tenant, Tool, ToolGroup

from .conftest import log_in
from .pages import add_url, change_fields, change_url, read_form, send


def _preview(client: Client, thing: Any, model: str, **changes: Any) -> Any:
    """The answer to "what would change?" with some fields of a thing's form changed."""
    url = change_url(thing)
    fields = change_fields(read_form(client.get(url), model), **changes)
    return send(client, url.replace("/change/", "/effect/"), fields)


def _changes(response: Any) -> dict[str, AgentChange]:
    assert response.status_code == 200
    return {line.tenant.slug: line.change for line in response.context["effect"].changes}


@pytest.fixture
def shared_group(tenant: Tenant) -> ToolGroup:
    """A shared group that nobody takes yet; one tenant has its tool by grant, another has not."""
    make_tool(None, "get_order", "Says where an order is.")
    make_profile(tenant, search={"enabled": False})
    make_profile(make_tenant("globex"), search={"enabled": False})
    grant(tenant, "get_order")
    return make_group(None, "order", ["get_order"], says("订单"))


def case_U08_group_opened_to_all_tenants__effect_on_tools_is_shown_and_not_saved(
    admin: Client, shared_group: ToolGroup
) -> None:
    revisions = Revision.objects.count()
    response = _preview(admin, shared_group, "toolgroup", for_all_tenants="on")
    assert _changes(response) == {
        "acme": AgentChange(gained=("get_order",), groups_in=("order",), sent=(("order", ("get_order",)),)),
        "globex": AgentChange(groups_in=("order",)),
    }
    page = response.content.decode()
    for words in ("gains 1 tool", "get_order", "acme", "every agent profile"):
        assert words in page, words
    assert not ToolGroup.objects.get().for_all_tenants
    assert Revision.objects.count() == revisions


def case_U08_group_closed_again__says_who_loses_what(admin: Client, shared_group: ToolGroup) -> None:
    ToolGroup.objects.update(for_all_tenants=True)
    change = _changes(_preview(admin, shared_group, "toolgroup", for_all_tenants=None))["acme"]
    assert (change.lost, change.groups_out, change.unsent) == (
        ("get_order",),
        ("order",),
        (("order", ("get_order",)),),
    )


def test_effect__group_restricts_access__tool_is_kept_where_conditions_hold(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "Says where an order is.")
    group = make_group(tenant, "order", ["get_order"], fact("plan", "equals", "premium"), restricts_access=False)
    make_profile(tenant)
    assert _changes(_preview(admin, group, "toolgroup", restricts_access="yes")) == {
        "acme": AgentChange(restricted=("get_order",))
    }
    ToolGroup.objects.update(restricts_access=True)
    assert _changes(_preview(admin, group, "toolgroup", restricts_access="no")) == {
        "acme": AgentChange(opened=("get_order",))
    }


def test_effect__grant_denied__says_what_the_tenant_loses(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "get_weather", "Weather.")
    make_profile(tenant)
    given = grant(tenant, "get_weather")
    assert _changes(_preview(admin, given, "grant", effect="deny")) == {"acme": AgentChange(lost=("get_weather",))}
    assert Grant.objects.get().effect == "allow"


def test_effect__grant_given_to_another_tenant__both_are_told(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "get_weather", "Weather.")
    globex = make_tenant("globex")
    for owner in (tenant, globex):
        make_profile(owner)
    given = grant(tenant, "get_weather")
    assert _changes(_preview(admin, given, "grant", tenant=str(globex.pk))) == {
        "acme": AgentChange(lost=("get_weather",)),
        "globex": AgentChange(gained=("get_weather",)),
    }


def test_effect__new_grant__says_what_the_tenant_gains(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "get_weather", "Weather.")
    make_profile(tenant)
    fields = change_fields(
        read_form(admin.get(add_url("grant")), "grant"), tenant=str(tenant.pk), target="tool", tool="get_weather"
    )
    response = send(admin, "/admin/toolcatalog/grant/effect/", fields)
    assert _changes(response) == {"acme": AgentChange(gained=("get_weather",))}
    assert not Grant.objects.exists()


def test_effect__tool_switched_off_and_agents_apart__each_told(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    make_profile(tenant, search={"enabled": False}, resident_tools=("get_order",))
    make_profile(tenant, "quiet", search={"enabled": False}, groups=())
    response = _preview(admin, tool, "tool", status="disabled")
    (line,) = response.context["effect"].changes
    assert (line.every, len(line.profiles), line.change.lost) == (False, 1, ("get_order",))
    assert "get_order" in resolve(tenant, "x").tool_names, "it is there still"
    assert Tool.objects.get().status == "published"


def test_effect__nothing_comes_or_goes__says_so(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    make_profile(tenant)
    response = _preview(admin, tool, "tool", title="Order")
    assert not response.context["effect"].changes
    assert "no tool comes or goes" in response.content.decode()


def test_effect__form_with_mistakes__says_which(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    response = _preview(admin, tool, "tool", name="get order")
    assert response.context["effect"] is None
    assert "get_order" in " ".join(response.context["problems"]), "with the proposal"
    assert Tool.objects.get().name == "get_order"


def test_effect__many_tenants__only_some_are_looked_at(admin: Client) -> None:
    make_tool(None, "get_weather", "Weather.")
    for number in range(MOST_TENANTS + 3):
        make_profile(make_tenant(f"t{number:02}"))
    group = make_group(None, "weather", ["get_weather"], says("天气"))
    response = _preview(admin, group, "toolgroup", for_all_tenants="on")
    assert response.context["effect"].looked_at == MOST_TENANTS
    assert response.context["effect"].not_looked_at == 3
    assert "3 more tenants" in response.content.decode()


def test_effect__those_who_may_only_look__get_no_preview(tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    browser = log_in("view_tool", "view_grant")
    assert "/effect/" not in browser.get(change_url(tool)).content.decode()
    assert browser.post(change_url(tool).replace("/change/", "/effect/"), {"name": "x"}).status_code == 403
    assert browser.post("/admin/toolcatalog/grant/effect/", {}).status_code == 403
    assert browser.get("/admin/toolcatalog/grant/effect/").status_code == 405
