"""The gate before every export: plain, bounded JSON out of whatever is in the catalog.

What passes it is made of dict, list, str, int, float, bool and None only, encodes as UTF-8 and is shallow enough for
recursive functions, so that nothing behind the gate needs to ask again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, TypeAlias

from toolcatalog.contract.json import MAX_INTEGER, describe_bad_text

MAX_DEPTH = 80
MAX_NODES = 40_000

Trail: TypeAlias = "tuple[Trail, str | int] | None"
"""The way to a value, last step first; only rendered when something is wrong with it."""


class NotPlainError(Exception):
    """A value that cannot be sent as JSON: `path` says where, `reason` completes the sentence "It …"."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason


def copy_plain(value: object, path: str) -> Any:
    """A deep copy of `value` that shares nothing with it. Raises NotPlainError. Needs no recursion at any depth."""
    holder: dict[str | int, Any] = {}
    pending: list[tuple[object, Any, str | int, Trail, int]] = [(value, holder, path, None, 0)]
    count = 0
    while pending:
        source, target, key, parent, depth = pending.pop()
        trail: Trail = (parent, key)
        count += 1
        reason = _find_fault(source, depth, count)
        if reason:
            raise NotPlainError(_render(trail), reason)
        copied, children = _open(source)
        target[key] = copied
        pending.extend((child, copied, step, trail, depth + 1) for step, child in children)
    return holder[path]


def _open(source: object) -> tuple[Any, Iterator[tuple[str | int, object]]]:
    """A copy of the outermost level, with its members still empty, and the members that have to be copied into it."""
    if isinstance(source, Mapping):
        return dict.fromkeys(source), iter(source.items())
    if isinstance(source, Sequence) and not isinstance(source, str):
        return [None] * len(source), iter(enumerate(source))
    return source, iter(())


def _find_fault(value: object, depth: int, count: int) -> str | None:
    if depth > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    if count > MAX_NODES:
        return f"has more than {MAX_NODES} values"
    if isinstance(value, str):
        return describe_bad_text(value)
    if isinstance(value, Mapping):
        return _find_key_fault(value)
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        return "is a number beyond 64 bits"
    return None if value is None or _is_number(value) or _is_list(value) else "is not a JSON value"


def _is_number(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, float) and isfinite(value))


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, bytes | bytearray)


def _find_key_fault(value: Mapping[Any, object]) -> str | None:
    for key in value:
        if not isinstance(key, str):
            return "has a key that is not text"
        problem = describe_bad_text(key)
        if problem:
            return f"has a key that {problem}"
    return None


def _render(trail: Trail) -> str:
    steps: list[str | int] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    first, *rest = reversed(steps)
    return str(first) + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
