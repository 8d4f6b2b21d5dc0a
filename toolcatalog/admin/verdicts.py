"""What each vendor would make of a tool."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from toolcatalog.curation import define_tool, judge_alone
from toolcatalog.models import Tool

from .translating import translate_sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """One vendor's verdict: `sent_as` is the name there; without sentences the tool goes as it stands."""

    label: str
    sent_as: str
    is_refused: bool
    sentences: tuple[str, ...]


def judge_tool(tool: Tool) -> list[Verdict]:
    """What every format says of the stored tool, looked at alone."""
    return [
        Verdict(
            gettext(verdict.label),
            verdict.sent_as,
            verdict.is_refused,
            tuple(dict.fromkeys(translate_sentence(finding.message) for finding in verdict.findings)),
        )
        for verdict in judge_alone(define_tool(tool))
    ]
