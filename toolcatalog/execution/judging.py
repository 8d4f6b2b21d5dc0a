"""What becomes of one call of a model: answered here, run here, given back to the caller, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from toolcatalog.contract.catalog import Disclosure, Execution, ToolContent, ToolRecord
from toolcatalog.contract.conversation import ToolCall
from toolcatalog.contract.errors import Conflict, FieldError
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.reasons import Reason
from toolcatalog.formats import restore_arguments
from toolcatalog.text import META_TOOL_NAMES

from .arguments import check_arguments
from .situation import NO_ARGUMENT_MAP, ShownTool, Situation

SEARCH_TOOLS, EXECUTE_DYNAMIC_TOOL = META_TOOL_NAMES
ADVICE = "Search for the tool first, and call it once its definition has been given to you."
UNREADABLE = "The arguments are not a JSON object. Write them as one."


class Fate(Enum):
    """The ways a call can go."""

    SEARCH = auto()
    META_SEARCH = auto()
    RUN = auto()
    UNHANDLED = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """One call with its fate.

    `name` is the catalog name, `exported_name` what the model wrote. `code`, `text` and `errors` say why it is refused,
    in words for the model. `via_meta` marks a call that came through `execute_dynamic_tool`.
    """

    call: ToolCall
    fate: Fate
    name: str
    arguments: JsonObject
    tool: ToolRecord | None = None
    content: ToolContent | None = None
    revision: int | None = None
    shown: ShownTool | None = None
    code: str = ""
    text: str = ""
    errors: tuple[FieldError, ...] = ()
    via_meta: bool = False

    @property
    def exported_name(self) -> str:
        return self.call.name


def judge_call(situation: Situation, call: ToolCall) -> JudgedCall:
    """Decide one call.

    Raises Conflict `snapshot_required` where nothing says what was shown and the gate is on (X2).
    """
    if call.name in situation.entry_names:
        return JudgedCall(call, Fate.SEARCH, call.name, call.arguments or {})
    if situation.disclosure is Disclosure.META and call.name in META_TOOL_NAMES:
        return _judge_meta(situation, call)
    shown = situation.shown.find(call.name) if situation.shown is not None else None
    name = shown.name if shown is not None else situation.names.read(call.name)
    is_callers = shown is not None and shown.is_callers
    if is_callers or (situation.shown is None and situation.catalog.find(name) is None):
        return _give_back(call, name, shown)
    return judge_tool(situation, call, name, call.arguments, shown)


def _judge_meta(situation: Situation, call: ToolCall) -> JudgedCall:
    arguments = call.arguments or {}
    if call.name == SEARCH_TOOLS:
        return JudgedCall(call, Fate.META_SEARCH, call.name, arguments)
    name, inner = arguments.get("tool_name"), arguments.get("tool_input", {})
    if not isinstance(name, str) or not name.strip():
        return _refuse(call, call.name, "missing_tool_name", "Give `tool_name`: a name that search_tools answered.")
    wanted = inner if isinstance(inner, dict) else None
    return judge_tool(situation, call, situation.names.read(name), wanted, None, via_meta=True)


def _give_back(call: ToolCall, name: str, shown: ShownTool | None) -> JudgedCall:
    """A tool of the caller's own: arguments get their own names back, and are for the caller to check."""
    if call.arguments is None:
        return _refuse(call, name, "unreadable_arguments", UNREADABLE)
    how = shown.arguments if shown is not None else NO_ARGUMENT_MAP
    return JudgedCall(call, Fate.UNHANDLED, name, restore_arguments(call.arguments, how), shown=shown)


def judge_tool(
    situation: Situation,
    call: ToolCall,
    name: str,
    arguments: JsonObject | None,
    shown: ShownTool | None,
    *,
    via_meta: bool = False,
) -> JudgedCall:
    """Decide the call of a catalog tool: was it shown, is it permitted now, are the arguments in order, who runs it."""
    refusal = find_refusal(situation, name)
    if refusal is not None:
        return _refuse(call, name, *refusal, via_meta=via_meta)
    decision = situation.permission.decide(name)
    tool, content = decision.tool, decision.content
    if tool is None or content is None:
        raise AssertionError(f"{name} was allowed without a tool")
    if arguments is None:
        return _refuse(call, name, "unreadable_arguments", UNREADABLE, tool=tool, via_meta=via_meta)
    earlier = shown.revision if shown is not None and shown.revision != decision.revision else None
    checked = check_arguments(
        arguments,
        content.parameters,
        how=shown.arguments if shown is not None else NO_ARGUMENT_MAP,
        shown=None if earlier is None else (tool.id, earlier),
    )
    callers_to_check = tool.execution is Execution.CLIENT and not via_meta
    if checked.errors and not callers_to_check:
        code = "stale_definition" if checked.stale else "invalid_arguments"
        text = describe_errors(checked.errors, stale=checked.stale)
        return _refuse(call, name, code, text, tool=tool, errors=checked.errors, via_meta=via_meta)
    return JudgedCall(
        call=call,
        fate=Fate.UNHANDLED if tool.execution is Execution.CLIENT else Fate.RUN,
        name=name,
        arguments=checked.arguments,
        tool=tool,
        content=content,
        revision=decision.revision,
        shown=shown,
        errors=checked.errors,
        via_meta=via_meta,
    )


def find_refusal(situation: Situation, name: str) -> tuple[str, str] | None:
    """(code, words for the model) when the tool may not be called now, else None.

    What is not known, not granted or not shown is refused in one way: nothing is said of what exists (X1).
    Raises Conflict `snapshot_required`.
    """
    if situation.profile.execute_gate:
        if not situation.has_evidence:
            raise Conflict("Say by `snapshot_id` or `session_id` what the model was shown.", code="snapshot_required")
        if not situation.was_shown(name):
            return "not_exposed", f"There is no tool of that name for you now. {ADVICE}"
    reason = situation.permission.decide(name).reason
    if reason is None:
        return None
    if reason in (
        Reason.UNKNOWN,
        Reason.NOT_GRANTED,
        Reason.HIDDEN_BY_OWN,
        Reason.ACCESS_RESTRICTED,
        Reason.OUT_OF_SCOPE,
    ):
        return "not_permitted", f"There is no tool of that name for you now. {ADVICE}"
    return reason.lower(), f"The tool is not available now. {ADVICE}"


def describe_errors(errors: Sequence[FieldError], *, stale: bool) -> str:
    """What is wrong with arguments, in words for the model."""
    found = " ".join(f"{error.path}: {error.message}" for error in errors)
    if stale:
        return f"The tool's definition has changed since it was given to you. Get it again. {found}"
    return f"The arguments do not fit the tool's definition. {found}"


def _refuse(
    call: ToolCall,
    name: str,
    code: str,
    text: str,
    *,
    tool: ToolRecord | None = None,
    errors: tuple[FieldError, ...] = (),
    via_meta: bool = False,
) -> JudgedCall:
    return JudgedCall(
        call,
        Fate.REFUSED,
        name,
        call.arguments or {},
        tool=tool,
        code=code,
        text=text,
        errors=errors,
        via_meta=via_meta,
    )
