"""The vendors' own deferred tools: definitions that reach the model only once a search has found them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import ClassVar

from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue

MAX_DEFERRED = 1_000
"""How many deferred tools one request may declare. They do not count to a format's `max_tools`."""


@dataclass(frozen=True, slots=True)
class DeferredTool:
    """A tool that may be found, or was. `category` is a slug, `category_text` what a model is told of the category."""

    tool: ExportedTool
    category: str | None = None
    category_text: str = ""


@dataclass(frozen=True, slots=True)
class KeptHistory:
    """Messages without references to tools that are not declared any more, and the names that were dropped, once each.

    Messages that did not change are the same objects as before.
    """

    messages: tuple[JsonValue, ...]
    dropped: tuple[str, ...] = ()


class NativeDisclosure(ABC):
    """How one vendor is told of tools that may be found, and of those that were."""

    declares_deferred: ClassVar[bool]
    """Whether all findable tools have to be declared in every request (the vendor then gets all their definitions)."""
    search_call_name: ClassVar[str | None] = None
    """Under which name `read_messages` and `read_calls` show a search call; None: the entry tool's exported name."""

    @abstractmethod
    def declare(
        self,
        vendor_entries: Sequence[JsonObject],
        tools: Sequence[ExportedTool],
        entry: ExportedTool,
        deferred: Sequence[DeferredTool],
    ) -> tuple[JsonObject, ...]:
        """The vendor's tool list: what the vendor runs, the visible tools, the search tool, the deferred tools.

        The search tool is always there and never deferred. `tools` does not hold it. Takes at most `MAX_DEFERRED`
        deferred tools, the first ones.
        """

    @abstractmethod
    def write_search_answer(
        self, call_id: str, entry_name: str, found: Sequence[DeferredTool]
    ) -> tuple[JsonObject, ...]:
        """The messages that answer one search, best tool first. Nothing found is said in words."""

    @abstractmethod
    def drop_stale(self, messages: Sequence[JsonValue], known: Container[str]) -> KeptHistory:
        """Take out of earlier search answers what names a tool whose exported name is not in `known` any more."""
