"""JSON as this project reads and writes it: one set of types, one canonical form, one check for hostile values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import orjson

JsonValue: TypeAlias = "str | int | float | bool | None | Sequence[JsonValue] | Mapping[str, JsonValue]"
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
        elif isinstance(node, str):
            problem = describe_bad_text(node)
            if problem:
                yield where, problem
        elif isinstance(node, bool) or node is None:
            continue
        elif isinstance(node, int | float):
            if abs(node) > MAX_INTEGER and (isinstance(node, int) or node in (float("inf"), float("-inf"))):
                yield where, "is a number beyond 64 bits"
            elif node != node:
                yield where, "is not a number"
        elif isinstance(node, Mapping):
            for key, child in node.items():
                problem = describe_bad_text(key)
                if problem:
                    yield where, f"has a key that {problem}"
                stack.append((f"{where}.{key}" if where else key, child, depth + 1))
        else:
            stack.extend((f"{where}[{index}]", child, depth + 1) for index, child in enumerate(node))


def describe_bad_text(text: str) -> str | None:
    """Say what makes `text` impossible to store, or None when it is fine."""
    if "\x00" in text:
        return "contains a NUL character (U+0000)"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "contains half of a surrogate pair, which is not a character"
    return None
