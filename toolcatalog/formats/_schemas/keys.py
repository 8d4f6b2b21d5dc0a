"""Property names that a provider takes, in the place of those it does not."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .._names import NameRule, allocate_names
from .._notes import Notes
from .keywords import Schema, iterate_schemas, map_children, without

_NAME_LISTS = ("required", "propertyOrdering")
_DATA = ("const", "default", "enum", "examples")
_NAME_MAPS = ("properties", "dependentSchemas", "dependentRequired")
_FOR_OTHER_KEYS = ("additionalProperties", "unevaluatedProperties")
_SAYS_SHAPE = frozenset({"allOf", "anyOf", "const", "enum", "items", "not", "oneOf", "properties", "required"})


def rename_keys(schema: Schema, path: str, rule: NameRule, notes: Notes) -> tuple[Schema, dict[str, str]]:
    """Give every property name that `rule` does not allow another one, at any depth; the second result leads back.

    One name has one replacement throughout the schema, and no replacement is a name that the schema uses itself, so
    that the way back needs no knowledge of where a key stands. Where the schema takes keys that it does not name, they
    may be anything: then replacements have a hash. The original name goes before the description. `propertyNames` is
    left out where names change. A schema with references must be inlined first.
    """
    names = _collect_names(schema)
    if any(map(_takes_any_key, iterate_schemas(schema))):
        rule = replace(rule, always_hashes=True)
    exported = {name: new for name, new in allocate_names(rule, names).items() if new != name}
    if not exported:
        return schema, {}
    for name in sorted(exported):
        notes.add(
            "argument_renamed",
            f"{path}.properties.{name}",
            f'{notes.label} does not take the parameter name "{name}"; it is sent as "{exported[name]}" and led back.',
        )
    return _rename(schema, path, exported), {new: name for name, new in exported.items()}


def has_refused_keys(schema: Schema, rule: NameRule) -> bool:
    """Whether a property name that `rule` does not allow stands anywhere in the schema."""
    return not all(map(rule.allows, _collect_names(schema)))


def find_hidden_characters(schema: Schema) -> list[str]:
    """The property names, in order, that hold characters nobody sees: formatting characters and combining marks."""
    return sorted(name for name in _collect_names(schema) if any(map(is_hidden, unicodedata.normalize("NFC", name))))


def is_hidden(character: str) -> bool:
    """Whether a character shows nothing of its own: format and control characters, enclosing and combining marks."""
    return unicodedata.category(character) in {"Cf", "Cc", "Co", "Cn", "Me"} or _is_loose_mark(character)


def _is_loose_mark(character: str) -> bool:
    return unicodedata.category(character) == "Mn" and character < "\u0900"


def _takes_any_key(node: Schema) -> bool:
    """Whether objects that fit have keys of the user's choice: a map, a free-form object, any value, a list of those.

    Whatever else an object with named properties may hold is not looked for.
    """
    if "patternProperties" in node or any(node.get(keyword, False) is not False for keyword in _FOR_OTHER_KEYS):
        return True
    if node.get("properties") or node.get("additionalProperties") is False:
        return False
    kind = node.get("type")
    if kind is None:
        return not node.keys() & _SAYS_SHAPE
    kinds = kind if isinstance(kind, list) else [kind]
    return "object" in kinds or ("array" in kinds and "items" not in node)


def _collect_names(schema: Schema) -> set[str]:
    names: set[str] = set()
    for node in iterate_schemas(schema):
        for keyword in _NAME_MAPS:
            names.update(_as_mapping(node.get(keyword)))
        for listed in (*map(node.get, _NAME_LISTS), *node.get("dependentRequired", {}).values()):
            names.update(name for name in listed or () if isinstance(name, str))
    return names


def _rename(schema: Schema, path: str, exported: Mapping[str, str]) -> Schema:
    def visit(node: Schema, where: str) -> Schema:
        node = map_children(node, where, visit)
        renamed = {keyword: _rename_value(keyword, value, exported) for keyword, value in node.items()}
        if any(name in exported for name in _as_mapping(node.get("properties"))):
            renamed = without(renamed, "propertyNames")
        return renamed

    return visit(schema, path)


def _rename_value(keyword: str, value: Any, exported: Mapping[str, str]) -> Any:
    if keyword in _NAME_LISTS and isinstance(value, list):
        return [exported.get(name, name) for name in value]
    if keyword == "dependentRequired":
        return {exported.get(key, key): [exported.get(name, name) for name in names] for key, names in value.items()}
    if keyword in _DATA:
        return rename_data(value, exported)
    if keyword in _NAME_MAPS:
        return {exported.get(name, name): _keep_name(name, child, exported) for name, child in value.items()}
    return value


def rename_data(value: Any, exported: Mapping[str, str]) -> Any:
    """Example values and choices, with the names of the properties inside them as the model is told of those."""
    if isinstance(value, dict):
        return {exported.get(name, name): rename_data(member, exported) for name, member in value.items()}
    return [rename_data(member, exported) for member in value] if isinstance(value, list) else value


def _keep_name(name: str, child: Schema, exported: Mapping[str, str]) -> Schema:
    """Tell the model in words what the property is called."""
    legible = "".join(character for character in name if not is_hidden(character))
    if name not in exported or not legible.strip():
        return child
    description = child.get("description", "")
    return {**child, "description": f"{legible}: {description}" if description else legible}


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
