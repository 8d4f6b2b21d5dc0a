"""Checks what was written against what its provider refuses: the second pair of eyes on the exporters.

Every format states its provider's rules; the checks know nothing of how a tool was written, and look at the finished
entry of the tool list only.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from toolcatalog.contract.json import JsonObject

from ._schemas.keywords import HOLDS_LIST, HOLDS_NAMED, HOLDS_ONE
from .registry import FORMATS

WORD = frozenset(string.ascii_letters + string.digits + "_")
PORTABLE = WORD | {"-"}
LETTERS = frozenset(string.ascii_letters)
ROOT_COMBINATORS = frozenset({"allOf", "anyOf", "const", "enum", "not", "oneOf"})
_GEMINI_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT")
_GEMINI_FORMATS = {"STRING": {"date-time", "enum"}, "INTEGER": {"int32", "int64"}, "NUMBER": {"double", "float"}}
_STRICT_FORMATS = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"})
_STRICT_REFUSED = frozenset(
    {
        "$ref",
        "allOf",
        "contains",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "if",
        "maxLength",
        "minLength",
        "not",
    }
    | {"oneOf", "patternProperties", "prefixItems", "propertyNames", "then", "uniqueItems"}
)


@dataclass(frozen=True, slots=True)
class ProviderRules:
    """What one provider takes.

    `wrapped_in` leads to the definition, `schema_key` to the schema inside it; `members` are those of a definition.
    """

    schema_key: tuple[str, ...]
    name_characters: frozenset[str]
    wrapped_in: str = ""
    name_first: frozenset[str] | None = None
    max_name: int = 64
    max_description: int | None = None
    needs_schema: bool = True
    members: frozenset[str] = frozenset()
    root_refused: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    keywords: frozenset[str] | None = None
    key_characters: frozenset[str] | None = None
    key_first: frozenset[str] | None = None
    needs_items: bool = False
    takes_type_lists: bool = True
    is_openapi: bool = False
    strict: str = ""


def check_exported(format_name: str, payload: JsonObject) -> list[str]:
    """Everything in one entry of a tool list that the provider would refuse, as sentences; [] when it takes the entry.

    A format that has no rules (the neutral one) only has to be JSON.
    """
    return check_payload(FORMATS[format_name].rules, payload)


def check_payload(rules: ProviderRules | None, payload: JsonObject) -> list[str]:
    """`check_exported` by rules instead of a name, for the forms of a vendor's other interfaces."""
    problems = list(_check_json(payload))
    if problems or rules is None:
        return problems
    definition = payload.get(rules.wrapped_in) if rules.wrapped_in else payload
    if not isinstance(definition, Mapping):
        return [f"there is no {rules.wrapped_in}"]
    problems.extend(_check_head(definition, rules))
    schema = _find_schema(definition, rules)
    if schema is None:
        return problems + (["there is no schema"] if rules.needs_schema else [])
    problems.extend(_check_root(schema, rules))
    check_strict = _STRICT_CHECKS.get(rules.strict) if definition.get("strict") else None
    for path, node in _walk(schema):
        problems.extend(f"{path}: {problem}" for problem in _check_node(node, rules))
        if check_strict:
            problems.extend(f"{path}: {problem}" for problem in check_strict(node))
    return problems


def _check_json(payload: JsonObject) -> Iterator[str]:
    try:
        encoded = orjson.dumps(payload)
    except TypeError as error:
        yield f"is not JSON: {error}"
        return
    if orjson.loads(encoded) != payload:
        yield "does not come back from JSON as it was"


def _check_head(definition: Mapping[str, Any], rules: ProviderRules) -> Iterator[str]:
    name = definition.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= rules.max_name:
        yield f"name: has not 1 to {rules.max_name} characters"
    elif not rules.name_characters.issuperset(name) or (rules.name_first and name[0] not in rules.name_first):
        yield f"name: {name} has characters that are refused"
    if "description" in definition:
        description = definition["description"]
        if not isinstance(description, str) or not description.strip():
            yield "description: is blank"
        elif rules.max_description is not None and len(description) > rules.max_description:
            yield f"description: is longer than {rules.max_description}"
    for member in definition.keys() - rules.members:
        yield f"{member}: is no member of a tool"
    for member, value in definition.items():
        if value is None:
            yield f"{member}: is null"


def _find_schema(definition: Mapping[str, Any], rules: ProviderRules) -> Any:
    schema: Any = definition
    for key in rules.schema_key:
        schema = schema.get(key) if isinstance(schema, Mapping) else None
    return schema


def _check_root(schema: Mapping[str, Any], rules: ProviderRules) -> Iterator[str]:
    if schema.get("type") != ("OBJECT" if rules.is_openapi else "object"):
        yield "the root is not of type object"
    if not isinstance(schema.get("properties"), Mapping):
        yield "the root has no properties"
    elif rules.is_openapi and not schema["properties"]:
        yield "the root has empty properties"
    for keyword in sorted(rules.root_refused & schema.keys()):
        yield f"the root has {keyword}"


def _check_node(node: Mapping[str, Any], rules: ProviderRules) -> Iterator[str]:
    for keyword in sorted(node.keys() - rules.keywords) if rules.keywords is not None else ():
        yield f"has {keyword}"
    for keyword in sorted(rules.refused & node.keys()):
        yield f"has {keyword}"
    if isinstance(node.get("type"), list) and not rules.takes_type_lists:
        yield "has a list of types"
    if rules.needs_items and _is_array(node) and not isinstance(node.get("items"), Mapping):
        yield "is an array without items"
    yield from _check_properties(node, rules)
    if rules.is_openapi:
        yield from _check_openapi(node)


def _is_array(node: Mapping[str, Any]) -> bool:
    kind = node.get("type")
    return kind in ("array", "ARRAY") or (isinstance(kind, list) and "array" in kind)


def _check_properties(node: Mapping[str, Any], rules: ProviderRules) -> Iterator[str]:
    if "properties" not in node:
        return
    missing = [name for name in node.get("required", ()) if name not in node["properties"]]
    if missing:
        yield f"requires {missing}, which are no properties"
    for name in node["properties"] if rules.key_characters is not None else ():
        if not _is_legal_key(name, rules.key_characters or frozenset(), rules.key_first):
            yield f"has the property {name}"


def _is_legal_key(name: str, characters: frozenset[str], first: frozenset[str] | None) -> bool:
    return 0 < len(name) <= 64 and characters.issuperset(name) and (first is None or name[0] in first)


def _check_openapi(node: Mapping[str, Any]) -> Iterator[str]:
    kind = node.get("type")
    if kind is not None and kind not in _GEMINI_TYPES:
        yield f"has the type {kind}"
    if "anyOf" in node and len(node) > 1:
        yield "has something beside anyOf"
    if "properties" in node and not node["properties"]:
        yield "has empty properties"
    if "required" in node and "properties" not in node:
        yield "requires without properties"
    if "format" in node and node["format"] not in _GEMINI_FORMATS.get(str(kind), set()):
        yield f"has the format {node['format']}"
    enum = node.get("enum", ["x"])
    if "enum" in node and kind != "STRING":
        yield "has an enum and is no string"
    if not enum or not all(isinstance(value, str) and value for value in enum):
        yield "has an enum of something else than text"


def _check_strict_openai(node: Mapping[str, Any]) -> Iterator[str]:
    yield from _check_strict(node)
    if "properties" in node and set(node.get("required", ())) != set(node["properties"]):
        yield "strict: has a property that is not required"
    if "default" in node:
        yield "strict: has a default"


def _check_strict_anthropic(node: Mapping[str, Any]) -> Iterator[str]:
    yield from _check_strict(node)
    if isinstance(node.get("type"), list):
        yield "strict: has a list of types"
    for keyword in ("maximum", "minimum", "maxItems", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"):
        if keyword in node:
            yield f"strict: has {keyword}"
    if node.get("minItems", 0) not in (0, 1):
        yield "strict: has minItems above 1"


def _check_strict(node: Mapping[str, Any]) -> Iterator[str]:
    kind = node.get("type")
    if (kind == "object" or (isinstance(kind, list) and "object" in kind)) and node.get(
        "additionalProperties"
    ) is not False:
        yield "strict: is an open object"
    for keyword in sorted(_STRICT_REFUSED & node.keys()):
        yield f"strict: has {keyword}"
    if "format" in node and node["format"] not in _STRICT_FORMATS | {"uri"}:
        yield f"strict: has the format {node['format']}"


_STRICT_CHECKS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "openai": _check_strict_openai,
    "anthropic": _check_strict_anthropic,
}


def _walk(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema inside `schema`, with its path."""
    pending: list[tuple[str, Any]] = [("$", schema)]
    while pending:
        path, node = pending.pop()
        if not isinstance(node, Mapping):
            continue
        yield path, node
        for keyword, value in node.items():
            where = f"{path}.{keyword}"
            if keyword in HOLDS_NAMED and isinstance(value, Mapping):
                pending.extend((f"{where}.{name}", child) for name, child in value.items())
            elif keyword in HOLDS_LIST and isinstance(value, list):
                pending.extend((f"{where}[{index}]", child) for index, child in enumerate(value))
            elif keyword in HOLDS_ONE:
                pending.append((where, value))
