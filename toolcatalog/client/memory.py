"""What the client remembers of a conversation's last good answer: for `if_digest`, and for when the catalog is away."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from .answers import ResolveAnswer


@dataclass(frozen=True, slots=True)
class Remembered:
    """The last good answer of a conversation.

    `fields` are the vendor's fields without the conversation, `inputs` all that the catalog decided by beside the
    messages, `good_until` a time of the client's own clock, in seconds, that is never after the server's `valid_until`.
    """

    answer: ResolveAnswer
    fields: dict[str, Any]
    additions: str
    inputs: bytes
    good_until: float


class Memory:
    """The last answers of the conversations used last. Safe to be used by several threads at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, Remembered] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> Remembered | None:
        """What is remembered under this key."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def keep(self, key: Hashable, entry: Remembered) -> None:
        """Remember; the conversation that was not used for the longest time makes room."""
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        """Forget one conversation."""
        with self._lock:
            self._entries.pop(key, None)

    def forget_all(self) -> None:
        """Forget everything: the key lost its rights."""
        with self._lock:
            self._entries.clear()
