"""The vendors' own deferred tools: definitions that reach the model only once a search has found them.

Where a vendor has such a form, `Format.native_form()` gives the format to use for it: its `native` declares the tools,
its `write_results` writes what a search found (`CallResult.found`) in the vendor's way, and `drop_stale` keeps earlier
answers within what is declared now.
"""

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
    """How one vendor is told of tools that may be found."""

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

        The search tool is always there and never deferred; `tools` does not hold it. Of the deferred tools the first
        `MAX_DEFERRED` are taken, without those that are visible.
        """

    @abstractmethod
    def drop_stale(
        self,
        messages: Sequence[JsonValue],
        known: Container[str],
        *,
        vendor_entries: Sequence[JsonObject] = (),
        entry_name: str | None = None,
    ) -> KeptHistory:
        """Take out of earlier search answers what names a tool whose exported name is not in `known` any more.

        `vendor_entries` are the vendor's own entries of this request's tool list. `entry_name` is given where the
        request has no native search tool: then earlier searches become calls of the tool of that name where the vendor
        takes no others.
        """
