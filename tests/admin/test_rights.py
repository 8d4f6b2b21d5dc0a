"""Who may see and change what, and how sessions are kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.support import make_group, make_key, make_profile, make_tool, says
from toolcatalog.models import ApiKey, Tenant, Tool, ToolGroup

from .conftest import log_in
from .pages import add_url, change_url, list_url

MODELS = (
    "tool",
    "toolgroup",
    "category",
    "tag",
    "toolsource",
    "agentprofile",
    "tenant",
    "apikey",
    "grant",
    "exposure",
    "revision",
    "session",
)


def test_staff_without_rights__sees_nothing(tenant: Tenant) -> None:
    make_tool(tenant, "secret_tool", "A secret.")
    browser = log_in()
    page = browser.get("/admin/").content.decode()
    assert "secret" not in page
    assert "toolcatalog" not in page.replace("static/toolcatalog", ""), "no link into the catalog"
    for model in MODELS:
        assert browser.get(list_url(model)).status_code == 403, model
    for url in ("/admin/playground/", "/admin/pick/tool/?q=secret", "/admin/pick/profile/?q="):
        assert browser.get(url).status_code == 403, url
    for url in ("/admin/toolcatalog/toolgroup/words/", "/admin/toolcatalog/tool/parameters/"):
        assert browser.post(url, {}).status_code == 403, url
    assert browser.get(change_url(Tool.objects.get())).status_code == 403


def test_nobody__is_sent_to_the_login(tenant: Tenant) -> None:
    browser = Client()
    for url in ("/admin/", "/admin/playground/", "/admin/pick/tool/", *(list_url(model) for model in MODELS)):
        response = browser.get(url)
        assert response.status_code == 302, url
        assert response["Location"].startswith("/admin/login/"), url


def test_staff_who_may_only_look__cannot_change(tenant: Tenant) -> None:
    make_tool(tenant, "a", "A tool.")
    group = make_group(tenant, "g", ["a"], says("订单"))
    make_profile(tenant, "bot")
    browser = log_in("view_tool", "view_toolgroup", "view_agentprofile", "view_apikey", "view_tenant")
    for thing in (Tool.objects.get(), group, tenant):
        page = browser.get(change_url(thing))
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()
        assert browser.post(change_url(thing), {"name": "changed"}).status_code == 403
        assert browser.post(change_url(thing).replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert browser.get(add_url("tool")).status_code == 403
    assert "订单" in browser.get(change_url(group)).content.decode(), "the rule can be read"
    assert browser.get("/admin/playground/").status_code == 200
    browser.post(list_url("tool"), {"action": "switch_off_selected", "_selected_action": [Tool.objects.get().pk]})
    assert Tool.objects.get().status == "published"


def test_staff_who_may_look_at_keys__cannot_revoke(tenant: Tenant) -> None:
    key = make_key(tenant).key
    browser = log_in("view_apikey")
    assert "Revoke this key" not in browser.get(change_url(key)).content.decode()
    assert browser.post(f"/admin/toolcatalog/apikey/{key.pk}/revoke/").status_code == 403
    browser.post(list_url("apikey"), {"action": "revoke_selected", "_selected_action": [key.pk]})
    assert ApiKey.objects.get().revoked_at is None


def test_staff_with_one_right__can_use_it(tenant: Tenant) -> None:
    browser = log_in("view_toolgroup", "add_toolgroup")
    assert browser.get(add_url("toolgroup")).status_code == 200
    assert browser.get(list_url("tool")).status_code == 403
    assert not ToolGroup.objects.exists()


def rel_T29_every_post__without_a_csrf_token__is_refused(admin: Client, curator: Any, tenant: Tenant) -> None:
    key = make_key(tenant).key
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(curator)
    posts = [
        add_url("tool"),
        change_url(make_tool(tenant, "a")),
        f"/admin/toolcatalog/apikey/{key.pk}/revoke/",
        "/admin/toolcatalog/toolgroup/words/",
        "/admin/toolcatalog/tool/parameters/",
        list_url("tool"),
        reverse("set_language"),
    ]
    for url in posts:
        assert strict.post(url, {"post": "yes"}).status_code == 403, url
    assert ApiKey.objects.get().revoked_at is None


def rel_T29_login__after_ten_failures__pauses(curator: Any) -> None:
    cache.clear()
    curator.set_password("a-long-word-1")
    curator.save()
    browser = Client()
    wrong, right = {"username": "ada", "password": "wrong"}, {"username": "ada", "password": "a-long-word-1"}
    for _ in range(10):
        assert "correct username" in browser.post("/admin/login/", wrong).content.decode()
    assert "Too many failed attempts" in browser.post("/admin/login/", right).content.decode()
    cache.clear()
    assert browser.post("/admin/login/", right).status_code == 302


def rel_T28_callback__only_one_that_is_installed_can_be_chosen(admin: Client, tenant: Tenant) -> None:
    from .pages import errors_of, fill

    response = fill(
        admin, add_url("tool"), "tool", owner=str(tenant.pk), name="a", execution="callback", callback="os.system"
    )
    assert "callback" in errors_of(response)
    assert not Tool.objects.exists()


def test_every_page_of_the_admin__has_a_policy_without_scripts_in_the_page(admin: Client, tenant: Tenant) -> None:
    for url in ("/admin/", "/admin/playground/", add_url("toolgroup"), list_url("tool")):
        policy = admin.get(url)["Content-Security-Policy"]
        assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
        assert "object-src 'none'" in policy


@pytest.mark.parametrize("kind", ["nothing", "../tool", "tool' --"])
def test_pick__unknown_kind__is_not_there(admin: Client, kind: str) -> None:
    assert admin.get(f"/admin/pick/{kind}/").status_code == 404


def test_pick__only_what_the_owner_can_name(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "own")
    make_tool(None, "shared")
    for owner, names in ((tenant.pk, ["own", "shared"]), ("", ["shared"]), ("x", ["shared"]), ("9" * 30, ["shared"])):
        choices = admin.get("/admin/pick/tool/", {"owner": owner, "q": ""}).json()["choices"]
        assert [choice["value"] for choice in choices] == names
