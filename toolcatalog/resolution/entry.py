"""The entry tool: the one tool through which a model searches, and the words that tell it how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from toolcatalog.contract.catalog import Disclosure, ProfileRecord, SearchSettings
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.text import META_TOOL_NAMES

MAX_CATEGORIES = 30

DESCRIPTION = (
    "Searches the tool catalog for a capability that none of the visible tools has. The answer is a JSON array of "
    "tool names only, best first; [] means that nothing fits. Their full definitions come with your next turn: call "
    "them only then. Searching runs nothing."
)
SUFFIX = (
    "More tools exist than you can see. When no visible tool fits the task, call {entry} with a few words that name "
    "the capability you need. If it finds nothing, try once more with other words. Never assume that a tool exists, "
    "and call a tool only after its definition has been given to you."
)


META_SUFFIX = (
    "More tools exist than you can see. When no visible tool fits the task, call search_tools with a few words that "
    "name the capability you need; its answer holds the definitions. Then run one with execute_dynamic_tool, with "
    "arguments that fit its input_schema. If nothing is found, search once more with other words. Never assume that a "
    "tool exists."
)
MOST_META_RESULTS = 20


class EntryKind(Enum):
    """The tools by which a model reaches the rest of the catalog."""

    SEARCH = auto()
    META_SEARCH = auto()
    META_EXECUTE = auto()


@dataclass(frozen=True, slots=True)
class EntryTool:
    """What decides the definition: search settings, and the categories that hold a searchable tool for this caller."""

    search: SearchSettings
    categories: tuple[str, ...]
    kind: EntryKind = EntryKind.SEARCH

    @property
    def name(self) -> str:
        if self.kind is EntryKind.SEARCH:
            return self.search.entry_tool
        return META_TOOL_NAMES[self.kind is EntryKind.META_EXECUTE]


def define_entry_tool(entry: EntryTool) -> ToolDefinition:
    """The definition of an entry tool (T6), or of one of the meta tools (X6)."""
    if entry.kind is EntryKind.SEARCH:
        return _define_search(entry)
    return _define_meta_search(entry) if entry.kind is EntryKind.META_SEARCH else _define_meta_execute(entry)


def _define_search(entry: EntryTool) -> ToolDefinition:
    search = entry.search
    return ToolDefinition(
        name=entry.name,
        description=DESCRIPTION,
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The capability that is needed, in a few words."},
                "maxResults": {
                    "type": "integer",
                    "description": f"How many names, 1 to {search.max_results}. Default {search.default_results}.",
                },
                "category": {"type": "string", "description": _describe_categories(entry)},
            },
            "required": ["query"],
        },
    )


def _define_meta_search(entry: EntryTool) -> ToolDefinition:
    most = min(entry.search.max_results, MOST_META_RESULTS)
    return ToolDefinition(
        name=entry.name,
        description=(
            "Searches the tool catalog for a capability that none of the visible tools has, and answers with the "
            "definitions of the tools that fit, best first. Searching runs nothing."
        ),
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The capability that is needed, in a few words."},
                "category": {"type": "string", "description": _describe_categories(entry)},
                "max_results": {"type": "integer", "description": f"How many tools, 1 to {most}."},
            },
            "required": ["query"],
        },
    )


def _define_meta_execute(entry: EntryTool) -> ToolDefinition:
    return ToolDefinition(
        name=entry.name,
        description="Runs one tool that search_tools has found in this conversation.",
        parameters={
            "type": "object",
            "properties": {
                "tool_name": {"type": "string", "description": "The name, exactly as search_tools gave it."},
                "tool_input": {
                    "type": "object",
                    "description": "The arguments; they must fit the tool's input_schema.",
                },
            },
            "required": ["tool_name", "tool_input"],
        },
    )


def _describe_categories(entry: EntryTool) -> str:
    shown = ", ".join(entry.categories[:MAX_CATEGORIES])
    return f"Looks only in this category. One of: {shown}." if shown else "Looks only in this category."


def search_instructions(profile: ProfileRecord, disclosure: Disclosure, exported_entry: str) -> str:
    """What the model is told about searching (R12): the profile's own words, or the built-in ones."""
    if profile.search.suffix is not None:
        return profile.search.suffix
    return META_SUFFIX if disclosure is Disclosure.META else SUFFIX.replace("{entry}", exported_entry)
