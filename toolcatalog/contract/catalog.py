"""The catalog as plain records: what the compiled catalog is made of.

Ids are database ids; a None owner means shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .json import JsonObject, dump_json
from .matching import GroupRules
from .tools import NO_PARAMETERS


class ToolStatus(StrEnum):
    """Where a tool, or a group, stands in its life."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    PUBLISHED = "published"
    DEPRECATED = "deprecated"
    DISABLED = "disabled"
    RETIRED = "retired"


LIVE_STATUSES = frozenset({ToolStatus.PUBLISHED, ToolStatus.DEPRECATED})
"""The statuses in which a tool may be shown."""

HIDING_STATUSES = frozenset({ToolStatus.PUBLISHED, ToolStatus.DEPRECATED, ToolStatus.DISABLED})
"""The statuses in which a tenant's own tool hides a shared one of the same name (T3)."""


SHARED_OWNER = "shared"
"""What requests and answers call the owner of shared objects. No tenant has this slug."""


class Execution(StrEnum):
    """Who runs a tool."""

    CLIENT = "client"
    CALLBACK = "callback"
    MCP = "mcp"
    HTTP = "http"


class Policy(StrEnum):
    """Which searches of a conversation count (R2)."""

    LATEST_CALL = "latest_call"
    LATEST_TURN = "latest_turn"
    ACCUMULATE = "accumulate"


class Disclosure(StrEnum):
    """How found tools reach the model."""

    INLINE = "inline"
    NATIVE = "native"
    META = "meta"


class Caution(StrEnum):
    """When a search answers with nothing rather than with what hardly fits.

    `strict` saves the model from more tools that do not fit, and loses some more questions that have an answer.
    """

    OFF = "off"
    NORMAL = "normal"
    STRICT = "strict"


class SearchMode(StrEnum):
    """Whether a profile offers tool search: yes, no, or only where a matching group lists the entry tool (G16)."""

    ON = "on"
    OFF = "off"
    GROUPS = "groups"


class Effect(StrEnum):
    """What a grant does. A deny beats an allow."""

    ALLOW = "allow"
    DENY = "deny"


class TextPolicy(StrEnum):
    """What is kept of message texts: a salted digest, or the text itself."""

    DIGEST = "digest"
    FULL = "full"


class Eviction(StrEnum):
    """When a session is forgotten (R9)."""

    LRU = "lru"
    TTL = "ttl"
    LRU_TTL = "lru_ttl"
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class ToolContent:
    """The part of a tool that a revision pins.

    Schemas are JSON bytes: small in memory, parsed where they are needed.
    """

    name: str
    title: str = ""
    description: str = ""
    parameters: bytes = field(default=dump_json(NO_PARAMETERS))
    output_schema: bytes | None = None
    annotations: JsonObject = field(default_factory=dict)
    version: str = "1.0"


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One tool as it stands. `category`, `tags` and `source` are slugs. `revision` and `sha256` name the live revision.

    `tokens` is the size of the neutral definition, by the tokenizer of the usage figures.
    `pinnable` holds the latest approved content of every version label, with its revision number and hash.
    `of_session`: a tool that one session brought along (R13): it has no revision, and a negative id.
    """

    id: int
    owner_id: int | None
    content: ToolContent
    status: ToolStatus
    revision: int
    sha256: bytes
    category: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    execution: Execution = Execution.CLIENT
    callback: str = ""
    searchable: bool = True
    replaced_by: str | None = None
    tokens: int = 0
    pinnable: tuple[PinnedContent, ...] = ()
    of_session: bool = False

    @property
    def name(self) -> str:
        return self.content.name


@dataclass(frozen=True, slots=True)
class PinnedContent:
    """An earlier approved state of a tool, kept for callers that pin its version label."""

    version: str
    revision: int
    sha256: bytes
    content: ToolContent


@dataclass(frozen=True, slots=True)
class GrantRecord:
    """One grant to a tenant. Exactly one of the targets is set; `everything` is the target "all shared tools"."""

    effect: Effect
    tool_id: int | None = None
    category: str | None = None
    tag: str | None = None
    source: str | None = None
    everything: bool = False


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """One tool group. `tools` are tool names in order. `for_all_tenants` counts for shared groups only.

    `offers_search` means that the group lists the entry tool (G16).
    """

    id: int
    owner_id: int | None
    rules: GroupRules
    system_prompt: str
    tools: tuple[str, ...]
    position: int
    revision: int
    for_all_tenants: bool = False
    offers_search: bool = False

    @property
    def name(self) -> str:
        return self.rules.name


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a profile searches.

    `categories` and `tags` are slugs (None: all); `suffix` None is the built-in text (R12). `prefer_used`: of what fits
    about as well, the tools come first that the tenant's calls used with success.
    """

    mode: SearchMode = SearchMode.ON
    provider: str = "postgres"
    entry_tool: str = "toolSearch"
    default_results: int = 5
    max_results: int = 20
    min_score: float | None = None
    prefer_used: bool = False
    categories: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    exclude_tools: frozenset[str] = frozenset()
    inline_below_tokens: int | None = None
    suffix: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """One agent profile. `groups` are ids in order; None: every group of the tenant and every shared one for all."""

    id: int
    slug: str
    is_default: bool
    resident_tools: tuple[str, ...]
    groups: tuple[int, ...] | None
    search: SearchSettings
    exposure_policy: Policy = Policy.LATEST_TURN
    disclosure: Disclosure = Disclosure.INLINE
    strict: str = "off"
    versions: tuple[tuple[str, str], ...] = ()
    default_model: str | None = None
    max_tools: int = 128
    execute_gate: bool = True
    gate_hours: int = 24
    valid_for_seconds: int = 60


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """What requests need to know of a tenant. `text_salt` keys the digests of its message texts."""

    id: int
    slug: str
    is_active: bool
    text_policy: TextPolicy
    text_salt: bytes
    eviction: Eviction
    max_sessions: int
    session_ttl_seconds: int
