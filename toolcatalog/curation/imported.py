"""What a source says of its tools, and what a sync does with that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.export import Finding
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.tools import NO_PARAMETERS


@dataclass(frozen=True, slots=True)
class ImportedTool:
    """One tool as its source describes it, not checked yet.

    `name` is the catalog name that is wished for; one that cannot be a name takes the proposal (T16). `key` is what
    the source calls the tool, by which it is known again at the next sync ("": the same as `name`); a renamed tool is
    another tool. `version` None leaves the label to curators. `callback` is for tools that a callback runs.

    `category`, `tags`, `keywords` and `metadata` are proposals: used when the tool is created, never again.
    `origin` is what its runner has to know beside the key, such as method and path; no model sees it, and a change of
    it waits for review like one of the text. `notes` are sentences for the plan. With `errors` it is listed as invalid
    whatever else it says: the source has it, and it could not be read.
    """

    name: str
    key: str = ""
    title: str = ""
    description: str = ""
    parameters: JsonObject = field(default_factory=lambda: dict(NO_PARAMETERS))
    output_schema: JsonObject | None = None
    annotations: JsonObject = field(default_factory=dict)
    version: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: JsonObject = field(default_factory=dict)
    execution: str = Execution.CLIENT
    callback: str | None = None
    origin: JsonObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()


class SyncAction(StrEnum):
    """What a sync does with one tool."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    GONE = "gone"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class PlannedTool:
    """One row of a plan. `name` is the catalog name.

    `changed` are the fields in which the source says something new; `kept` those of them that a curator wrote and that
    stay. `waits` means that the change is a pending revision beside the live one. `notes` say what was done to make
    the definition fit, `errors` why it could not be taken, `findings` what some provider would not take as it stands.
    """

    key: str
    name: str
    action: SyncAction
    waits: bool = False
    changed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Every tool of a source with what is done with it, and whether it was done.

    `empty` means that the source listed nothing although it has tools here: they stay, and the source is flagged, until
    the sync is repeated with `allow_empty`.
    """

    rows: tuple[PlannedTool, ...] = ()
    applied: bool = False
    empty: bool = False

    def count(self, action: SyncAction) -> int:
        """How many rows have this action."""
        return sum(row.action is action for row in self.rows)
