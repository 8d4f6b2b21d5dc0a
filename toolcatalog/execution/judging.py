"""What becomes of one call of a model: answered here, run here, given back to the caller, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from toolcatalog.contract.catalog import Disclosure, Execution, ToolContent, ToolRecord
from toolcatalog.contract.conversation import ToolCall
from toolcatalog.contract.errors import Conflict, FieldError
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.reasons import Reason
from toolcatalog.formats import read_arguments, restore_arguments
from toolcatalog.text import META_TOOL_NAMES

from .arguments import check_arguments
from .situation import NO_ARGUMENT_MAP, ShownTool, Situation

SEARCH_TOOLS, EXECUTE_DYNAMIC_TOOL = META_TOOL_NAMES
SEARCH_FIRST = "Search for the tool first, and call it once its definition has been given to you."
ONLY_GIVEN = "Call only tools whose definition has been given to you."
NO_SUCH_TOOL = "There is no tool of that name for you now."
HIDING_REASONS = frozenset({Reason.UNKNOWN, Reason.ACCESS_RESTRICTED, Reason.OUT_OF_SCOPE})
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
    in words for the model. `inner_name` is the name inside a call of `execute_dynamic_tool`, None for all other calls.
    `is_known` is false where the name means nothing to this caller: then it is only text of the model.
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
    inner_name: str | None = None
    is_known: bool = True

    @property
    def exported_name(self) -> str:
        return self.inner_name or self.call.name

    @property
    def via_meta(self) -> bool:
        return self.inner_name is not None


def judge_call(situation: Situation, call: ToolCall) -> JudgedCall:
    """Decide one call.

    Raises Conflict `snapshot_required` where nothing says what was shown and the gate is on (X2).
    """
    if call.is_callers:
        return _give_back(call, call.name, None)
    if call.name in situation.entry_names:
        return JudgedCall(call, Fate.SEARCH, call.name, call.arguments or {})
    if situation.disclosure is Disclosure.META and call.name in META_TOOL_NAMES:
        return _judge_meta(situation, call)
    name, shown = situation.read_name(call.name)
    is_callers = shown is not None and shown.is_callers
    may_be_callers = situation.shown is None and situation.caller.runs_tools
    if is_callers or (may_be_callers and situation.decide(name).reason is Reason.UNKNOWN):
        return _give_back(call, name, shown)
    return judge_tool(situation, call, name, call.arguments, shown)


def judge_refused(situation: Situation, call: ToolCall, code: str) -> JudgedCall:
    """A call of a message that is refused as a whole, whatever becomes of its other calls."""
    name, shown = situation.read_name(call.name)
    tool = situation.decide(name).tool
    is_known = tool is not None or shown is not None or name in situation.entry_names or name in META_TOOL_NAMES
    return JudgedCall(
        call, Fate.REFUSED, name, call.arguments or {}, tool=tool, shown=shown, code=code, is_known=is_known
    )


def _judge_meta(situation: Situation, call: ToolCall) -> JudgedCall:
    arguments = call.arguments or {}
    if call.name == SEARCH_TOOLS:
        return JudgedCall(call, Fate.META_SEARCH, call.name, arguments)
    written = arguments.get("tool_name")
    if not isinstance(written, str) or not written.strip():
        text = "Give `tool_name`: a name that search_tools answered."
        return _refuse(call, call.name, "missing_tool_name", text, inner_name="")
    name, shown = situation.read_name(written)
    return judge_tool(situation, call, name, read_arguments(arguments.get("tool_input")), shown, inner_name=written)


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
    inner_name: str | None = None,
) -> JudgedCall:
    """Decide the call of a catalog tool: was it shown, is it permitted now, are the arguments in order, who runs it."""
    decision = situation.decide(name)
    judged = JudgedCall(
        call=call,
        fate=Fate.RUN,
        name=name,
        arguments=arguments or {},
        tool=decision.tool,
        content=decision.content,
        revision=decision.revision if decision.tool is not None else None,
        shown=shown,
        inner_name=inner_name,
        is_known=decision.reason is not Reason.UNKNOWN,
    )
    refusal = find_refusal(situation, name)
    if refusal is not None:
        return replace(judged, fate=Fate.REFUSED, code=refusal[0], text=refusal[1])
    if arguments is None:
        return replace(judged, fate=Fate.REFUSED, code="unreadable_arguments", text=UNREADABLE)
    return _judge_arguments(situation, judged, arguments)


def _judge_arguments(situation: Situation, judged: JudgedCall, arguments: JsonObject) -> JudgedCall:
    """The call with canonical arguments, refused where they do not fit and nobody else checks them."""
    tool, content, shown = judged.tool, judged.content, judged.shown
    if tool is None or content is None:
        raise AssertionError(f"{judged.name} was allowed without a tool")
    is_other = shown is not None and shown.revision is not None and shown.revision != judged.revision
    checked = check_arguments(
        arguments,
        content.parameters,
        how=shown.arguments if shown is not None else situation.argument_map(judged.name),
        shown=(tool.id, shown.revision) if is_other and shown is not None and shown.revision is not None else None,
    )
    is_callers_to_run = tool.execution is Execution.CLIENT
    judged = replace(
        judged,
        fate=Fate.UNHANDLED if is_callers_to_run else Fate.RUN,
        arguments=checked.arguments,
        errors=checked.errors,
    )
    if not checked.errors or (is_callers_to_run and not judged.via_meta):
        return judged
    code = "stale_definition" if checked.stale else "invalid_arguments"
    return replace(judged, fate=Fate.REFUSED, code=code, text=describe_errors(checked.errors, stale=checked.stale))


def find_refusal(situation: Situation, name: str) -> tuple[str, str] | None:
    """(code, words for the model) when the tool may not be called now, else None.

    In the words of the refusal nothing is said of what exists, unless the tool had been shown (X1).
    Raises Conflict `snapshot_required`.
    """
    advice = SEARCH_FIRST if situation.may_search else ONLY_GIVEN
    was_shown = situation.was_shown(name)
    if situation.profile.execute_gate:
        if not situation.has_evidence:
            raise Conflict("Say by `snapshot_id` or `session_id` what the model was shown.", code="snapshot_required")
        if not was_shown:
            return "not_exposed", f"{NO_SUCH_TOOL} {advice}"
    reason = situation.decide(name).reason
    if reason is None:
        return None
    code = "not_permitted" if reason in HIDING_REASONS else reason.lower()
    told = "The tool is not available now." if was_shown else NO_SUCH_TOOL
    return code, f"{told} {advice}"


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
    inner_name: str | None = None,
) -> JudgedCall:
    return JudgedCall(call, Fate.REFUSED, name, call.arguments or {}, code=code, text=text, inner_name=inner_name)
