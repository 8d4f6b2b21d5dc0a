"""What rules depend on: the message, or something that says who may."""

from __future__ import annotations

from collections.abc import Collection

from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules, MatcherRow, Source

from .operators.group_names import read_group_names
from .problems import BrokenCondition
from .registry import PluginRegistry, installed_plugins


def depends_on_message(
    rules: GroupRules,
    *,
    message_groups: Collection[str] = (),
    matchers_registry: PluginRegistry | None = None,
) -> bool:
    """Whether any condition reads the message, itself or through a group of `message_groups`."""
    if rules.match == ALWAYS:
        return False
    if rules.match != RULES:
        return _matcher_reads_message(rules.match, matchers_registry)
    return any(row_depends_on_message(row, message_groups) for row in rules.rows)


def has_access_conditions(
    rules: GroupRules,
    *,
    message_groups: Collection[str] = (),
    matchers_registry: PluginRegistry | None = None,
) -> bool:
    """Whether any condition is on anything but the message: the default of `restricts_access` (G17)."""
    if rules.match == ALWAYS:
        return False
    if rules.match != RULES:
        return not _matcher_reads_message(rules.match, matchers_registry)
    return any(not row_depends_on_message(row, message_groups) for row in rules.rows)


def row_depends_on_message(row: MatcherRow, message_groups: Collection[str] = ()) -> bool:
    """Whether one condition reads the message, itself or through a group of `message_groups`."""
    if row.source == Source.MESSAGE:
        return True
    if row.source != Source.GROUP:
        return False
    try:
        names = read_group_names(row.value, row.attribute)
    except BrokenCondition:
        return False
    return any(name in message_groups for name in names)


def _matcher_reads_message(name: str, registry: PluginRegistry | None) -> bool:
    matcher = (registry or installed_plugins()).find_matcher(name)
    return matcher is None or matcher.reads_message
