"""The way back: arguments as the model wrote them, turned into arguments of the canonical schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.json import JsonObject, JsonValue


def restore_arguments(arguments: JsonObject, how: ArgumentMap) -> dict[str, JsonValue]:
    """Undo what the export did: renamed keys get their names back, at any depth, and null stands for absent no more.

    Takes either side: original keys stay as they are. Where a call has a key under both names, the exported one counts,
    since that is the one the model was told of. Changes nothing in `arguments`, and needs no recursion.
    """
    restored = _restore_keys(arguments, how.keys) if how.keys else dict(arguments)
    return {key: value for key, value in restored.items() if value is not None or key not in how.null_means_absent}


def _restore_keys(arguments: JsonObject, keys: Mapping[str, str]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    pending: list[tuple[JsonObject | Sequence[JsonValue], Any]] = [(arguments, root)]
    while pending:
        source, target = pending.pop()
        for key, child in _list_members(source, keys):
            copied, has_members = _open(child)
            if isinstance(target, dict):
                target[key] = copied
            else:
                target.append(copied)
            if has_members:
                pending.append((child, copied))
    return root


def _list_members(source: Any, keys: Mapping[str, str]) -> list[tuple[Any, Any]]:
    if not isinstance(source, Mapping):
        return list(enumerate(source))
    renamed = {keys[key] for key in source if key in keys}
    return [(keys.get(key, key), child) for key, child in source.items() if key not in renamed or key in keys]


def _open(value: JsonValue) -> tuple[Any, bool]:
    if isinstance(value, Mapping):
        return {}, True
    if isinstance(value, list | tuple):
        return [], True
    return value, False
