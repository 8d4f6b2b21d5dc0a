"""Hypothesis strategies: schemas of two kinds, and arguments that conform to an exported schema."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

SCALARS = ("string", "integer", "number", "boolean")
text = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)
keys = st.one_of(
    st.sampled_from(
        ["a", "b", "city", "城市", "filter[id]", "filter(id)", "filter_id_", "2nd", "a-b", "a.b", "k" * 70]
    ),
    text,
)
numbers = st.one_of(st.integers(-1000, 1000), st.floats(-1000, 1000))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, text),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=5,
)
refs = st.sampled_from(["#/$defs/T", "#/$defs/U", "#", "#/properties/a", "#/nothing", "https://example.org/x", "#T"])


def _with_keywords(schema: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(keys, schema, max_size=3)
    listed = st.lists(schema, min_size=1, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.one_of(
            st.sampled_from([*SCALARS, "null", "object", "array"]),
            st.lists(st.sampled_from([*SCALARS, "null", "object", "array"]), min_size=1, max_size=3, unique=True),
        ),
        "properties": named,
        "patternProperties": named,
        "required": st.lists(keys, max_size=3, unique=True),
        "additionalProperties": st.one_of(st.booleans(), schema),
        "items": schema,
        "prefixItems": listed,
        "anyOf": listed,
        "oneOf": listed,
        "allOf": listed,
        "not": schema,
        "if": schema,
        "then": schema,
        "enum": st.lists(values, min_size=1, max_size=3),
        "const": values,
        "default": values,
        "description": text,
        "title": text,
        "format": st.sampled_from(["uri", "date-time", "int32", "odd"]),
        "minimum": numbers,
        "exclusiveMaximum": numbers,
        "minLength": st.integers(0, 3),
        "minItems": st.integers(0, 3),
        "uniqueItems": st.booleans(),
        "propertyNames": schema,
        "dependentRequired": st.dictionaries(keys, st.lists(keys, max_size=2), max_size=2),
        "$ref": refs,
        "x-order": values,
    }
    return st.fixed_dictionaries({}, optional=keywords)


any_schema: st.SearchStrategy[Any] = st.recursive(st.one_of(st.just({}), st.booleans()), _with_keywords, max_leaves=10)


@st.composite
def any_parameters(draw: st.DrawFn) -> Any:
    """Parameters with every keyword in every place, sensible or not, around an object."""
    root = draw(_with_keywords(any_schema))
    root = {key: value for key, value in root.items() if key not in ("enum", "const")}
    definitions = {"T": draw(any_schema), "U": draw(any_schema)}
    return {**root, "type": "object", "$defs": definitions}


def _plain_scalars() -> st.SearchStrategy[Any]:
    nullable = st.sampled_from(SCALARS).map(lambda kind: {"type": [kind, "null"]})
    enum = st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=3, unique=True)
    union = st.lists(st.sampled_from(SCALARS), min_size=2, max_size=3, unique=True)
    return st.one_of(
        st.sampled_from(SCALARS).map(lambda kind: {"type": kind}),
        nullable,
        enum.map(lambda values: {"enum": values}),
        enum.map(lambda values: {"type": "string", "enum": values}),
        st.just({"const": "fixed"}),
        union.map(lambda kinds: {"type": kinds}),
        union.map(lambda kinds: {"anyOf": [{"type": kind} for kind in (*kinds, "null")], "description": "d"}),
        st.just({"type": "integer", "default": 3, "description": "How many."}),
        st.just({"$ref": "#/$defs/T", "description": "beside"}),
    )


@st.composite
def _plain_object(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    properties = draw(st.dictionaries(keys, inner, max_size=4))
    required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
    schema = {"type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False} if draw(st.booleans()) else schema


def _plain_nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(inner.map(lambda schema: {"type": "array", "items": schema}), _plain_object(inner))


@st.composite
def plain_parameters(draw: st.DrawFn) -> Any:
    """Parameters made of what every provider can say without loss, property names aside."""
    root = draw(_plain_object(st.recursive(_plain_scalars(), _plain_nested, max_leaves=8)))
    return {**root, "$defs": {"T": draw(_plain_object(_plain_leaf()))}}


def _plain_leaf() -> st.SearchStrategy[Any]:
    return st.sampled_from(SCALARS).map(lambda kind: {"type": kind})


def conforming(schema: Any, root: Any) -> st.SearchStrategy[Any]:
    """Values that an exported schema allows, with Gemini's spelling or JSON Schema's."""
    if "$ref" in schema:
        return conforming(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return st.one_of([conforming(branch, root) for branch in schema["anyOf"]])
    if "enum" in schema or "const" in schema:
        allowed = st.sampled_from(schema.get("enum", [schema.get("const")]))
        return st.one_of(st.none(), allowed) if schema.get("nullable") else allowed
    kinds = schema.get("type", "string")
    strategies = [_of_type(kind.lower(), schema, root) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return st.one_of(*strategies, *([st.none()] if schema.get("nullable") else []))


def _of_type(kind: str, schema: Any, root: Any) -> st.SearchStrategy[Any]:
    if kind == "object":
        properties = {name: conforming(child, root) for name, child in schema.get("properties", {}).items()}
        required = set(schema.get("required", ()))
        return st.fixed_dictionaries(
            {name: value for name, value in properties.items() if name in required},
            optional={name: value for name, value in properties.items() if name not in required},
        )
    if kind == "array":
        return st.lists(conforming(schema["items"], root), max_size=2)
    return {
        "string": text,
        "integer": st.integers(-1000, 1000),
        "number": numbers,
        "boolean": st.booleans(),
        "null": st.none(),
    }[kind]
