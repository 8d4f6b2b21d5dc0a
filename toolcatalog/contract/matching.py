"""Rules of tool groups as plain data, and what came of evaluating them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .json import JsonObject, JsonValue
from .reasons import Reason

ALWAYS = "always"
RULES = "rules"


class Source(StrEnum):
    """What a matcher reads. `time` is the clock at the moment of the request."""

    MESSAGE = "message"
    MODEL = "model"
    ACCOUNT_ID = "account_id"
    CONVERSATION_ID = "conversation_id"
    BOT_ID = "bot_id"
    TURN_ID = "turn_id"
    TENANT = "tenant"
    GROUP = "group"
    ATTRIBUTE = "attribute"
    TIME = "time"


class Operator(StrEnum):
    """How a matcher compares."""

    CONTAINS_ANY = "contains_any"
    CONTAINS_ALL = "contains_all"
    MATCHES_REGEX = "matches_regex"
    EQUALS = "equals"
    NOT_EQUALS = "not_equals"
    IN = "in"
    NOT_IN = "not_in"
    STARTS_WITH = "starts_with"
    ENDS_WITH = "ends_with"
    GREATER_THAN = "greater_than"
    LESS_THAN = "less_than"
    IS_TRUE = "is_true"
    IS_FALSE = "is_false"
    EXISTS = "exists"
    PERCENTAGE = "percentage"
    BETWEEN_TIMES = "between_times"


@dataclass(frozen=True, slots=True)
class MatcherRow:
    """One condition: source, operator, value, negate.

    Rows with the same `condition_set` are ANDed, sets are ORed. `attribute` is a dotted path, used with the source
    `attribute` only. `ignore_case` and `normalise` default by operator when None (see `matchers`).
    """

    source: str
    operator: str
    value: JsonValue = None
    attribute: str = ""
    condition_set: int = 1
    negate: bool = False
    ignore_case: bool | None = None
    whole_word: bool = False
    normalise: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class GroupRules:
    """When one group applies. `match` is `always`, `rules`, or the name of a registered matcher with `params`."""

    name: str
    match: str
    rows: tuple[MatcherRow, ...] = ()
    params: JsonObject = field(default_factory=dict)
    restricts_access: bool = False


@dataclass(frozen=True, slots=True)
class MatcherOutcome:
    """What came of one row: `seen` is the value it read, `problem` a sentence when the row is broken."""

    row: MatcherRow
    result: bool
    seen: JsonValue = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ConditionSetOutcome:
    """What came of one condition set, with every row of it, also those after the first false one."""

    number: int
    result: bool
    matchers: tuple[MatcherOutcome, ...]


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    """What came of one group: did it match, and does its access rule hold for this context.

    `access` is True for a group that restricts nothing. `condition_sets` is filled only when an explanation was
    asked for. `problems` are sentences for curators about broken rows.
    """

    name: str
    matched: bool
    access: bool
    reason: Reason
    condition_sets: tuple[ConditionSetOutcome, ...] = ()
    problems: tuple[str, ...] = ()
