"""Rows as the objects of the catalog document: what the REST API shows, revisions keep, and an export writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolcatalog.contract.catalog import SearchMode
from toolcatalog.models import AgentProfile, Category, Grant, Matcher, Tag, Tool, ToolGroup
from toolcatalog.selectors import make_group_rules, make_matcher_row
from toolcatalog.text import ENTRY_TOOL_NAME


def render_category(category: Category) -> dict[str, Any]:
    """A category as in the catalog document."""
    return {"slug": category.slug, "title": category.title, "description": category.description}


def render_tag(tag: Tag) -> dict[str, Any]:
    """A tag as in the catalog document."""
    return {"slug": tag.slug, "title": tag.title}


def render_tool(tool: Tool, *, tags: Iterable[Tag] | None = None, replaced_by: str | None = None) -> dict[str, Any]:
    """A tool as in the catalog document, with slugs for references. Prefetch category, tags and replaced_by.

    `tags` and `replaced_by` stand for those of a tool that is not written yet.
    """
    if tags is None:
        tags, replaced_by = tool.tags.all(), tool.replaced_by.name if tool.replaced_by else None
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "category": tool.category.slug if tool.category else None,
        "tags": sorted(tag.slug for tag in tags),
        "keywords": tool.keywords or {},
        "parameters": tool.parameters,
        "output_schema": tool.output_schema,
        "annotations": tool.annotations or {},
        "metadata": tool.metadata or {},
        "version": tool.version,
        "replaced_by": replaced_by,
        "execution": tool.execution,
        "callback": tool.callback or None,
        "searchable": tool.searchable,
        "status": tool.status,
    }


def render_matcher(matcher: Matcher) -> dict[str, Any]:
    """A condition as in the catalog document."""
    return {
        "condition_set": matcher.condition_set,
        "source": matcher.source,
        "attribute": matcher.attribute or None,
        "operator": matcher.operator,
        "value": matcher.value,
        "negate": matcher.negate,
        "ignore_case": matcher.ignore_case,
        "whole_word": matcher.whole_word,
        "normalise": matcher.normalise,
        "note": matcher.note,
    }


def render_group(group: ToolGroup) -> dict[str, Any]:
    """A tool group as in the catalog document; whether it restricts access is shown as it works out."""
    matchers = list(group.matchers.all())
    rules = make_group_rules(group, tuple(make_matcher_row(matcher) for matcher in matchers))
    tools = [group_tool.tool.name for group_tool in group.group_tools.all()]
    return {
        "name": group.name,
        "title": group.title,
        "description": group.description,
        "system_prompt": group.system_prompt,
        "tools": [*tools, *([ENTRY_TOOL_NAME] if group.offers_search else [])],
        "position": group.position,
        "status": group.status,
        "match": group.match,
        "match_params": group.match_params or {},
        "restricts_access": rules.restricts_access,
        "for_all_tenants": group.for_all_tenants,
        "matchers": [render_matcher(matcher) for matcher in matchers],
    }


def render_profile(profile: AgentProfile) -> dict[str, Any]:
    """An agent profile as in the catalog document."""
    groups = None if profile.all_groups else [entry.group.name for entry in profile.profile_groups.all()]
    return {
        "slug": profile.slug,
        "title": profile.title,
        "is_default": profile.is_default,
        "resident_tools": [entry.tool.name for entry in profile.profile_tools.all()],
        "groups": groups,
        "search": {
            "enabled": {SearchMode.ON.value: True, SearchMode.OFF.value: False}.get(profile.search_mode, "groups"),
            "provider": profile.search_provider,
            "entry_tool": profile.entry_tool,
            "default_results": profile.default_results,
            "max_results": profile.max_results,
            "min_score": profile.min_score,
            "prefer_used": profile.prefer_used,
            "categories": profile.search_categories,
            "tags": profile.search_tags,
            "exclude_tools": profile.exclude_tools,
            "inline_below_tokens": profile.inline_below_tokens,
            "system_prompt_suffix": profile.system_prompt_suffix,
        },
        "exposure_policy": profile.exposure_policy,
        "disclosure": profile.disclosure,
        "strict": profile.strict,
        "versions": profile.versions or {},
        "default_model": profile.default_model or None,
        "max_tools": profile.max_tools,
        "execute_gate": profile.execute_gate,
        "gate_hours": profile.gate_hours,
        "valid_for_seconds": profile.valid_for_seconds,
    }


def render_grant(grant: Grant) -> dict[str, Any]:
    """A grant as in the catalog document: the tenant, the effect, the one target, the note."""
    targets = {
        "tool": grant.tool.name if grant.tool else None,
        "category": grant.category.slug if grant.category else None,
        "tag": grant.tag.slug if grant.tag else None,
        "source": grant.source.slug if grant.source else None,
        "everything": grant.everything or None,
    }
    target = {key: value for key, value in targets.items() if value is not None}
    return {"tenant": grant.tenant.slug, "effect": grant.effect, **target, "note": grant.note}
