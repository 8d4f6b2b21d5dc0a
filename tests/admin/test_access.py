"""Tenants, keys and grants; categories and tags."""

from __future__ import annotations

import datetime
import hashlib

import pytest
from django.test import Client

from tests.support import grant, make_key, make_profile, make_tenant, make_tool
from toolcatalog.models import ApiKey, Category, Grant, Tag, Tenant, Tool

from .pages import add_url, change_url, errors_of, fill, list_url, messages_of, send


def test_tenant__added__has_an_empty_default_profile(admin: Client) -> None:
    fill(
        admin,
        add_url("tenant"),
        "tenant",
        slug="acme",
        title="Acme",
        text_policy="full",
        eviction="ttl",
        max_sessions="5",
    )
    tenant = Tenant.objects.get()
    assert (tenant.title, tenant.text_policy, tenant.eviction, tenant.max_sessions) == ("Acme", "full", "ttl", 5)
    assert tenant.profiles.get().is_default


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"slug": "Not Good"}, "slug"), ({"slug": "acme"}, "slug"), ({"max_sessions": "0"}, "__all__")],
)
def test_tenant__wrong_part__is_refused(admin: Client, tenant: Tenant, changes: dict[str, str], field: str) -> None:
    assert field in errors_of(fill(admin, add_url("tenant"), "tenant", **{"slug": "other", **changes}))
    assert Tenant.objects.count() == 1


def test_tenant__switched_off__not_deleted(admin: Client, tenant: Tenant) -> None:
    fill(admin, change_url(tenant), "tenant", is_active=None)
    tenant.refresh_from_db()
    assert not tenant.is_active
    assert admin.post(change_url(tenant).replace("change", "delete"), {"post": "yes"}).status_code == 403


def _make_key(admin: Client, tenant: Tenant, **changes: str | list[str]) -> str:
    response = fill(admin, add_url("apikey"), "apikey", tenant=str(tenant.pk), name="live bot", **changes)
    assert response["Cache-Control"].startswith("no-store")
    return str(response.context["made"].secret)


def test_key__made__the_secret_is_shown_exactly_once(admin: Client, tenant: Tenant) -> None:
    secret = _make_key(admin, tenant, scopes=["resolve", "audit"], expires_at_0="2030-01-31", expires_at_1="12:00:00")
    key = ApiKey.objects.get()
    assert bytes(key.secret_sha256) == hashlib.sha256(secret.encode()).digest()
    assert (key.scopes, key.expires_at) == (
        ["resolve", "audit"],
        datetime.datetime(2030, 1, 31, 12, tzinfo=datetime.UTC),
    )
    for url in (change_url(key), list_url("apikey"), change_url(tenant), add_url("apikey"), "/admin/"):
        assert secret not in admin.get(url).content.decode(), url
    assert secret not in str(dict(admin.session))
    page = fill(admin, add_url("apikey"), "apikey", tenant=str(tenant.pk), name="second").content.decode()
    assert page.count("tc_") >= 1
    assert secret not in page


def test_key__profiles__only_the_tenants_own_are_offered(admin: Client, tenant: Tenant) -> None:
    make_profile(tenant, "bot")
    make_profile(make_tenant("other"), "foreign")
    offered = admin.get("/admin/pick/profile/", {"owner": str(tenant.pk), "q": ""}).json()["choices"]
    assert {choice["value"] for choice in offered} == {"default", "bot"}
    _make_key(admin, tenant, profiles=["bot"])
    assert ApiKey.objects.get().profiles == ["bot"]


def test_key__without_a_scope_or_a_name__is_refused(admin: Client, tenant: Tenant) -> None:
    response = fill(admin, add_url("apikey"), "apikey", tenant=str(tenant.pk), name="", scopes=None)
    assert {"name", "scopes"} <= set(errors_of(response))
    assert not ApiKey.objects.exists()


def test_key__cannot_be_changed_only_revoked(admin: Client, tenant: Tenant) -> None:
    key = make_key(tenant).key
    assert admin.post(change_url(key), {"name": "other"}).status_code == 403
    assert admin.get(f"/admin/toolcatalog/apikey/{key.pk}/revoke/").status_code == 403
    response = admin.post(f"/admin/toolcatalog/apikey/{key.pk}/revoke/", follow=True)
    assert "1 key is revoked" in " ".join(messages_of(response))
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert "Revoke this key" not in response.content.decode()


def test_keys__revoked_together(admin: Client, tenant: Tenant) -> None:
    keys = [make_key(tenant).key for _ in range(3)]
    admin.post(list_url("apikey"), {"action": "revoke_selected", "_selected_action": [key.pk for key in keys[:2]]})
    assert ApiKey.objects.filter(revoked_at=None).get() == keys[2]


@pytest.mark.parametrize(
    ("target", "picked"), [("tool", "get_weather"), ("category", "weather"), ("tag", "sky"), ("everything", None)]
)
def test_grant__added_for_each_target(admin: Client, tenant: Tenant, target: str, picked: str | None) -> None:
    make_tool(None, "get_weather", category="weather", tags=("sky",))
    chosen: dict[str, str | list[str]] = {target: [picked]} if picked else {}
    response = fill(
        admin,
        add_url("grant"),
        "grant",
        tenant=str(tenant.pk),
        effect="deny",
        target=target,
        note="why",
        **{"tag": ["left-over"], **chosen},
    )
    assert response.status_code == 302, errors_of(response)
    stored = Grant.objects.get()
    assert (stored.effect, stored.note, stored.everything) == ("deny", "why", target == "everything")
    if picked:
        assert getattr(stored, target) is not None


def test_grant__nothing_picked_or_an_own_tool__is_refused_beside_it(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "own_tool")
    for picked in ([], ["own_tool"], ["nowhere"]):
        response = fill(admin, add_url("grant"), "grant", tenant=str(tenant.pk), target="tool", tool=picked)
        assert "tool" in errors_of(response)
    assert not Grant.objects.exists()


def test_grant__changed_and_deleted(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "get_weather", category="weather")
    stored = grant(tenant, "get_weather")
    fill(admin, change_url(stored), "grant", target="category", category=["weather"])
    stored.refresh_from_db()
    assert (stored.tool, stored.category) == (None, Category.objects.get(slug="weather"))
    admin.post(change_url(stored).replace("change", "delete"), {"post": "yes"})
    assert not Grant.objects.exists()


@pytest.mark.parametrize(("model", "kind"), [(Category, "category"), (Tag, "tag")])
def test_label__added_changed_deleted(admin: Client, tenant: Tenant, model: type[Category | Tag], kind: str) -> None:
    assert fill(admin, add_url(kind), kind, owner=str(tenant.pk), slug="邮购", title="Mail order").status_code == 302
    label = model.objects.get()
    assert (label.slug, label.owner) == ("邮购", tenant)
    fill(admin, change_url(label), kind, title="Post")
    label.refresh_from_db()
    assert label.title == "Post"
    assert "slug" in errors_of(fill(admin, add_url(kind), kind, owner=str(tenant.pk), slug="")), "a slug is needed"
    assert "already has" in str(errors_of(fill(admin, add_url(kind), kind, owner=str(tenant.pk), slug="邮购")))
    admin.post(change_url(label).replace("change", "delete"), {"post": "yes"})
    assert not model.objects.exists()


def test_category__named_by_a_grant__is_not_deleted(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "get_weather", category="weather")
    grant(tenant, category="weather", effect="deny")
    category = Category.objects.get()
    send(admin, change_url(category).replace("change", "delete"), [("post", "yes")])
    assert Category.objects.exists()
    chosen = {"action": "delete_selected", "_selected_action": [category.pk], "post": "yes"}
    admin.post(list_url("category"), chosen)
    assert Category.objects.exists()


def test_category__deleted__tools_stay(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", category="orders")
    admin.post(change_url(Category.objects.get()).replace("change", "delete"), {"post": "yes"})
    assert Tool.objects.get().category is None
