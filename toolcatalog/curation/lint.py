"""Warnings about poor metadata (T17). They never refuse a save: the curator decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from toolcatalog.callbacks import can_run
from toolcatalog.contract.catalog import Execution
from toolcatalog.models import AgentProfile, Tool, ToolGroup
from toolcatalog.text import name_key, normalise_text

from .schemas import walk_schema

VAGUE_NAMES = frozenset(
    {"handle", "process", "do", "run", "execute", "perform", "action", "tool", "function", "helper", "util"}
)


@dataclass(frozen=True, slots=True)
class ToolWarning:
    """One weakness: `path` is the part of the tool, `message` says what would be better."""

    path: str
    code: str
    message: str


def lint_tool(tool: Tool) -> tuple[ToolWarning, ...]:
    """Everything about a saved tool that makes it hard to find or to choose."""
    return (
        *_lint_name(tool),
        *_lint_description(tool),
        *_lint_parameters(tool),
        *_lint_labels(tool),
        *_lint_neighbours(tool),
        *_lint_callback(tool),
    )


def _lint_name(tool: Tool) -> Iterator[ToolWarning]:
    key = name_key(tool.name)
    if key in VAGUE_NAMES or (key.endswith("data") and key[:-4] in VAGUE_NAMES):
        yield ToolWarning(
            "name", "vague_name", f"“{tool.name}” says little. Name what is done to what, like get_order."
        )


def _lint_description(tool: Tool) -> Iterator[ToolWarning]:
    if not tool.description.strip():
        yield ToolWarning(
            "description", "no_description", "Models choose by the description. Say what it does and when."
        )
    elif name_key(tool.description.rstrip(".。! ")) == name_key(tool.name):
        yield ToolWarning(
            "description", "repeats_name", "The description only repeats the name. Say what it does and when."
        )


def _lint_parameters(tool: Tool) -> Iterator[ToolWarning]:
    for path, node in walk_schema(tool.parameters, "parameters"):
        properties = node.get("properties")
        if not isinstance(properties, dict):
            continue
        for name, schema in properties.items():
            text = schema.get("description") if isinstance(schema, dict) else None
            if isinstance(text, str) and text.strip() and name_key(text.rstrip(".。! ")) == name_key(name):
                where = f"{path}.properties.{name}.description"
                yield ToolWarning(
                    where, "repeats_name", f"The text of “{name}” only repeats its name. Say what to put in."
                )


def _lint_labels(tool: Tool) -> Iterator[ToolWarning]:
    if tool.category_id is None and not tool.tags.exists():
        yield ToolWarning("category", "no_labels", "Without a category and tags the tool is hard to find. Give it one.")


def _lint_callback(tool: Tool) -> Iterator[ToolWarning]:
    if tool.execution == Execution.CALLBACK and not can_run(Execution.CALLBACK, tool.callback):
        message = f"Not executable: there is no callback “{tool.callback}” here. Models do not see the tool."
        yield ToolWarning("callback", "not_executable", message)


def _lint_neighbours(tool: Tool) -> Iterator[ToolWarning]:
    others = Tool.objects.filter(owner=tool.owner).exclude(pk=tool.pk)
    for name in others.filter(_alike_names(tool.name)).values_list("name", flat=True)[:100]:
        if name_key(name) == name_key(tool.name):
            yield ToolWarning("name", "similar_name", f"“{name}” differs only in letter case or separators.")
    text = normalise_text(tool.description)
    if text:
        twin = others.filter(description__iexact=tool.description).values_list("name", flat=True).first()
        if twin is not None:
            yield ToolWarning(
                "description", "near_duplicate", f"“{twin}” has the same description. Say how they differ."
            )


def _alike_names(name: str) -> Q:
    """A cheap pre-filter: names with the same letters apart from case and separators share their first characters."""
    return Q(name__istartswith=name[:1]) & Q(name__iendswith=name[-1:])


def lint_rename(tool: Tool, name: str) -> list[ToolWarning]:
    """What still says the tool's present name when it is called `name` from now on: prompts and search settings."""
    if name == tool.name:
        return []
    warnings = []
    prompts = prompts_that_mention(tool) if tool.owner_id else []
    if prompts:
        message = f"Prompts still say “{tool.name}”: of the groups {', '.join(prompts)}. Mend them too."
        warnings.append(ToolWarning("name", "mentioned_in_prompts", message))
    excluding = AgentProfile.objects.filter(tenant=tool.owner_id, exclude_tools__contains=[tool.name])
    profiles = list(excluding.values_list("slug", flat=True))
    if profiles:
        message = f"Profiles keep “{tool.name}” out of search by its name: {', '.join(profiles)}. Mend them too."
        warnings.append(ToolWarning("name", "excluded_by_name", message))
    return warnings


def prompts_that_mention(tool: Tool) -> list[str]:
    """The names of groups whose prompt speaks of the tool by name: they break when it is renamed."""
    usable = Q(owner=tool.owner) if tool.owner_id else Q()
    groups = ToolGroup.objects.filter(usable, system_prompt__contains=tool.name)
    return list(groups.values_list("name", flat=True))
