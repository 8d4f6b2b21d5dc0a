"""Building blocks for writing one tool: its description, its name and the schemas most providers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcatalog.contract.tools import ToolDefinition

from ._notes import Notes
from ._plain import copy_plain
from ._schemas import (
    COMBINATORS,
    NotStrictError,
    Root,
    Schema,
    StrictDialect,
    drop_unknown_refs,
    has_odd_refs,
    has_refs,
    inline_refs,
    make_strict,
    needs_repair,
    repair_root,
    tidy_schema,
)

PARAMETERS = "parameters"
CUT_MARK = "…"


def write_description(text: str, rules: Sequence[str], notes: Notes, *, limit: int | None = None) -> dict[str, str]:
    """The member that carries the description; none when it is blank, since some providers refuse an empty one.

    `rules` are sentences that come last and are never cut; `limit` counts code points.
    """
    described: str = copy_plain(text, "description")
    tail = " ".join(rules)
    if not described.strip():
        notes.add(
            "no_description", "description", "The tool has no description; a model can hardly tell when to call it."
        )
        described = ""
    whole = "\n\n".join(part for part in (described, tail) if part)
    if limit is not None and len(whole) > limit:
        notes.add(
            "description_cut",
            "description",
            f"{notes.label} takes {limit:,} characters of description; of these {len(whole):,} the end is cut off.",
            length=len(whole),
            limit=limit,
        )
        whole = _cut(described, tail, limit)
    return {"description": whole} if whole else {}


def write_name(exported_name: str) -> str:
    """The name, checked to be text that can be sent."""
    name: str = copy_plain(exported_name, "name")
    return name


def prepare_parameters(
    tool: ToolDefinition, notes: Notes, *, inline: bool, refused: Sequence[str] = COMBINATORS
) -> Root:
    """The parameters, tidy, as an object without the `refused` keywords around it; references inlined if `inline`.

    They are inlined in any case where the root has to be taken apart, and where they are of a kind that a provider with
    rules for the root may not understand. Raises NotPlainError.
    """
    schema = tidy_schema(tool.parameters, PARAMETERS, notes)
    takes_apart = needs_repair(schema, refused) or (bool(refused) and has_odd_refs(schema))
    if inline or (takes_apart and has_refs(schema)):
        schema, _ = inline_refs(schema, PARAMETERS, notes)
    else:
        schema = drop_unknown_refs(schema, PARAMETERS, notes)
    return repair_root(schema, PARAMETERS, notes, refused=refused)


def write_strictly(
    schema: Schema, dialect: StrictDialect, notes: Notes, *, is_exact: bool = True
) -> tuple[Schema, tuple[str, ...]] | None:
    """The root schema as strict mode takes it, and the properties whose null means "not given".

    None when that cannot be done without refusing arguments that should be allowed; a finding says why.
    `is_exact` as in `Root`.
    """
    try:
        return make_strict(_inline_whole(schema, is_exact, Notes(notes.provider, notes.label)), PARAMETERS, dialect)
    except NotStrictError as reason:
        message = f"{notes.label} cannot check this tool strictly: {reason.path} {reason.reason}. It is sent without."
        notes.add("not_strict", reason.path, message)
        return None


def _inline_whole(root: Schema, is_exact: bool, unread: Notes) -> Schema:
    if not is_exact:
        raise NotStrictError(PARAMETERS, "has alternatives around all parameters")
    inlined, is_whole = inline_refs(root, PARAMETERS, unread)
    if not is_whole:
        raise NotStrictError(PARAMETERS, "has references that cannot be written out")
    return inlined


def copy_annotations(annotations: Any) -> dict[str, Any]:
    """The members of MCP's tool annotations that have the type they should have."""
    plain = copy_plain(annotations, "annotations")
    if not isinstance(plain, dict):
        return {}
    return {key: value for key, value in plain.items() if _is_annotation(key, value)}


def _is_annotation(key: str, value: Any) -> bool:
    if key == "title":
        return isinstance(value, str)
    return isinstance(value, bool) if key.endswith("Hint") else value is not None


def _cut(text: str, tail: str, limit: int) -> str:
    if not tail:
        return text[: limit - 1] + CUT_MARK
    room = limit - len(tail) - 3
    if room < 1:
        return tail if len(tail) <= limit else tail[: limit - 1] + CUT_MARK
    return f"{text[:room]}{CUT_MARK}\n\n{tail}"
