"""What is allowed in rules and probably not meant: warnings for the editor, never a reason to refuse."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.matching import RULES, GroupRules, MatcherRow, Operator, Source

from .compiled import find_operator, read_condition
from .condition import read_form
from .dependence import depends_on_message, has_access_conditions, row_depends_on_message
from .problems import BrokenCondition
from .registry import PluginRegistry

_CONSTANT_CODES = frozenset({"always_true", "constant_percentage"})


@dataclass(frozen=True, slots=True)
class _Place:
    index: int
    row: MatcherRow

    def warning(self, field: str, code: str, sentence: str) -> FieldError:
        return FieldError(f"matchers[{self.index}].{field}", code, sentence)


def lint_rules(
    rules: GroupRules,
    *,
    known_attributes: Collection[str] | None = None,
    message_groups: Collection[str] = (),
    matchers_registry: PluginRegistry | None = None,
) -> tuple[FieldError, ...]:
    """Warnings about rules that `check_rules` accepts; rows that it refuses are passed over.

    `known_attributes` are the attribute paths that callers have sent (None: not known), `message_groups` the earlier
    groups that depend on the message.
    """
    places = [_Place(index, row) for index, row in enumerate(rules.rows) if _is_sound(rules.name, row)]
    warnings: list[FieldError] = []
    if rules.rows and rules.match != RULES:
        sentence = f"The conditions are not looked at, since the group applies by “{rules.match}”."
        warnings.append(FieldError("match", "conditions_unused", sentence))
    for place in places:
        warnings.extend(_warn_row(rules.name, place, known_attributes))
    warnings.extend(_warn_contradictions(places))
    if rules.restricts_access:
        warnings.extend(_warn_access(rules, places, message_groups, matchers_registry))
    return tuple(warnings)


def _is_sound(group: str, row: MatcherRow) -> bool:
    try:
        condition = read_condition(group, row)
        find_operator(condition.source, condition.operator).compile(condition)
    except BrokenCondition:
        return False
    return True


def _warn_row(group: str, place: _Place, known_attributes: Collection[str] | None) -> Iterator[FieldError]:
    row = place.row
    condition = read_condition(group, row)
    for code, sentence in find_operator(condition.source, condition.operator).warn(condition):
        yield place.warning("value", code, sentence)
    if condition.source is Source.MESSAGE and condition.operator is Operator.EXISTS and row.negate:
        sentence = "Conditions on the message are false where there is no text, also when negated: this is never true."
        yield place.warning("negate", "always_false", sentence)
    if condition.source not in {Source.ATTRIBUTE, Source.GROUP} and row.attribute:
        sentence = "The attribute is not looked at, since the condition does not read attributes."
        yield place.warning("attribute", "attribute_unused", sentence)
    if condition.source is Source.ATTRIBUTE and not _is_known(condition.attribute, known_attributes):
        sentence = (
            f"No caller has sent the attribute “{condition.attribute}” so far, so this condition is "
            f"{'true' if row.negate else 'false'} for everybody. Check its spelling."
        )
        yield place.warning("attribute", "unknown_attribute", sentence)


def _is_known(attribute: str, known_attributes: Collection[str] | None) -> bool:
    return known_attributes is None or any(
        known == attribute or known.startswith(f"{attribute}.") for known in known_attributes
    )


def _meaning(row: MatcherRow) -> MatcherRow:
    """A row without what makes no difference, so that equal rows are equal."""
    form = read_form(row)
    plain = replace(row, note="", condition_set=1, normalise=form.normalise, ignore_case=form.ignore_case)
    if row.operator in {Operator.NOT_EQUALS, Operator.NOT_IN}:
        operator = Operator.EQUALS if row.operator == Operator.NOT_EQUALS else Operator.IN
        return replace(plain, operator=operator, negate=not row.negate)
    return replace(plain, operator=str(row.operator), source=str(row.source))


def _opposite(row: MatcherRow) -> MatcherRow:
    return replace(row, negate=not row.negate)


def _warn_contradictions(places: Sequence[_Place]) -> Iterator[FieldError]:
    sets: dict[int, list[MatcherRow]] = {}
    for place in places:
        meaning, rows = _meaning(place.row), sets.setdefault(place.row.condition_set, [])
        if meaning in rows:
            yield place.warning("value", "repeated", "This condition is in its set twice. Remove one of them.")
        if _opposite(meaning) in rows:
            sentence = "This condition and its opposite are in one set, so the set never matches."
            yield place.warning("value", "always_false", sentence)
        rows.append(meaning)
    single = [rows[0] for rows in sets.values() if len(rows) == 1 and rows[0].source != Source.MESSAGE]
    if any(_opposite(row) in single for row in single):
        sentence = "Two condition sets are opposites, so the group always matches. Choose “always” if that is meant."
        yield FieldError("matchers", "always_true", sentence)


def _warn_access(
    rules: GroupRules,
    places: Sequence[_Place],
    message_groups: Collection[str],
    registry: PluginRegistry | None,
) -> Iterator[FieldError]:
    if not has_access_conditions(rules, message_groups=message_groups, matchers_registry=registry):
        reads = depends_on_message(rules, message_groups=message_groups, matchers_registry=registry)
        sentence = (
            "“Restricts access” has no effect, since the group has conditions on the message only."
            if reads
            else "“Restricts access” has no effect, since the group has no conditions."
        )
        yield FieldError("restricts_access", "restricts_nothing", sentence)
        return
    numbers = dict.fromkeys(place.row.condition_set for place in places)
    for number in numbers if rules.match == RULES else ():
        rows = [place.row for place in places if place.row.condition_set == number]
        if all(row_depends_on_message(row, message_groups) for row in rows):
            sentence = (
                f"Condition set {number} has conditions on the message only, so through it everybody has access. "
                "Repeat the conditions on who may in this set too."
            )
            yield FieldError("restricts_access", "open_condition_set", sentence)
