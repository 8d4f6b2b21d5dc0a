"""JSON as this project reads and writes it: one set of types, one canonical form, one check for hostile values."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import orjson

JsonValue: TypeAlias = "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]

MAX_INTEGER = 2**63 - 1


def dump_json(value: object) -> bytes:
    """Compact UTF-8 JSON that keeps the order of keys as given."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)


def dump_canonical_json(value: object) -> bytes:
    """Compact UTF-8 JSON with sorted keys: equal values give equal bytes, whatever order they were written in."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def hash_json(value: object) -> bytes:
    """SHA-256 (32 bytes) over the canonical form of `value`."""
    return hashlib.sha256(dump_canonical_json(value)).digest()


def freeze_json(value: JsonObject) -> JsonObject:
    """A copy that cannot be changed at any depth: read-only mappings, tuples for lists."""
    return MappingProxyType({key: _freeze_value(child) for key, child in value.items()})


def _freeze_value(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return freeze_json(value)
    if isinstance(value, list | tuple):
        return tuple(_freeze_value(child) for child in value)
    return value


def find_unstorable(value: JsonValue, path: str = "", *, max_depth: int = 64) -> Iterator[tuple[str, str]]:
    """Yield (JSON path, sentence) for every part of `value` that PostgreSQL or UTF-8 cannot hold.

    Such parts are NUL characters, lone surrogates, integers beyond 64 bits, infinite numbers and nesting deeper than
    `max_depth`. Walks with a stack of its own, so that depth costs no recursion.
    """
    stack: list[tuple[str, JsonValue, int]] = [(path, value, 0)]
    while stack:
        where, node, depth = stack.pop()
        if depth > max_depth:
            yield where, f"is nested more than {max_depth} levels deep"
            continue
        problem = _describe_bad_node(node)
        if problem is not None:
            yield where, problem
        if isinstance(node, Mapping):
            stack.extend((f"{where}.{key}" if where else key, child, depth + 1) for key, child in node.items())
        elif isinstance(node, Sequence) and not isinstance(node, str):
            stack.extend((f"{where}[{index}]", child, depth + 1) for index, child in enumerate(node))


def _describe_bad_node(node: JsonValue) -> str | None:
    """What is wrong with one value itself, its children aside."""
    if isinstance(node, str):
        return describe_bad_text(node)
    if isinstance(node, Mapping):
        problems = (describe_bad_text(key) for key in node)
        return next((f"has a key that {problem}" for problem in problems if problem), None)
    if isinstance(node, int):
        return "is a number beyond 64 bits" if abs(node) > MAX_INTEGER else None
    if isinstance(node, float) and not math.isfinite(node):
        return "is not a finite number"
    return None


def describe_bad_text(text: str) -> str | None:
    """Say what makes `text` impossible to store, or None when it is fine."""
    if "\x00" in text:
        return "contains a NUL character (U+0000)"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "contains half of a surrogate pair, which is not a character"
    return None
