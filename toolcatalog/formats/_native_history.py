"""Building blocks for search answers in earlier messages."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from toolcatalog.contract.json import JsonObject, JsonValue

from ._reading import is_list
from .native import KeptHistory

NOTHING_FOUND = "No tool fits this search."
NOTHING_LEFT = "The tools that were found are not available any more."

Prune = Callable[[JsonObject, "Stale"], JsonObject]


class Stale:
    """Which names are stale, and which of them were met."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self.met: dict[str, None] = {}

    def keeps(self, name: JsonValue) -> bool:
        """Whether something of that name may stay. A name that may not is remembered."""
        if not isinstance(name, str) or name in self._known:
            return True
        self.met[name] = None
        return False


def prune_messages(messages: Sequence[JsonValue], known: Container[str], prune: Prune) -> KeptHistory:
    """Give every message that is an object to `prune`, which returns it, or a copy without what is stale."""
    stale = Stale(known)
    kept = tuple(prune(message, stale) if isinstance(message, Mapping) else message for message in messages)
    return KeptHistory(kept, tuple(stale.met))


def replace_member(holder: JsonObject, key: str, prune: Callable[[JsonValue], JsonValue]) -> JsonObject:
    """The object, or a copy in which the member `key` is pruned; the same object when that changes nothing."""
    value = holder.get(key)
    pruned = prune(value)
    return holder if pruned is value else {**holder, key: pruned}


def prune_list(value: JsonValue, prune: Callable[[JsonObject], JsonObject | None]) -> JsonValue:
    """The list, or a copy with every object pruned (None: taken out); the same list when that changes nothing."""
    if not is_list(value):
        return value
    pruned = [prune(item) if isinstance(item, Mapping) else item for item in value]
    if all(new is old for new, old in zip(pruned, value, strict=True)):
        return value
    return [item for item, old in zip(pruned, value, strict=True) if item is not None or old is None]
