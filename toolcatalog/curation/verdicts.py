"""What each provider makes of tools, before any of them is published: the check at save, at import and of a catalog."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from toolcatalog.contract.export import Finding
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import FORMATS, export_names
from toolcatalog.models import Category, Tenant, Tool, ToolGroup

from .documents import ToolDocument


@dataclass(frozen=True, slots=True)
class ProviderVerdict:
    """One provider's verdict on a tool: its name there, and what is changed; without findings it goes as it stands."""

    label: str
    sent_as: str
    findings: tuple[Finding, ...]

    @property
    def is_refused(self) -> bool:
        """Whether the tool cannot be sent to this provider at all."""
        return any(finding.fatal for finding in self.findings)


@dataclass(frozen=True, slots=True)
class ProviderProblem:
    """One deviation of one tool, with the groups that send the tool and what to do about it ("": nothing is lost)."""

    tool: str
    groups: tuple[str, ...]
    label: str
    finding: Finding
    suggestion: str

    def __str__(self) -> str:
        """The whole in a line."""
        groups = f" (groups: {', '.join(self.groups)})" if self.groups else ""
        size = "" if self.finding.limit is None else f" [{self.finding.length:,} of at most {self.finding.limit:,}]"
        parts = (f"{self.tool}{groups}: {self.label}:", f"{self.finding.message}{size}", self.suggestion)
        return " ".join(filter(None, parts))


def define_tool(tool: Tool | ToolDocument) -> ToolDefinition:
    """The tool as the formats take it."""
    category = tool.category.slug if isinstance(tool.category, Category) else tool.category
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        title=tool.title,
        output_schema=tool.output_schema,
        annotations=tool.annotations or {},
        category=category or None,
    )


def judge_alone(definition: ToolDefinition) -> tuple[ProviderVerdict, ...]:
    """What every provider says of a tool, looked at alone."""
    names = {name: format_.export_name(definition.name) for name, format_ in FORMATS.items()}
    return tuple(
        ProviderVerdict(format_.label, names[name], format_.check_tool(definition, names[name]))
        for name, format_ in FORMATS.items()
    )


def find_deviations(document: ToolDocument) -> tuple[Finding, ...]:
    """Everything that some provider would not take as it stands, by provider."""
    return tuple(finding for verdict in judge_alone(define_tool(document)) for finding in verdict.findings)


def check_for_providers(owner: Tenant | None) -> Iterator[ProviderProblem]:
    """The problems of all tools of one owner (None: shared ones), in every state, as they are sent together.

    Two queries, whatever the number of tools.
    """
    tools = list(Tool.objects.filter(owner=owner).select_related("category").order_by("name"))
    groups = _collect_groups(tools)
    for format_ in FORMATS.values():
        names = export_names(format_, (tool.name for tool in tools))
        for tool in tools:
            for finding in format_.check_tool(define_tool(tool), names[tool.name]):
                yield ProviderProblem(tool.name, groups[tool.pk], format_.label, finding, suggest(finding))


def _collect_groups(tools: Iterable[Tool]) -> defaultdict[int, tuple[str, ...]]:
    groups: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    pairs = ToolGroup.objects.filter(tools__in=[tool.pk for tool in tools]).values_list("tools", "name")
    for pk, name in pairs.order_by("name"):
        groups[pk] += (name,)
    return groups


def suggest(finding: Finding) -> str:
    """What a curator may do about a deviation; "" where nothing is lost."""
    template = _SUGGESTIONS.get(finding.code, "")
    if finding.code == "renamed" and finding.limit is not None:
        template = "Choose a name of at most {limit} characters."
    limit = "" if finding.limit is None else f"{finding.limit:,}"
    return template.format(limit=limit)


_SUGGESTIONS = {
    "argument_renamed": "Name the parameter with the letters a to z, digits and underscores.",
    "array_without_items": "Say under “items” what the array holds.",
    "deeply_nested": "Describe fewer levels.",
    "description_cut": "Shorten the description to {limit} characters, the most important first.",
    "hidden_character": "Write the name again by hand.",
    "malformed_keyword": "Correct or remove it.",
    "malformed_schema": "Correct or remove it.",
    "no_description": "Say what the tool does and when to call it.",
    "not_exportable": "Make the parameters simpler.",
    "reference_cut": "Describe fewer levels.",
    "reference_unknown": "Copy what it names into $defs.",
    "refused": "Make the parameters simpler.",
    "renamed": "Choose a name of letters, digits and underscores that begins with a letter.",
    "root_rule_in_words": "Make two tools of it, if each is one thing.",
    "schema_cut": "Take parameters away.",
    "union_left_out": "Offer fewer alternatives.",
}
