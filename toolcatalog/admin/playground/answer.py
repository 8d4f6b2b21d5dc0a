"""What the resolver decided, put into words. Nothing is decided here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from django.urls import reverse
from django.utils.translation import gettext

from toolcatalog.admin.differences import show_value
from toolcatalog.admin.reasons import ReasonWords, describe_reason, is_good
from toolcatalog.admin.rule_words import say_rules
from toolcatalog.admin.translating import translate_sentence
from toolcatalog.contract.matching import RULES, ConditionSetOutcome, GroupRules, MatcherOutcome
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Usage
from toolcatalog.resolution import Resolution, TenantCatalog, measure_usage
from toolcatalog.resolution.availability import find_reason
from toolcatalog.resolution.exporting import SentTool
from toolcatalog.resolution.profiles import JudgedGroup


@dataclass(frozen=True, slots=True)
class ToolLine:
    """One tool that is sent. `url` leads to its page, where there is one."""

    name: str
    exported_name: str
    title: str
    description: str
    reasons: tuple[ReasonWords, ...]
    groups: tuple[str, ...]
    tokens: int
    version: str
    url: str
    definition: str


@dataclass(frozen=True, slots=True)
class MatcherLine:
    """One condition: what it says, what came of it, what it saw and what it wanted."""

    sentence: str
    result: bool
    seen: str
    wanted: str
    problem: str


@dataclass(frozen=True, slots=True)
class SetLine:
    """One condition set."""

    number: int
    result: bool
    matchers: tuple[MatcherLine, ...]


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group of the profile."""

    name: str
    url: str
    matched: bool
    restricts: bool
    access: bool
    reason: ReasonWords
    words: str
    tools: tuple[str, ...]
    sets: tuple[SetLine, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutLine:
    """One tool that was named or up front, and is not sent."""

    name: str
    reason: ReasonWords


@dataclass(frozen=True, slots=True)
class ToolVerdict:
    """The answer to "why is this tool not there?": sent now, available but not sent, or out of reach."""

    name: str
    is_sent: bool
    is_available: bool
    reason: ReasonWords
    url: str


@dataclass(frozen=True, slots=True)
class PlaygroundAnswer:
    """Everything that the page shows of one request."""

    profile: str
    catalog_revision: int
    tools: tuple[ToolLine, ...]
    groups: tuple[GroupLine, ...]
    additions: tuple[str, ...]
    omitted: tuple[OutLine, ...]
    notices: tuple[str, ...]
    problems: tuple[str, ...]
    usage: Usage
    search: str
    searchable: int
    request: str

    @property
    def matched(self) -> tuple[GroupLine, ...]:
        """The groups that matched."""
        return tuple(group for group in self.groups if group.matched)


def describe_answer(catalog: TenantCatalog, resolution: Resolution) -> PlaygroundAnswer:
    """The whole answer in words."""
    return PlaygroundAnswer(
        profile=resolution.reading.profile.slug,
        catalog_revision=catalog.stamp.revision,
        tools=tuple(_describe_tool(tool) for tool in resolution.sent.tools),
        groups=tuple(_describe_group(group) for group in resolution.groups),
        additions=tuple(addition for addition in resolution.additions if addition.strip()),
        omitted=tuple(OutLine(omission.name, describe_reason(omission.reason)) for omission in resolution.omitted),
        notices=tuple(translate_sentence(notice.detail) for notice in resolution.notices),
        problems=tuple(translate_sentence(problem) for problem in resolution.reading.problems),
        usage=measure_usage(resolution),
        search=_describe_search(resolution),
        searchable=len(resolution.permission.search_scope().ids),
        request=_show_request(resolution),
    )


def _describe_tool(sent: SentTool) -> ToolLine:
    line, decision = sent.line, sent.line.decision
    tool, content = (decision.tool, decision.content) if decision else (None, None)
    return ToolLine(
        name=line.name,
        exported_name=sent.tool.name,
        title=content.title if content else "",
        description=content.description if content else str(describe_reason(line.reasons[0]).sentence),
        reasons=tuple(describe_reason(reason) for reason in line.reasons),
        groups=line.groups,
        tokens=sent.tokens,
        version=content.version if content else "",
        url=reverse("admin:toolcatalog_tool_change", args=[tool.id]) if tool else "",
        definition=json.dumps(orjson.loads(sent.json), ensure_ascii=False, indent=2),
    )


def _describe_group(group: JudgedGroup) -> GroupLine:
    outcome, rules = group.outcome, group.record.rules
    return GroupLine(
        name=outcome.name,
        url=reverse("admin:toolcatalog_toolgroup_change", args=[group.record.id]),
        matched=outcome.matched,
        restricts=rules.restricts_access,
        access=outcome.access,
        reason=describe_reason(outcome.reason),
        words=str(say_rules(rules)),
        tools=group.record.tools,
        sets=tuple(_describe_set(rules.name, found) for found in outcome.condition_sets),
        problems=tuple(translate_sentence(problem) for problem in outcome.problems),
    )


def _describe_set(group: str, outcome: ConditionSetOutcome) -> SetLine:
    return SetLine(outcome.number, outcome.result, tuple(_describe_matcher(group, found) for found in outcome.matchers))


def _describe_matcher(group: str, outcome: MatcherOutcome) -> MatcherLine:
    words = say_rules(GroupRules(group, RULES, (outcome.row,)))
    return MatcherLine(
        sentence=words.sentences[0],
        result=outcome.result,
        seen=gettext("nothing") if outcome.seen is None else show_value(outcome.seen),
        wanted="" if outcome.row.value is None else show_value(outcome.row.value),
        problem=translate_sentence(outcome.problem) if outcome.problem else "",
    )


def _describe_search(resolution: Resolution) -> str:
    trace = resolution.found.trace
    origins: Mapping[str, str] = {
        "messages": gettext("The searches in the messages decided."),
        "session": gettext("The session remembered the searches."),
        "active_tools": gettext("The caller named the tools that it had found before."),
        "none": gettext("No search was made yet: found tools come after the model has searched."),
    }
    said = [origins.get(trace.source, trace.source)]
    if trace.names:
        said.append(gettext("Found: %(names)s.") % {"names": ", ".join(trace.names)})
    return " ".join(said)


def _show_request(resolution: Resolution) -> str:
    entries: Any = resolution.vendor_entries
    tools = resolution.reading.format.tools_request(entries, [sent.tool for sent in resolution.sent.tools])
    return json.dumps({**resolution.prompted.request, **tools}, ensure_ascii=False, indent=2, default=str)


def describe_verdict(resolution: Resolution, name: str) -> ToolVerdict:
    """May this request have the tool of this name, and is it sent?"""
    reason = find_reason(resolution, name)
    tool = resolution.permission.decide(name).tool
    return ToolVerdict(
        name=name,
        is_sent=is_good(reason),
        is_available=is_good(reason) or reason is Reason.NO_MATCH,
        reason=describe_reason(reason),
        url=reverse("admin:toolcatalog_tool_change", args=[tool.id]) if tool else "",
    )
