"""Makes and edits catalog objects, always through the services of curation.

An owner of None makes a shared object.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.curation import (
    Author,
    GrantDocument,
    GroupDocument,
    NewApiKey,
    ProfileDocument,
    SearchDocumentSettings,
    ToolDocument,
    create_api_key,
    create_tenant,
    read_group,
    read_profile,
    read_tool,
    render_group,
    render_profile,
    render_tool,
    save_grant,
    save_group,
    save_profile,
    save_tool,
    save_tools,
)
from toolcatalog.models import AgentProfile, Grant, Tenant, Tool, ToolGroup

AUTHOR = Author("tests")

_numbers = itertools.count(1)


def make_tenant(slug: str | None = None, **fields: Any) -> Tenant:
    """A tenant with an empty default profile. `fields` are columns, such as `text_policy` or `eviction`."""
    tenant = create_tenant(slug or f"tenant-{next(_numbers)}")
    return set_tenant(tenant, **fields) if fields else tenant


def set_tenant(tenant: Tenant, **fields: Any) -> Tenant:
    """Change columns of a tenant."""
    for name, value in fields.items():
        setattr(tenant, name, value)
    tenant.full_clean()
    tenant.save()
    return tenant


def parameters_of(**properties: str) -> JsonObject:
    """The schema of text parameters, all of them optional, from name to description."""
    described = {name: {"type": "string", "description": text} for name, text in properties.items()}
    return {"type": "object", "properties": described}


def make_tool(owner: Tenant | None, name: str, description: str = "", **fields: Any) -> Tool:
    """A published tool. `fields` are those of the catalog document: `category="orders"`, `tags=("a",)`…"""
    return save_tool(owner, ToolDocument(name=name, description=description, **fields), AUTHOR).tool


def make_many_tools(owner: Tenant | None, names: Iterable[str], **fields: Any) -> list[Tool]:
    """Many published tools in one edit; each is described by its name."""
    return make_tools(owner, [{"name": name, "description": f"Does {name}.", **fields} for name in names])


def make_tools(owner: Tenant | None, fields: Iterable[Mapping[str, Any]]) -> list[Tool]:
    """Many tools in one edit, each from its own fields."""
    documents = [ToolDocument(**one) for one in fields]
    saved = save_tools(owner, [(document, None) for document in documents], AUTHOR)
    tools = [one.tool for one in saved if one.tool is not None]
    assert len(tools) == len(documents), [one.errors for one in saved if one.errors]
    return tools


def edit_tool(tool: Tool, **changes: Any) -> Tool:
    """Save the tool again with some fields changed."""
    fresh = Tool.objects.get(pk=tool.pk)
    document = replace(read_tool(render_tool(fresh)), **changes)
    return save_tool(fresh.owner, document, AUTHOR, tool=fresh).tool


def make_group(
    owner: Tenant | None, name: str, tools: Sequence[str] = (), *rows: MatcherRow, **fields: Any
) -> ToolGroup:
    """A published group with these tools; without conditions it always matches."""
    document = GroupDocument(name=name, tools=tuple(tools), matchers=tuple(rows), **fields)
    return save_group(owner, document, AUTHOR).group


def edit_group(group: ToolGroup, **changes: Any) -> ToolGroup:
    """Save the group again with some fields changed."""
    fresh = ToolGroup.objects.get(pk=group.pk)
    document = replace(read_group(render_group(fresh)), **changes)
    return save_group(fresh.owner, document, AUTHOR, group=fresh).group


def make_profile(
    tenant: Tenant, slug: str = "default", search: Mapping[str, Any] | None = None, **fields: Any
) -> AgentProfile:
    """A profile; the one called `default` takes the place of the tenant's empty default one."""
    existing = AgentProfile.objects.filter(tenant=tenant, slug=slug).first()
    settings = SearchDocumentSettings(**(search or {}))
    document = ProfileDocument(slug=slug, search=settings, **{"is_default": slug == "default", **fields})
    return save_profile(tenant, document, profile=existing).profile


def edit_profile(profile: AgentProfile, search: Mapping[str, Any] | None = None, **changes: Any) -> AgentProfile:
    """Save the profile again with some fields changed; `search` changes some of its search settings."""
    fresh = AgentProfile.objects.get(pk=profile.pk)
    document = read_profile(render_profile(fresh))
    settings = replace(document.search, **(search or {}))
    return save_profile(fresh.tenant, replace(document, search=settings, **changes), profile=fresh).profile


def grant(tenant: Tenant, tool: str | None = None, **fields: Any) -> Grant:
    """Give the tenant shared tools: `grant(tenant, "get_order")`, `grant(tenant, category="orders")`…"""
    return save_grant(GrantDocument(tenant=tenant.slug, tool=tool, **fields))


def deny(tenant: Tenant, tool: str | None = None, **fields: Any) -> Grant:
    """Keep shared tools from the tenant, whatever other grants give."""
    return grant(tenant, tool, effect="deny", **fields)


def make_key(tenant: Tenant, *scopes: str, **fields: Any) -> NewApiKey:
    """An API key with its secret."""
    return create_api_key(tenant, scopes or ("resolve",), name="tests", **fields)
