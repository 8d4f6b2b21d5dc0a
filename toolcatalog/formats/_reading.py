"""Building blocks for reading what callers send: messages and tools of every dialect, with errors that have a path."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import TypeGuard, TypeVar

import orjson

from toolcatalog.contract.conversation import Role
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonObject, JsonValue

Read = TypeVar("Read")

_MOST_ERRORS = 20
_DEEPEST = 200
"""Nesting of JSON inside JSON text: what can be written out again."""


def read_each(values: Sequence[JsonValue], path: str, read: Callable[[JsonValue, str], Read]) -> tuple[Read, ...]:
    """Read every value with `read(value, its path)`. Raises InvalidInput with the errors of all of them."""
    results: list[Read] = []
    errors: list[FieldError] = []
    for index, value in enumerate(values):
        try:
            results.append(read(value, f"{path}[{index}]"))
        except InvalidInput as error:
            errors.extend(error.errors)
            if len(errors) >= _MOST_ERRORS:
                break
    if errors:
        raise InvalidInput(errors, code=errors[0].code)
    return tuple(results)


def need_object(value: JsonValue, path: str) -> JsonObject:
    """`value`, which has to be a JSON object."""
    if isinstance(value, Mapping):
        return value
    raise InvalidInput.single(path, "not_an_object", f"{path} is not an object.")


def need_list(value: JsonValue, path: str) -> Sequence[JsonValue]:
    """`value`, which has to be a JSON array."""
    if is_list(value):
        return value
    raise InvalidInput.single(path, "not_a_list", f"{path} is not a list.")


def need_text(value: JsonValue, path: str) -> str:
    """`value`, which has to be text."""
    if isinstance(value, str):
        return value
    raise InvalidInput.single(path, "not_text", f"{path} is not text.")


def need_name(value: JsonValue, path: str) -> str:
    """`value`, which has to be text that is not blank."""
    name = need_text(value, path)
    if name.strip():
        return name
    raise InvalidInput.single(path, "required", f"{path} is blank.")


def need_role(value: JsonValue, path: str, roles: Mapping[str, Role]) -> Role:
    """The neutral role for a dialect's word."""
    if isinstance(value, str) and value in roles:
        return roles[value]
    raise InvalidInput.single(path, "unknown_role", f"{path} is not one of {', '.join(roles)}.")


def is_list(value: JsonValue) -> TypeGuard[Sequence[JsonValue]]:
    """Whether a value is a JSON array."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def iterate_objects(value: JsonValue) -> Iterator[JsonObject]:
    """The objects directly in a JSON array; nothing for anything else."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (item for item in value if isinstance(item, Mapping))


def is_one_of(value: JsonValue, words: Container[str]) -> bool:
    """Whether a value is one of some words; for anything but text it is not."""
    return isinstance(value, str) and value in words


def choose_id(value: JsonValue, name: str) -> str:
    """The id of a call; where it is missing or blank, the tool's name is the id (R3)."""
    return value if isinstance(value, str) and value.strip() else name


def join_texts(texts: Sequence[str]) -> str | None:
    """The text of several parts; None when there is none."""
    return "\n".join(texts) or None


def read_arguments(value: JsonValue) -> JsonObject | None:
    """The arguments of a call, given as an object or as JSON text. Nothing at all means none; None: unreadable."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    parsed = parse_json(value) if isinstance(value, str) else value
    return parsed if isinstance(parsed, Mapping) and not is_deep(parsed) else None


def parse_json(text: str) -> JsonValue:
    """The JSON value that `text` holds; `text` itself when it holds none, or one that is nested too deep to send on."""
    if text.lstrip()[:1] not in _JSON_STARTS:
        return text
    try:
        value: JsonValue = orjson.loads(text)
    except ValueError:
        return text
    return text if is_deep(value) else value


def is_deep(value: JsonValue) -> bool:
    """Whether a value is nested too deep to be written out again."""
    level: list[JsonValue] = [value]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in _list_children(node)]
        if not level:
            return False
    return True


def _list_children(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, Mapping):
        return [child for child in value.values() if isinstance(child, Mapping | list | tuple)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [child for child in value if isinstance(child, Mapping | list | tuple)]
    return ()


_JSON_STARTS = frozenset('{["-0123456789tfn')
