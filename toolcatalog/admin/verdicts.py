"""What each vendor would make of a tool."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from toolcatalog.contract.export import Finding
from toolcatalog.curation import define_tool, judge_alone, suggest
from toolcatalog.models import Tool

from .translating import translate_sentence


@dataclass(frozen=True, slots=True)
class Change:
    """What one vendor changes, and what to do about it ("": nothing is lost)."""

    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One vendor's verdict: `sent_as` is the name there; without changes the tool goes as it stands."""

    label: str
    sent_as: str
    is_refused: bool
    changes: tuple[Change, ...]


def judge_tool(tool: Tool) -> list[Verdict]:
    """What every format says of the stored tool, looked at alone."""
    return [
        Verdict(
            gettext(verdict.label),
            verdict.sent_as,
            verdict.is_refused,
            tuple(dict.fromkeys(map(_describe, verdict.findings))),
        )
        for verdict in judge_alone(define_tool(tool))
    ]


def _describe(finding: Finding) -> Change:
    return Change(translate_sentence(finding.message), translate_sentence(suggest(finding)))
