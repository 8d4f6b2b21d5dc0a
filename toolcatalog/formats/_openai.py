"""What OpenAI's two interfaces have in common: names, descriptions, schemas and strict mode."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.tools import ToolDefinition

from ._names import LETTERS, WORD_AND_HYPHEN, NameRule
from ._notes import Notes
from ._schemas import OPENAI_STRICT, NotStrictError, Schema, fill_items, make_strict
from ._writing import PARAMETERS, inline_root, prepare_parameters, write_description

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
    if strict:
        try:
            parameters, null_means_absent = make_strict(inline_root(root.schema, notes), PARAMETERS, OPENAI_STRICT)
        except NotStrictError as reason:
            note_not_strict(notes, reason)
        else:
            return OpenAIFunction(description, parameters, True, ArgumentMap(null_means_absent=null_means_absent))
    return OpenAIFunction(description, fill_items(root.schema, PARAMETERS, notes), False, ArgumentMap())


def note_not_strict(notes: Notes, reason: NotStrictError) -> None:
    """Say why a tool is not sent in strict mode."""
    message = f"{notes.label} cannot check this tool strictly: {reason.path} {reason.reason}. It is sent without."
    notes.add("not_strict", reason.path, message)
