"""An empty database: where a newcomer is led, and the roles that others get."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.support import grant, make_group, make_key, make_profile, make_tool, resolve, says
from toolcatalog.admin.roles import ROLES, make_usual_roles, rights_of
from toolcatalog.curation import create_api_key
from toolcatalog.models import ApiKey, Tenant, Tool, ToolGroup

from .conftest import log_in
from .pages import add_url, change_url, fill, list_url, read_form, send


def _steps(admin: Client) -> list[bool]:
    return [step.done for step in admin.get("/admin/").context["first_steps"]]


def test_overview__empty_database__leads_step_by_step(admin: Client) -> None:
    steps = admin.get("/admin/").context["first_steps"]
    assert [step.done for step in steps] == [False] * 6
    for step in steps:
        assert admin.get(step.url).status_code == 200, step.url

    assert fill(admin, add_url("tenant"), "tenant", slug="acme", title="Acme").status_code == 302
    tenant = Tenant.objects.get()
    tool_step = admin.get("/admin/").context["first_steps"][1]
    assert str(tenant.pk) in tool_step.url, "the tool is the new tenant's"
    assert _steps(admin) == [True, False, False, False, False, False]

    fill(admin, tool_step.url, "tool", name="get_order", description="Says where an order is.", status="published")
    assert Tool.objects.get().owner == tenant
    group_step = admin.get("/admin/").context["first_steps"][2]
    fill(admin, group_step.url, "toolgroup", name="order", tools="get_order", status="published")
    assert ToolGroup.objects.get().owner == tenant
    assert fill(admin, admin.get("/admin/").context["first_steps"][4].url, "apikey", name="bot").status_code == 200
    assert ApiKey.objects.get().tenant == tenant
    assert _steps(admin) == [True, True, True, False, True, False]

    assert "get_order" in resolve(tenant, "hello").tool_names
    assert _steps(admin) == [], "an agent has asked: nobody is new here any more"


def test_overview__who_may_not_add__is_not_led(tenant: Tenant) -> None:
    assert log_in("view_tool").get("/admin/").context["first_steps"] == []


def test_login__without_a_destination__leads_to_the_overview(curator: User) -> None:
    curator.set_password("a-long-word-1")
    curator.save()
    response = Client().post("/admin/login/", {"username": "ada", "password": "a-long-word-1"})
    assert response["Location"] == "/admin/"


@pytest.mark.parametrize(
    ("model", "words"), [("exposure", "No agent has asked yet"), ("call", "No tool was called yet"), ("tag", "nothing")]
)
def test_list__empty__says_what_to_do(admin: Client, model: str, words: str) -> None:
    page = admin.get(list_url(model)).content.decode()
    assert words in page
    assert "Reset filters" not in page
    filtered = admin.get(list_url(model), {"tenant" if model != "tag" else "q": "nobody"}).content.decode()
    assert "Nothing fits this search and these filters." in filtered


def test_breadcrumb__name_of_a_tool__as_it_is_written(admin: Client, tenant: Tenant) -> None:
    page = admin.get(change_url(make_tool(tenant, "get_order", "Orders."))).content.decode()
    assert "Get_order" not in page


def test_key__successor__has_the_same_rights(admin: Client, tenant: Tenant) -> None:
    make_profile(tenant, "bot")
    key = create_api_key(tenant, ["resolve", "audit"], name="live & bot", profiles=["bot"]).key
    page = admin.get(change_url(key)).content.decode()
    link = page.split(add_url("apikey"), 1)[1].split('"')[0].replace("&amp;", "&")
    fields = read_form(admin.get(add_url("apikey") + link), "apikey")
    assert send(admin, add_url("apikey"), fields).status_code == 200
    made = ApiKey.objects.exclude(pk=key.pk).get()
    assert (made.tenant, made.name, made.scopes, made.profiles) == (tenant, "live & bot", ["resolve", "audit"], ["bot"])
    assert made.prefix != key.prefix


def test_category__page__lists_its_tools(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Orders.", category="orders")
    assert tool.category is not None
    page = admin.get(change_url(tool.category)).content.decode()
    assert change_url(tool) in page
    assert f"category__id__exact={tool.category.pk}" in page


# Roles


def test_roles__none_yet__are_offered_and_made_once(admin: Client) -> None:
    assert "Make these roles" in admin.get("/admin/auth/group/").content.decode()
    admin.post("/admin/auth/group/usual/")
    assert set(Group.objects.values_list("name", flat=True)) == {"Viewers", "Curators", "Auditors", "Managers"}
    assert "Make these roles" not in admin.get("/admin/auth/group/").content.decode()
    admin.post("/admin/auth/group/usual/")
    assert Group.objects.count() == len(ROLES)


def test_roles__who_may_not_add_any__cannot_make_them(db: None) -> None:
    assert log_in("view_tool").post("/admin/auth/group/usual/").status_code == 403
    assert not Group.objects.exists()


def test_roles__every_right_exists(db: None) -> None:
    groups = dict(zip(ROLES, make_usual_roles(), strict=True))
    for role, group in groups.items():
        assert set(group.permissions.values_list("codename", flat=True)) == rights_of(role), role


CATALOG = ("tool", "toolgroup", "category", "tag", "agentprofile")
GOVERNED = ("tenant", "grant")
AUDIT = ("exposure", "call", "session")
# What each role may: look at the catalog, change it, look at the audit, look at keys, change tenants, grants and keys.
MATRIX = {
    "viewer": (True, False, False, False, False),
    "curator": (True, True, False, False, False),
    "auditor": (True, False, True, True, False),
    "manager": (True, True, True, True, True),
}


@pytest.mark.parametrize("role", ROLES)
def rel_T11_role__every_kind_of_page_and_bulk_action__as_the_matrix_says(role: str, tenant: Tenant) -> None:
    looks, changes, audits, sees_keys, governs = MATRIX[role]
    browser = _log_in_as(role)
    things = _one_of_everything(tenant)

    def status(url: str) -> int:
        return browser.get(url).status_code

    for model in CATALOG:
        assert (status(list_url(model)) == 200) is looks, model
        assert (status(add_url(model)) == 200) is changes, model
        assert (browser.post(change_url(things[model]), {}).status_code != 403) is changes, model
        assert (status(change_url(things[model]).replace("/change/", "/delete/")) == 200) is changes, model
    for model in GOVERNED:
        assert status(list_url(model)) == 200, model
        assert (status(add_url(model)) == 200) is governs, model
        assert (browser.post(change_url(things[model]), {}).status_code != 403) is governs, model
    for model in AUDIT:
        assert (status(list_url(model)) == 200) is audits, model
        assert status(add_url(model)) == 403, model
    assert (status("/admin/usage/") == 200) is audits
    assert (status(list_url("apikey")) == 200) is sees_keys
    assert (status(add_url("apikey")) == 200) is governs
    assert (browser.post(f"/admin/toolcatalog/apikey/{things['apikey'].pk}/revoke/").status_code == 302) is governs
    assert status("/admin/auth/user/") == 403, "people and their rights are the superuser's"

    for model, action in (("tool", "switch_off_selected"), ("toolgroup", "switch_off_selected")):
        browser.post(list_url(model), {"action": action, "_selected_action": [things[model].pk]})
        things[model].refresh_from_db()
        assert (things[model].status == "disabled") is changes, model
        browser.post(
            list_url(model), {"action": "delete_selected", "_selected_action": [things[model].pk], "post": "yes"}
        )
        assert (not type(things[model]).objects.filter(pk=things[model].pk).exists()) is changes, model
    links = browser.get("/admin/").content.decode()
    assert ("/admin/usage/" in links) is audits
    assert (list_url("apikey") in links) is sees_keys


def _log_in_as(role: str) -> Client:
    groups = dict(zip(ROLES, make_usual_roles(), strict=True))
    person = User.objects.create(username=role, is_staff=True)
    person.groups.add(groups[role])
    browser = Client()
    browser.force_login(person)
    return browser


def _one_of_everything(tenant: Tenant) -> dict[str, Any]:
    tool = make_tool(tenant, "get_order", "Says where an order is.", category="orders", tags=("order",))
    make_tool(None, "get_weather", "Weather.")
    other = make_tool(tenant, "send_email", "Sends an e-mail.")
    return {
        "tool": other,
        "toolgroup": make_group(tenant, "order", ["get_order"], says("订单")),
        "category": tool.category,
        "tag": tool.tags.get(),
        "agentprofile": make_profile(tenant, "bot"),
        "tenant": tenant,
        "grant": grant(tenant, "get_weather"),
        "apikey": make_key(tenant).key,
    }
