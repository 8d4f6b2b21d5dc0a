"""Writes an owner's catalog as a document that imports into an empty database and exports the same again."""

from __future__ import annotations

from typing import Any

from toolcatalog.models import AgentProfile, Category, Grant, Tag, Tenant, Tool, ToolGroup

from .importing import DOCUMENT_VERSION
from .rendering import render_category, render_grant, render_group, render_profile, render_tag, render_tool


def export_document(owner: Tenant | None) -> dict[str, Any]:
    """Everything of one owner; for shared things (None) the grants too, and no profiles. Lists are in a fixed order."""
    tools = Tool.objects.filter(owner=owner).select_related("category", "replaced_by").prefetch_related("tags")
    groups = ToolGroup.objects.filter(owner=owner).prefetch_related("matchers", "group_tools__tool")
    document: dict[str, Any] = {
        "version": DOCUMENT_VERSION,
        "categories": [render_category(row) for row in Category.objects.filter(owner=owner).order_by("slug")],
        "tags": [render_tag(row) for row in Tag.objects.filter(owner=owner).order_by("slug")],
        "tools": [render_tool(row) for row in tools.order_by("name")],
        "tool_groups": [render_group(row) for row in groups.order_by("position", "name")],
    }
    if owner is not None:
        profiles = AgentProfile.objects.filter(tenant=owner).prefetch_related(
            "profile_tools__tool", "profile_groups__group"
        )
        document["profiles"] = [render_profile(row) for row in profiles.order_by("slug")]
    else:
        grants = Grant.objects.select_related("tenant", "tool", "category", "tag", "source")
        document["grants"] = sorted((render_grant(row) for row in grants), key=_place_of_grant)
    return document


def _place_of_grant(grant: dict[str, Any]) -> tuple[str, ...]:
    """By what the grant says, not by when it was made: that is another moment in another database."""
    targets = (str(grant.get(name) or "") for name in ("tool", "category", "tag", "source"))
    return (str(grant["tenant"]), str(grant["effect"]), *targets)
