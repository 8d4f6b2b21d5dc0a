"""What a provider format makes of tools and prompts, and the maps that lead back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .json import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Finding:
    """One deviation of a tool from what a provider takes.

    `provider` is a format name, `path` a JSON path inside the definition (`name`, `description`,
    `parameters.properties.城市`), `message` a sentence for curators that says what will be sent instead.
    `fatal` means that the tool cannot be sent to this provider at all. `length` and `limit` are set where something is
    too long: how many characters it has, and how many are taken.
    """

    provider: str
    code: str
    path: str
    message: str
    fatal: bool = False
    length: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ArgumentMap:
    """How to read the arguments of a call of an exported tool.

    `keys` leads from an exported argument key to the original one, at any depth, each exported key meaning the same
    wherever it stands; `null_means_absent` names the original top level keys whose null stands for "not given".
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    null_means_absent: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keys or self.null_means_absent)


@dataclass(frozen=True, slots=True)
class ExportedTool:
    """One tool as a provider takes it: `payload` is one entry of the provider's tool list.

    `relaxed` is set where `payload` is strict and the provider limits how much of a request may be: the same tool
    without strict mode, to be sent when the whole set exceeds that.
    """

    name: str
    payload: JsonObject
    arguments: ArgumentMap = field(default_factory=ArgumentMap)
    findings: tuple[Finding, ...] = ()
    relaxed: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class CallerTool:
    """A tool that the caller passed in. `vendor_entry` is set for entries that the vendor runs, passed on unchanged.

    `members` is what else its definition says in the vendor's own words (`cache_control`, `strict`), sent as it came.
    """

    name: str
    description: str = ""
    parameters: JsonObject = field(default_factory=dict)
    vendor_entry: JsonObject | None = None
    members: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prompted:
    """Messages and system prompt after the additions were merged in (G5, G6).

    `messages` is a new list (None when the caller sent `prompt`), `system_prompt` the whole system text, or block list
    where the caller gave blocks, or None. `request` holds the vendor's fields for both, ready to be passed on.
    `findings` says what could not be carried into `request`.
    """

    messages: tuple[JsonValue, ...] | None
    system_prompt: JsonValue
    request: JsonObject
    findings: tuple[Finding, ...] = ()
