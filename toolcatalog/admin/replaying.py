"""What an earlier request would be answered today, in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.replay import ChangedTool, ReplayAnswer
from toolcatalog.contract.resolve import Caller
from toolcatalog.models import Exposure
from toolcatalog.resolution import replay_exposure

from .differences import Piece, compare_texts
from .reasons import ReasonWords, describe_reason
from .translating import translate_sentence

FIELDS = {
    "definition": _("definition"),
    "exported_name": _("exported name"),
    "version": _("version"),
    "revision": _("revision"),
    "reasons": _("reasons"),
    "groups": _("groups"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A tool or group, and why it is in or out, or in what it differs."""

    name: str
    reasons: tuple[ReasonWords, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """What differs between then and today; `problem` where the request cannot be answered again."""

    problem: str = ""
    same: bool = False
    answer: ReplayAnswer | None = None
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
    changed: tuple[Line, ...] = ()
    groups_added: tuple[str, ...] = ()
    groups_removed: tuple[Line, ...] = ()
    groups_changed: tuple[Line, ...] = ()
    prompt: tuple[Piece, ...] = ()


def replay(exposure: Exposure) -> Replay:
    """Resolve the exposure's request again, with an auditor's eyes."""
    caller = Caller(tenant_id=exposure.tenant_id, scopes=frozenset({"resolve", "curate", "audit"}))
    try:
        answer = replay_exposure(exposure.pk, caller)
    except ToolCatalogError as error:
        return Replay(problem=translate_sentence(error.detail))
    tools, groups, prompt = answer.tools, answer.groups, answer.system_prompt
    return Replay(
        same=answer.same,
        answer=answer,
        added=tuple(Line(tool.name, tuple(map(describe_reason, tool.reasons))) for tool in tools.added),
        removed=tuple(Line(tool.name, (describe_reason(tool.reason),)) for tool in tools.removed),
        changed=tuple(Line(tool.name, note=_say_fields(tool)) for tool in tools.changed),
        groups_added=groups.added,
        groups_removed=tuple(Line(group.name, (describe_reason(group.reason),)) for group in groups.removed),
        groups_changed=tuple(
            Line(group.name, note=_say_revisions(group.revision.then, group.revision.now)) for group in groups.changed
        ),
        prompt=tuple(compare_texts(prompt.then, prompt.now)) if prompt.changed else (),
    )


def _say_fields(tool: ChangedTool) -> str:
    fields = ", ".join(str(FIELDS.get(name, name)) for name in tool.fields)
    return f"{fields} ({_say_revisions(tool.revision.then, tool.revision.now)})"


def _say_revisions(then: int | None, now: int | None) -> str:
    if then == now:
        return gettext("revision %(number)s") % {"number": now}
    return gettext("revision %(then)s then, %(now)s now") % {"then": then, "now": now}
