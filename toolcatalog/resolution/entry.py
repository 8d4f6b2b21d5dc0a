"""The entry tool: the one tool through which a model searches, and the words that tell it how."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.catalog import ProfileRecord, SearchSettings
from toolcatalog.contract.tools import ToolDefinition

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


@dataclass(frozen=True, slots=True)
class EntryTool:
    """What decides the entry tool's definition: search settings, and the categories that hold a searchable tool."""

    search: SearchSettings
    categories: tuple[str, ...]


def define_entry_tool(entry: EntryTool) -> ToolDefinition:
    """The entry tool's definition (T6)."""
    search = entry.search
    shown = ", ".join(entry.categories[:MAX_CATEGORIES])
    note = f"Looks only in this category. One of: {shown}." if shown else "Looks only in this category."
    return ToolDefinition(
        name=search.entry_tool,
        description=DESCRIPTION,
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The capability that is needed, in a few words."},
                "maxResults": {
                    "type": "integer",
                    "description": f"How many names, 1 to {search.max_results}. Default {search.default_results}.",
                },
                "category": {"type": "string", "description": note},
            },
            "required": ["query"],
        },
    )


def search_instructions(profile: ProfileRecord, exported_entry: str) -> str:
    """What the model is told about searching (R12): the profile's own words, or the built-in ones."""
    suffix = profile.search.suffix
    return SUFFIX.replace("{entry}", exported_entry) if suffix is None else suffix
