"""Agent profiles."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import make_group, make_profile, make_tool
from toolcatalog.curation import render_profile
from toolcatalog.models import AgentProfile, Tenant

from .pages import add_url, change_url, errors_of, fill, messages_of


def test_profile__added__with_everything_in_order(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "a", category="orders")
    make_tool(tenant, "b")
    make_group(tenant, "one")
    make_group(tenant, "two")
    response = fill(
        admin,
        add_url("agentprofile"),
        "agentprofile",
        tenant=str(tenant.pk),
        slug="bot",
        title="Bot",
        resident_tools=["b", "a"],
        which_groups="some",
        groups=["two", "one"],
        search_mode="groups",
        search_categories=["orders"],
        exclude_tools=["a"],
        which_suffix="none",
        versions='{"a": "1.0"}',
        strict="on",
        min_score="0.5",
        prefer_used="on",
        inline_below_tokens="100",
    )
    assert response.status_code == 302, errors_of(response)
    document = render_profile(AgentProfile.objects.get(slug="bot"))
    search = document["search"]
    assert (document["resident_tools"], document["groups"]) == (["b", "a"], ["two", "one"])
    assert (search["enabled"], search["categories"], search["tags"]) == ("groups", ["orders"], None)
    assert (search["min_score"], search["prefer_used"]) == (0.5, True)
    assert (search["system_prompt_suffix"], document["strict"], document["versions"]) == ("", "on", {"a": "1.0"})


@pytest.mark.parametrize(
    ("which", "text", "stored"),
    [("built_in", "left over", None), ("none", "left over", ""), ("own", "Search first.", "Search first.")],
)
def test_profile__search_instructions__one_of_three(
    admin: Client, tenant: Tenant, which: str, text: str, stored: str | None
) -> None:
    profile = make_profile(tenant, "bot")
    fill(admin, change_url(profile), "agentprofile", which_suffix=which, suffix=text)
    assert AgentProfile.objects.get(slug="bot").system_prompt_suffix == stored


def test_profile__prefer_used__is_off_in_a_new_one_and_explained(admin: Client, tenant: Tenant) -> None:
    page = admin.get(add_url("agentprofile")).content.decode()
    assert "call often and with success come earlier, if they fit about as well" in page
    fill(admin, add_url("agentprofile"), "agentprofile", tenant=str(tenant.pk), slug="bot")
    profile = AgentProfile.objects.get(slug="bot")
    assert profile.prefer_used is False
    fill(admin, change_url(profile), "agentprofile", prefer_used="on")
    assert AgentProfile.objects.get(slug="bot").prefer_used is True
    fill(admin, change_url(profile), "agentprofile", prefer_used=None)
    assert AgentProfile.objects.get(slug="bot").prefer_used is False


def test_profile__all_groups__the_picked_ones_are_left_aside(admin: Client, tenant: Tenant) -> None:
    make_group(tenant, "one")
    profile = make_profile(tenant, "bot", groups=("one",))
    fill(admin, change_url(profile), "agentprofile", which_groups="all")
    assert render_profile(AgentProfile.objects.get(slug="bot"))["groups"] is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"entry_tool": "get_order"}, "entry_tool"),
        ({"entry_tool": "not legal"}, "entry_tool"),
        ({"default_results": "30"}, "__all__"),
        ({"min_score": "1.5"}, "min_score"),
        ({"slug": "Not A Slug"}, "slug"),
        ({"slug": "default"}, "slug"),
        ({"resident_tools": ["gone"]}, "resident_tools"),
        ({"which_groups": "some", "groups": ["gone"]}, "groups"),
        ({"versions": '{"a": 1}'}, "versions"),
        ({"max_tools": "0"}, "max_tools"),
    ],
)
def test_profile__wrong_part__is_refused_beside_its_field(
    admin: Client, tenant: Tenant, changes: dict[str, Any], field: str
) -> None:
    make_tool(tenant, "get_order")
    response = fill(
        admin, add_url("agentprofile"), "agentprofile", **{"tenant": str(tenant.pk), "slug": "bot", **changes}
    )
    assert field in errors_of(response)
    assert not AgentProfile.objects.filter(slug="bot").exists()


def test_profile__new_default__takes_the_place_of_the_old_one(admin: Client, tenant: Tenant) -> None:
    fill(admin, add_url("agentprofile"), "agentprofile", tenant=str(tenant.pk), slug="bot", is_default="on")
    assert list(AgentProfile.objects.filter(is_default=True).values_list("slug", flat=True)) == ["bot"]


def test_default_profile__deleted__is_refused_in_words(admin: Client, tenant: Tenant) -> None:
    profile = AgentProfile.objects.get(tenant=tenant)
    response = admin.post(change_url(profile).replace("change", "delete"), {"post": "yes"}, follow=True)
    assert "Make another the default first" in " ".join(messages_of(response))
    assert AgentProfile.objects.exists()
    chosen = {"action": "delete_selected", "_selected_action": [profile.pk], "post": "yes"}
    response = admin.post("/admin/toolcatalog/agentprofile/", chosen, follow=True)
    assert "Make another the default first" in " ".join(messages_of(response))
    assert AgentProfile.objects.exists()


def test_other_profile__deleted(admin: Client, tenant: Tenant) -> None:
    profile = make_profile(tenant, "bot")
    admin.post(change_url(profile).replace("change", "delete"), {"post": "yes"})
    assert not AgentProfile.objects.filter(slug="bot").exists()


def b_G20_small_catalog__sending_everything_is_recommended(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "Says where an order is.")
    profile = make_profile(tenant, "bot")
    assert "The catalog is small" in admin.get(change_url(profile)).content.decode()
    profile = make_profile(tenant, "bot", search={"inline_below_tokens": 4000})
    assert "The catalog is small" not in admin.get(change_url(profile)).content.decode()
