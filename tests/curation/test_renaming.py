"""A tool's new name is followed by the profiles that name it in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support import make_tenant
from toolcatalog.curation import (
    Author,
    ProfileDocument,
    SearchDocumentSettings,
    ToolDocument,
    create_tenant,
    save_profile,
    save_tool,
)
from toolcatalog.models import AgentProfile, Tenant

AUTHOR = Author("test")
WEATHER = ToolDocument("weather", description="Tells the weather.")


def make_naming_profile(tenant: Tenant, slug: str) -> AgentProfile:
    """A profile that excludes `weather` and pins its version."""
    search = SearchDocumentSettings(exclude_tools=("weather", "other"))
    return save_profile(tenant, ProfileDocument(slug, search=search, versions={"weather": "1.0"})).profile


@pytest.mark.django_db
def test_rename__of_an_own_tool__is_followed_by_exclusions_and_pins() -> None:
    tenant, neighbour = make_tenant("acme"), create_tenant("neighbour")
    profile, foreign = make_naming_profile(tenant, "bot"), make_naming_profile(neighbour, "bot")
    tool = save_tool(tenant, WEATHER, AUTHOR).tool
    save_tool(tenant, replace(WEATHER, name="forecast"), AUTHOR, tool=tool)
    profile.refresh_from_db()
    foreign.refresh_from_db()
    assert (profile.exclude_tools, profile.versions) == (["forecast", "other"], {"forecast": "1.0"})
    assert (foreign.exclude_tools, foreign.versions) == (["weather", "other"], {"weather": "1.0"})


@pytest.mark.django_db
def test_rename__of_a_shared_tool__is_not_followed_where_an_own_tool_has_the_name() -> None:
    tenant, owner = make_tenant("acme"), create_tenant("owner")
    profile, meaning_its_own = make_naming_profile(tenant, "bot"), make_naming_profile(owner, "bot")
    save_tool(owner, WEATHER, AUTHOR)
    shared = save_tool(None, WEATHER, AUTHOR).tool
    save_tool(None, replace(WEATHER, name="forecast"), AUTHOR, tool=shared)
    profile.refresh_from_db()
    meaning_its_own.refresh_from_db()
    assert profile.exclude_tools == ["forecast", "other"]
    assert meaning_its_own.exclude_tools == ["weather", "other"]
