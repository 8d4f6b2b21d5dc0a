"""The objects of the catalog document, as curators write them: what every way of editing hands to the services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolcatalog.conf import default_search_provider
from toolcatalog.contract.catalog import Disclosure, Execution, Policy, ToolStatus
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.contract.tools import NO_PARAMETERS


@dataclass(frozen=True, slots=True)
class LabelDocument:
    """A category or a tag. `description` is for categories only."""

    slug: str
    title: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ToolDocument:
    """A tool.

    `category`, `tags` take a slug or a title; `replaced_by` the name of a tool of the same owner or shared.
    """

    name: str
    title: str = ""
    description: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parameters: JsonObject = field(default_factory=lambda: dict(NO_PARAMETERS))
    output_schema: JsonObject | None = None
    annotations: JsonObject = field(default_factory=dict)
    metadata: JsonObject = field(default_factory=dict)
    version: str = "1.0"
    replaced_by: str | None = None
    execution: str = Execution.CLIENT
    callback: str | None = None
    searchable: bool = True
    status: str = ToolStatus.PUBLISHED


@dataclass(frozen=True, slots=True)
class GroupDocument:
    """A tool group. `tools` are tool names; the entry tool's standard name among them offers search (G16).

    `match` None means: `rules` if matchers are given, else `always` (G18). `restricts_access` None means: as soon as
    there is a condition on anything but the message (G17).
    """

    name: str
    title: str = ""
    description: str = ""
    system_prompt: str = ""
    tools: tuple[str, ...] = ()
    position: int = 100
    status: str = ToolStatus.PUBLISHED
    match: str | None = None
    match_params: JsonObject = field(default_factory=dict)
    restricts_access: bool | None = None
    for_all_tenants: bool = False
    matchers: tuple[MatcherRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchDocumentSettings:
    """The `search` part of a profile. `enabled` is True, False or "groups"; slugs or None (all) for the scopes."""

    enabled: bool | str = True
    provider: str = field(default_factory=default_search_provider)
    entry_tool: str = "toolSearch"
    default_results: int = 5
    max_results: int = 20
    min_score: float | None = None
    prefer_used: bool = False
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    exclude_tools: tuple[str, ...] = ()
    inline_below_tokens: int | None = None
    system_prompt_suffix: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileDocument:
    """An agent profile. `groups` None: every group of the tenant, and every shared one for all tenants."""

    slug: str
    title: str = ""
    is_default: bool = False
    resident_tools: tuple[str, ...] = ()
    groups: tuple[str, ...] | None = None
    search: SearchDocumentSettings = field(default_factory=SearchDocumentSettings)
    exposure_policy: str = Policy.LATEST_TURN
    disclosure: str = Disclosure.INLINE
    strict: str = "off"
    versions: JsonObject = field(default_factory=dict)
    default_model: str | None = None
    max_tools: int = 128
    execute_gate: bool = True
    gate_hours: int = 24
    valid_for_seconds: int = 60


@dataclass(frozen=True, slots=True)
class GrantDocument:
    """A grant. `tenant` is a slug; exactly one of the targets is set."""

    tenant: str
    effect: str = "allow"
    tool: str | None = None
    category: str | None = None
    tag: str | None = None
    source: str | None = None
    everything: bool = False
    note: str = ""
