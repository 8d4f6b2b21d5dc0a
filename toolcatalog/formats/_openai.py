"""What OpenAI's two interfaces have in common: names, descriptions, schemas and strict mode."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.tools import ToolDefinition

from ._names import LETTERS, WORD_AND_HYPHEN, NameRule
from ._notes import Notes
from ._schemas import OPENAI_STRICT, Schema, fill_items
from ._writing import PARAMETERS, prepare_parameters, write_description, write_strictly

MAX_TOOLS = 128
MAX_DESCRIPTION = 1024
"""Newer models take more; the older ones and Azure refuse the whole request."""

NAME_RULE = NameRule(WORD_AND_HYPHEN, first=LETTERS, prefix="t", stem="tool")
"""OpenAI's own rule allows any of these characters first; of those who speak its language, some want a letter."""


@dataclass(frozen=True, slots=True)
class OpenAIFunction:
    """The parts of one function, before they are put in the form of an interface."""

    description: dict[str, str]
    parameters: Schema
    is_strict: bool
    arguments: ArgumentMap


def write_function(tool: ToolDefinition, *, strict: bool, notes: Notes) -> OpenAIFunction:
    """Write a tool's description and parameters, strictly where that is asked for and refuses nothing it should not."""
    root = prepare_parameters(tool, notes, inline=False)
    rules = (*root.rules, *tool.closing)
    description = write_description(tool.description, rules, notes, limit=MAX_DESCRIPTION)
    written = write_strictly(root.schema, OPENAI_STRICT, notes, is_exact=root.is_exact) if strict else None
    if written is None:
        return OpenAIFunction(description, fill_items(root.schema, PARAMETERS, notes), False, ArgumentMap())
    parameters, null_means_absent = written
    return OpenAIFunction(description, parameters, True, ArgumentMap(null_means_absent=null_means_absent))
