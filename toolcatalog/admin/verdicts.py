"""What each vendor would make of a tool."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import FORMATS
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
    definition = ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        title=tool.title,
        output_schema=tool.output_schema,
        annotations=tool.annotations or {},
        category=tool.category.slug if tool.category else None,
    )
    verdicts = []
    for format_ in FORMATS.values():
        name = format_.export_name(tool.name)
        findings = format_.check_tool(definition, name)
        is_refused = any(finding.fatal for finding in findings)
        sentences = tuple(dict.fromkeys(translate_sentence(finding.message) for finding in findings))
        verdicts.append(Verdict(gettext(format_.label), name, is_refused, sentences))
    return verdicts
