"""What is wrong with rules, said before they are saved. What is refused here never matches if it is stored anyway."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules, MatcherRow

from .compiled import NO_CONDITION, build_row, name_unknown_matcher
from .problems import BrokenCondition
from .registry import PluginRegistry, installed_plugins


def check_rules(
    rules: GroupRules,
    *,
    earlier_groups: Sequence[str] | None = None,
    matchers_registry: PluginRegistry | None = None,
) -> tuple[FieldError, ...]:
    """Everything that forbids saving these rules: paths such as `matchers[0].value`, sentences for a curator.

    `earlier_groups` are the names of the groups before this one; None leaves conditions on groups unchecked, except
    that a group cannot ask about itself.
    """
    errors: list[FieldError] = []
    if rules.match == RULES and not rules.rows:
        errors.append(FieldError("matchers", "no_condition", NO_CONDITION))
    if rules.match not in {ALWAYS, RULES}:
        registry = matchers_registry or installed_plugins()
        if registry.find_matcher(rules.match) is None:
            errors.append(FieldError("match", "unknown_matcher", name_unknown_matcher(rules.match)))
    for index, row in enumerate(rules.rows):
        errors.extend(_check_row(rules.name, row, f"matchers[{index}]", earlier_groups))
    return tuple(errors)


def _check_row(group: str, row: MatcherRow, path: str, earlier_groups: Sequence[str] | None) -> Iterator[FieldError]:
    if row.condition_set < 1:
        yield FieldError(f"{path}.condition_set", "bad_condition_set", "Number condition sets from 1.")
    try:
        compiled = build_row(group, row)
    except BrokenCondition as broken:
        yield FieldError(f"{path}.{broken.field}", broken.code, broken.sentence)
        return
    for name in compiled.groups:
        if name == group:
            sentence = "A group cannot ask about itself. Name a group that stands earlier in the order."
            yield FieldError(f"{path}.value", "group_itself", sentence)
        elif earlier_groups is not None and name not in earlier_groups:
            sentence = f"There is no group “{name}” before this one. Name an earlier group, or change the order."
            yield FieldError(f"{path}.value", "unknown_group", sentence)
