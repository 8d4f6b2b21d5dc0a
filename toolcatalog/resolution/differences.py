"""Compares the record of an answer with the answer of today. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from toolcatalog.auditing import StoredRequest
from toolcatalog.contract.json import dump_canonical_json
from toolcatalog.contract.reasons import Reason, soften_reason
from toolcatalog.contract.replay import (
    AddedTool,
    ChangedGroup,
    ChangedTool,
    GroupDifferences,
    Numbers,
    PromptDifference,
    RemovedGroup,
    RemovedTool,
    ReplayAnswer,
    ToolDifferences,
)
from toolcatalog.contract.resolve import Caller
from toolcatalog.formats import join_additions
from toolcatalog.text import count_model_tokens

from .availability import find_reason
from .decided import Resolution
from .snapshot import snapshot_body

Body = Mapping[str, Any]
COMPARED = ("definition", "exported_name", "version", "revision", "reasons", "groups")


def compare(stored: StoredRequest, resolution: Resolution, caller: Caller) -> ReplayAnswer:
    """What differs between the record and today's answer, which is brought into the form of a record."""
    catalog = resolution.permission.catalog
    then, now = stored.snapshot.body, orjson.loads(snapshot_body(catalog.tenant, resolution))
    tools = _compare_tools(then, now, resolution, caller)
    groups = _compare_groups(then, now, resolution)
    additions = [join_additions(body["additions"]) for body in (then, now)]
    prompt = PromptDifference(additions[0] != additions[1], *additions)
    return ReplayAnswer(
        exposure_id=stored.snapshot.id,
        same=not (_any(tools) or _any(groups) or prompt.changed),
        catalog_revision=Numbers(stored.catalog_revision, catalog.stamp.revision),
        tools=tools,
        groups=groups,
        system_prompt=prompt,
        tokens=Numbers(_count_tokens(then), _count_tokens(now)),
        notices=resolution.notices,
    )


def _any(differences: ToolDifferences | GroupDifferences) -> bool:
    return any(getattr(differences, name) for name in differences.__slots__)


def _count_tokens(body: Body) -> int:
    definitions = (dump_canonical_json(tool["definition"]).decode() for tool in body["tools"])
    return sum(map(count_model_tokens, (*definitions, join_additions(body["additions"]))))


def _disclosed(body: Body) -> dict[str, Body]:
    return {tool["name"]: tool for tool in (*body.get("found", ()), *body["tools"])}


def _compare_tools(then: Body, now: Body, resolution: Resolution, caller: Caller) -> ToolDifferences:
    before, after = _disclosed(then), _disclosed(now)
    both = [name for name in before if name in after]
    deferred = [list(body.get("deferred", ())) for body in (then, now)]
    return ToolDifferences(
        added=tuple(
            AddedTool(name, tuple(map(Reason, after[name]["reasons"]))) for name in after if name not in before
        ),
        removed=tuple(RemovedTool(name, _explain(resolution, name, caller)) for name in before if name not in after),
        changed=tuple(change for name in both if (change := _compare_tool(before[name], after[name])) is not None),
        order_changed=both != [name for name in after if name in before],
        deferred_added=_missing(deferred[1], deferred[0]),
        deferred_removed=_missing(deferred[0], deferred[1]),
    )


def _describe_added(tool: Body) -> AddedTool:
    return AddedTool(tool["name"], tuple(Reason(reason) for reason in tool["reasons"]))


def _missing(names: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    known = frozenset(others)
    return tuple(name for name in names if name not in known)


def _explain(resolution: Resolution, name: str, caller: Caller) -> Reason:
    reason = find_reason(resolution, name)
    return reason if caller.may_curate else soften_reason(reason)


def _compare_tool(then: Body, now: Body) -> ChangedTool | None:
    """The caller's own tools come from the record themselves: of them only the place among others can differ."""
    compared = COMPARED[1:] if Reason.CALLER in then["reasons"] else COMPARED
    fields = tuple(field for field in compared if then.get(field) != now.get(field))
    if not fields:
        return None
    return ChangedTool(then["name"], fields, Numbers(then.get("revision"), now.get("revision")))


def _compare_groups(then: Body, now: Body, resolution: Resolution) -> GroupDifferences:
    before = {group["name"]: group["revision"] for group in then["groups"]}
    after = {group["name"]: group["revision"] for group in now["groups"]}
    reasons = {group.record.name: group.outcome.reason for group in resolution.groups}
    return GroupDifferences(
        added=_missing(list(after), list(before)),
        removed=tuple(RemovedGroup(name, reasons.get(name, Reason.UNKNOWN)) for name in before if name not in after),
        changed=tuple(
            ChangedGroup(name, Numbers(revision, after[name]))
            for name, revision in before.items()
            if name in after and after[name] != revision
        ),
    )
