"""Saves and deletes agent profiles."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from toolcatalog.contract.catalog import SearchMode
from toolcatalog.contract.errors import Conflict, FieldError
from toolcatalog.models import AgentProfile, ProfileGroup, ProfileTool, Tenant, Tool
from toolcatalog.search import provider_names
from toolcatalog.text import META_TOOL_NAMES, check_tool_name, normalise_text

from .documents import ProfileDocument, SearchDocumentSettings
from .references import duplicates_in, find_groups, find_tools
from .rendering import render_profile
from .transactions import editing
from .validation import check_storable, clean_row, raise_if_any

_SEARCH_PATHS = {
    "search_mode": "search.enabled",
    "search_provider": "search.provider",
    "entry_tool": "search.entry_tool",
    "default_results": "search.default_results",
    "max_results": "search.max_results",
    "min_score": "search.min_score",
    "prefer_used": "search.prefer_used",
    "search_categories": "search.categories",
    "search_tags": "search.tags",
    "exclude_tools": "search.exclude_tools",
    "inline_below_tokens": "search.inline_below_tokens",
    "system_prompt_suffix": "search.system_prompt_suffix",
}


@dataclass(frozen=True, slots=True)
class SavedProfile:
    """The profile after a save."""

    profile: AgentProfile
    created: bool


def save_profile(tenant: Tenant, document: ProfileDocument, *, profile: AgentProfile | None = None) -> SavedProfile:
    """Create the profile, or replace the one given. A new default takes the place of the old one.

    Raises InvalidInput with every finding, each with its JSON path.
    """
    with editing():
        row = AgentProfile(tenant=tenant) if profile is None else profile
        raise_if_any(check_storable({name: getattr(document, name) for name in document.__slots__ if name != "search"}))
        tools, errors = find_tools(tenant, document.resident_tools, "resident_tools")
        errors += duplicates_in(document.resident_tools, "resident_tools")
        groups, group_errors = find_groups(tenant, document.groups or (), "groups")
        errors += group_errors + duplicates_in(document.groups or (), "groups")
        errors += _check_search(tenant, document.search) + _check_versions(document)
        errors += _check_default(profile, document)
        before = None if profile is None else render_profile(AgentProfile.objects.get(pk=profile.pk))
        if document.is_default:
            AgentProfile.objects.filter(tenant=tenant, is_default=True).exclude(pk=row.pk).update(is_default=False)
        _fill(row, document)
        errors += clean_row(row, names=_SEARCH_PATHS)
        raise_if_any(errors)
        row.save()
        row.profile_tools.all().delete()
        ProfileTool.objects.bulk_create(
            ProfileTool(profile=row, tool=tool, position=position) for position, tool in enumerate(tools)
        )
        row.profile_groups.all().delete()
        ProfileGroup.objects.bulk_create(
            ProfileGroup(profile=row, group=group, position=position) for position, group in enumerate(groups)
        )
        fresh = AgentProfile.objects.get(pk=row.pk)
        if before is not None and render_profile(fresh) != before:
            fresh.updated_at = timezone.now()
            fresh.save(update_fields=["updated_at"])
    return SavedProfile(fresh, profile is None)


def _check_default(profile: AgentProfile | None, document: ProfileDocument) -> list[FieldError]:
    """`profile` is as it was before: a tenant is never left without a default one."""
    if profile is None or not profile.is_default or document.is_default:
        return []
    message = "This is the tenant's default profile. Make another the default instead."
    return [FieldError("is_default", "default_profile", message)]


def _check_search(tenant: Tenant, search: SearchDocumentSettings) -> list[FieldError]:
    path = "search.entry_tool"
    errors: list[FieldError] = []
    error = check_tool_name(search.entry_tool)
    if error is not None and error.code != "reserved_name":
        errors.append(FieldError(path, error.code, error.message))
    if normalise_text(search.entry_tool) in {normalise_text(name) for name in META_TOOL_NAMES}:
        errors.append(FieldError(path, "reserved_name", f"“{search.entry_tool}” is kept for the meta tools."))
    taken = Tool.objects.filter(owner__in=[tenant]) | Tool.objects.filter(owner=None)
    if taken.filter(name__iexact=search.entry_tool).exists():
        message = f"A tool is called “{search.entry_tool}”. Choose another name for the search."
        errors.append(FieldError(path, "name_taken", message))
    if search.provider not in provider_names():
        known = ", ".join(provider_names())
        errors.append(FieldError("search.provider", "unknown_provider", f"Choose one of: {known}."))
    return errors


def _check_versions(document: ProfileDocument) -> list[FieldError]:
    return [
        FieldError(f"versions.{name}", "not_a_label", 'Write a version label, like "2.1".')
        for name, label in document.versions.items()
        if not isinstance(label, str) or not label.strip()
    ]


def _fill(row: AgentProfile, document: ProfileDocument) -> None:
    search = document.search
    row.slug, row.title, row.is_default = document.slug, document.title, document.is_default
    row.all_groups = document.groups is None
    row.search_mode = _mode_of(search.enabled)
    row.search_provider = search.provider
    row.entry_tool = search.entry_tool
    row.default_results, row.max_results, row.min_score = search.default_results, search.max_results, search.min_score
    row.prefer_used = search.prefer_used
    row.search_categories = None if search.categories is None else list(search.categories)
    row.search_tags = None if search.tags is None else list(search.tags)
    row.exclude_tools = list(search.exclude_tools)
    row.inline_below_tokens = search.inline_below_tokens
    row.system_prompt_suffix = search.system_prompt_suffix
    row.exposure_policy, row.disclosure, row.strict = document.exposure_policy, document.disclosure, document.strict
    row.versions = dict(document.versions)
    row.default_model = document.default_model or ""
    row.max_tools = document.max_tools
    row.execute_gate, row.gate_hours = document.execute_gate, document.gate_hours
    row.valid_for_seconds = document.valid_for_seconds


def _mode_of(enabled: bool | str) -> SearchMode:
    if isinstance(enabled, bool):
        return SearchMode.ON if enabled else SearchMode.OFF
    return SearchMode.GROUPS


def delete_profile(profile: AgentProfile) -> None:
    """Delete the profile. The tenant's default one stays: make another the default first."""
    if profile.is_default:
        raise Conflict("This is the tenant's default profile. Make another the default first.", code="default_profile")
    with editing():
        profile.delete()
