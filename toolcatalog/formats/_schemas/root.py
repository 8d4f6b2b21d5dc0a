"""The outermost schema: an object with properties, whatever rules the canonical schema puts around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._notes import Notes
from .._plain import NotPlainError
from .keywords import HOLDS_NAMED, NOTHING, Schema, without
from .merge import declare_required, drop_repeated, flatten_all_of
from .pointers import REFERENCES
from .words import shorten, write_value

COMBINATORS = ("allOf", "anyOf", "oneOf", "not", "enum", "const")
"""Keywords that the stricter providers refuse in the outermost schema."""
CONDITIONS = ("if", "then", "else", "dependentSchemas", "dependentRequired", "patternProperties", "propertyNames")


_LONGEST_RULE = 2_000


@dataclass(frozen=True, slots=True)
class Root:
    """An object schema without combinators at the top, and what those said, as sentences for the description.

    `is_exact` is False where properties moved up out of alternatives: outside their branch, anything was allowed there.
    """

    schema: Schema
    rules: tuple[str, ...] = ()
    is_exact: bool = True


def repair_root(schema: Schema, path: str, notes: Notes, *, refused: Sequence[str] = COMBINATORS) -> Root:
    """Make the outermost schema an object with `properties` and without the `refused` keywords.

    Properties that stand in branches only move up; the rule that was taken away is put in words. A schema of which
    `needs_repair` holds must be inlined first. Raises NotPlainError for a schema of something else than an object.
    """
    top = flatten_all_of(schema) if refused else schema
    kind = top.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise NotPlainError(path, f"has the type {write_value(kind)}; the parameters of a tool are an object")
    top = {"type": "object", **without(top, "type")}
    rules: list[str] = []
    known = len(top.get("properties", ()))
    for keyword in refused:
        if keyword in top:
            top, sentence = _take_rule(top, keyword)
            rules.append(shorten(sentence, _LONGEST_RULE))
            notes.add(
                "root_rule_in_words",
                f"{path}.{keyword}",
                f'{notes.label} takes no "{keyword}" around all parameters; the rule is written into the description.',
            )
    return Root(_order(top), tuple(rules), is_exact=len(top.get("properties", ())) == known)


def needs_repair(schema: Schema, refused: Sequence[str] = COMBINATORS) -> bool:
    """Whether the outermost schema has something that `repair_root` takes away, or is a reference."""
    return any(keyword in schema for keyword in (*REFERENCES, *refused))


def _order(top: Schema) -> Schema:
    rest = without(top, "type", "properties")
    return declare_required({"type": "object", "properties": top.get("properties", {}), **rest})


def _take_rule(top: Schema, keyword: str) -> tuple[Schema, str]:
    value = top[keyword]
    rest = without(top, keyword)
    if keyword not in ("anyOf", "oneOf"):
        return rest, _describe_rule(keyword, value)
    branches = [flatten_all_of(branch) for branch in value]
    return _lift(rest, branches), _describe_choice(keyword, branches)


def _lift(top: Schema, branches: list[Schema]) -> Schema:
    """Move up the properties of the branches: each as in its branch, or any of its forms where they differ."""
    variants: dict[str, list[Schema]] = {}
    for branch in branches:
        for name, child in branch.get("properties", {}).items():
            if child != NOTHING:
                variants.setdefault(name, []).append(child)
    known = top.get("properties", {})
    lifted = {name: _join_variants(forms) for name, forms in variants.items() if name not in known}
    always = [name for name in branches[0].get("required", ()) if all(name in b.get("required", ()) for b in branches)]
    required = list(dict.fromkeys([*top.get("required", ()), *always]))
    joined = {**top, "properties": {**known, **lifted}}
    return {**joined, "required": required} if required else joined


def _join_variants(variants: list[Schema]) -> Schema:
    forms = drop_repeated(variants)
    if len(forms) == 1:
        return forms[0]
    if all(isinstance(form.get("const"), str) and form.keys() <= {"const", "type"} for form in forms):
        return {"type": "string", "enum": [form["const"] for form in forms]}
    return {"anyOf": forms}


def _describe_choice(keyword: str, branches: list[Schema]) -> str:
    count = "At least one" if keyword == "anyOf" else "Exactly one"
    if all(_only_requires(branch) for branch in branches):
        return f"{count} of these must be given: {'; '.join(_list_required(branch) for branch in branches)}."
    return f"{count} of these must hold: {'; '.join(_describe_branch(branch) for branch in branches)}."


def _only_requires(branch: Schema) -> bool:
    return bool(branch.get("required")) and branch.keys() <= {"required", "type", "title", "description"}


def _list_required(branch: Schema) -> str:
    return " and ".join(branch["required"])


def _describe_branch(branch: Schema) -> str:
    fixed = [f"{name} is {write_value(child['const'])}" for name, child in _properties(branch) if "const" in child]
    given = [name for name in branch.get("required", ()) if "const" not in branch.get("properties", {}).get(name, {})]
    parts = [*fixed, *([f"{' and '.join(given)} given"] if given else [])]
    if parts:
        return ", ".join(parts)
    names = [name for name, _ in _properties(branch)]
    return f"with {', '.join(names)}" if names else write_value(branch)


def _properties(branch: Schema) -> list[tuple[str, Schema]]:
    return list(branch.get("properties", {}).items())


def _describe_rule(keyword: str, value: Any) -> str:
    if keyword == "not" and _only_requires(value):
        return f"Not to be given together: {_list_required(value)}."
    if keyword in ("enum", "const"):
        return f"The arguments are one of: {write_value(value)}."
    names = ", ".join(value) if keyword in HOLDS_NAMED else ""
    return f"The arguments must also keep this rule: {keyword} {names or write_value(value)}."
