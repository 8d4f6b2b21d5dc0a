"""Conditions on earlier groups: what is read is the list of those that matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from toolcatalog.contract.json import JsonValue

from ..problems import BrokenCondition
from ..subject import Subject

_SENTENCE = "Write the name of a group that stands earlier in the order."


@dataclass(frozen=True, slots=True)
class GroupNamesTest:
    """True where `combine` (any or all) of the named groups matched."""

    names: tuple[str, ...]
    combine: Callable[[Iterable[bool]], bool] = any

    def __call__(self, subject: Subject) -> bool:
        matched = subject.value if isinstance(subject.value, tuple) else ()
        return self.combine(name in matched for name in self.names)


def read_group_names(value: JsonValue, attribute: str) -> tuple[str, ...]:
    """The group names of a row: its value (one name, a list, one a line) or else its attribute.

    Raises BrokenCondition on `value` when there is none.
    """
    listed = value.splitlines() if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        listed = [attribute]
    if not all(isinstance(name, str) for name in listed):
        raise BrokenCondition("value", "group_needed", _SENTENCE)
    names = tuple(str(name).strip() for name in listed if str(name).strip())
    if not names:
        raise BrokenCondition("value", "group_needed", _SENTENCE)
    return names
