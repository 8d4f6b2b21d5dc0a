"""Saves and deletes tool groups with their rules."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass

from django.db.models import F, Q

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules
from toolcatalog.matchers import check_rules, has_access_conditions, lint_rules
from toolcatalog.models import GroupTool, Matcher, Tenant, ToolGroup
from toolcatalog.selectors import make_group_rules, make_matcher_row
from toolcatalog.text import ENTRY_TOOL_NAME, is_blank

from .documents import GroupDocument
from .lint import ToolWarning
from .references import duplicates_in, find_tools
from .rendering import render_group
from .revisions import keep_group_revision, keep_tombstone
from .transactions import Author, editing
from .validation import check_storable, clean_row, raise_if_any


@dataclass(frozen=True, slots=True)
class SavedGroup:
    """The group after a save; `warnings` never refuse."""

    group: ToolGroup
    created: bool
    changed: bool
    warnings: tuple[ToolWarning, ...]


def save_group(
    owner: Tenant | None, document: GroupDocument, author: Author, *, group: ToolGroup | None = None
) -> SavedGroup:
    """Create the group, or replace the one given, with its tools and rules. All of it is saved, or nothing.

    Raises InvalidInput with every finding, each with its JSON path.
    """
    with editing():
        created = group is None
        row = ToolGroup(owner=owner) if group is None else group
        rules = make_rules(document)
        raise_if_any(check_storable(asdict(document)))
        names = [name for name in document.tools if name != ENTRY_TOOL_NAME]
        tools, errors = find_tools(owner, names, "tools")
        errors += duplicates_in(names, "tools")
        _fill(row, document, rules)
        errors += _check_name(document.name) + clean_row(row)
        errors += check_rules(rules, earlier_groups=earlier_group_names(owner, row))
        raise_if_any(errors)
        row.save()
        _replace_tools(row, [tool.pk for tool in tools])
        _replace_matchers(row, document)
        fresh = ToolGroup.objects.get(pk=row.pk)
        changed = keep_group_revision(fresh, render_group(fresh), author)
    return SavedGroup(fresh, created, changed, lint_group(fresh))


def lint_group(group: ToolGroup) -> tuple[ToolWarning, ...]:
    """What is allowed in the rules of a saved group and probably not meant."""
    rules = make_group_rules(group, tuple(make_matcher_row(matcher) for matcher in group.matchers.all()))
    warnings = [ToolWarning(problem.path, problem.code, problem.message) for problem in lint_rules(rules)]
    if not rules.restricts_access and has_access_conditions(rules):
        message = (
            "The conditions on account, tenant, model or attributes decide only what is sent up front: everybody can "
            "find and call these tools. Restrict access if that is not meant."
        )
        warnings.append(ToolWarning("restricts_access", "access_not_restricted", message))
    return tuple(warnings)


def make_rules(document: GroupDocument) -> GroupRules:
    """The document's rules; `match` defaults to `rules` where there are matchers, else to `always` (G18)."""
    match = document.match or (RULES if document.matchers else ALWAYS)
    return GroupRules(document.name, match, document.matchers, document.match_params, bool(document.restricts_access))


def earlier_group_names(owner: Tenant | None, group: ToolGroup) -> list[str]:
    """The names that a rule of this group may ask about: groups that come before it."""
    usable = Q(owner=None) if owner is None else Q(owner=owner) | Q(owner=None)
    before = Q(position__lt=group.position) | Q(position=group.position, name__lt=group.name)
    groups = ToolGroup.objects.filter(usable, before).exclude(pk=group.pk)
    return list(groups.order_by(F("position"), "name").values_list("name", flat=True))


def _fill(row: ToolGroup, document: GroupDocument, rules: GroupRules) -> None:
    row.name = document.name
    row.title = document.title
    row.description = document.description
    row.system_prompt = document.system_prompt
    row.position = document.position
    row.status = document.status
    row.match = rules.match
    row.match_params = document.match_params
    row.restricts_access = document.restricts_access
    row.for_all_tenants = document.for_all_tenants
    row.offers_search = ENTRY_TOOL_NAME in document.tools


def _replace_tools(group: ToolGroup, tool_ids: list[int]) -> None:
    if list(group.group_tools.values_list("tool_id", flat=True)) == tool_ids:
        return
    group.group_tools.all().delete()
    GroupTool.objects.bulk_create(
        GroupTool(group=group, tool_id=tool_id, position=position) for position, tool_id in enumerate(tool_ids)
    )


def _replace_matchers(group: ToolGroup, document: GroupDocument) -> None:
    group.matchers.all().delete()
    Matcher.objects.bulk_create(
        Matcher(
            group=group,
            position=position,
            condition_set=row.condition_set,
            source=row.source,
            attribute=row.attribute,
            operator=row.operator,
            value=row.value,
            negate=row.negate,
            ignore_case=row.ignore_case,
            whole_word=row.whole_word,
            normalise=row.normalise,
            note=row.note,
        )
        for position, row in enumerate(document.matchers)
    )


def delete_group(group: ToolGroup, author: Author) -> None:
    """Delete the group. Its history stays, and its last state with it."""
    with editing():
        keep_tombstone(group, render_group(group), author)
        group.delete()


def _check_name(name: str) -> list[FieldError]:
    """A group name is any text that says something; an empty one is refused with the other empty fields."""
    if name and is_blank(name):
        return [FieldError("name", "blank", "Give the group a name.")]
    if any(unicodedata.category(character) in {"Cc", "Zl", "Zp"} for character in name):
        return [FieldError("name", "control_character", "The name has to be one line without control characters.")]
    return []
