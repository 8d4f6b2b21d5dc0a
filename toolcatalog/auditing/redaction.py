"""Masks secrets in arguments before anything is stored: by schema, by the key's name, by the look of the value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.text import name_key

MASK = "[redacted]"
MAX_DEPTH = 64
MAX_SCHEMAS = 1_000
"""How many schemas may speak of one value; further ones are not asked."""
_COMBINATIONS = ("allOf", "anyOf", "oneOf", "if", "then", "else")

Schemas = tuple[JsonObject, ...]

_SECRET_KEYS = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "privatekey", "authorization",
    "credential", "cookie", "sessionid", "signature", "pin", "cvv", "otp", "密码", "口令", "密钥", "令牌",
)  # fmt: skip
_WHOLE_WORDS = frozenset({"pin", "pwd", "otp", "cvv"})
_SECRET_VALUES = re.compile(
    r"(?i:\b(?:bearer|basic)\s+[a-z0-9+/=._~-]+)"
    r"|\b(?:sk|pk|rk|tc|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9][A-Za-z0-9_-]{14,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
)


def redact(value: JsonValue, schema: JsonValue = None) -> Any:
    """The value with every secret masked. `schema` may mark schemas with `writeOnly` or `x-secret`.

    A secret is what the schema marks, also through local references, combinations and `additionalProperties`; what
    stands under a key that names one (in any case and spelling); and what looks like one inside a text: bearer tokens,
    keys with well-known beginnings, private keys, JSON web tokens.
    """
    return _redact(value, open_schemas([schema], schema), schema, 0)


def _redact(value: JsonValue, schemas: Schemas, root: JsonValue, depth: int) -> Any:
    if depth > MAX_DEPTH or any(_is_marked(schema) for schema in schemas):
        return MASK
    if isinstance(value, Mapping):
        return {key: _redact_member(key, child, schemas, root, depth) for key, child in value.items()}
    if isinstance(value, str):
        return str(_SECRET_VALUES.sub(MASK, value))
    if isinstance(value, Sequence):
        return [
            _redact(child, open_schemas(_schemas_of_item(schemas, place), root), root, depth + 1)
            for place, child in enumerate(value)
        ]
    return value


def _redact_member(key: str, child: JsonValue, schemas: Schemas, root: JsonValue, depth: int) -> Any:
    if names_secret(key) and not (_counts_tokens(key) and isinstance(child, int | float)):
        return MASK
    return _redact(child, open_schemas(_schemas_of_member(schemas, key), root), root, depth + 1)


def _schemas_of_member(schemas: Schemas, key: str) -> Iterator[JsonValue]:
    for schema in schemas:
        properties = schema.get("properties")
        if isinstance(properties, Mapping) and key in properties:
            yield properties[key]
        else:
            yield schema.get("additionalProperties")
            patterns = schema.get("patternProperties")
            yield from patterns.values() if isinstance(patterns, Mapping) else ()


def _schemas_of_item(schemas: Schemas, place: int) -> Iterator[JsonValue]:
    for schema in schemas:
        first = schema.get("prefixItems")
        is_first = isinstance(first, list) and place < len(first)
        yield first[place] if isinstance(first, list) and is_first else schema.get("items")


def open_schemas(schemas: Iterable[JsonValue], root: JsonValue) -> Schemas:
    """The schemas with all that they refer to or combine, each once; references are looked up in `root`.

    Which branch of a combination holds is not asked: what one of them calls a secret is one.
    """
    opened: dict[int, JsonObject] = {}
    pending = list(schemas)
    while pending and len(opened) < MAX_SCHEMAS:
        schema = pending.pop()
        if not isinstance(schema, Mapping) or id(schema) in opened:
            continue
        opened[id(schema)] = schema
        pending.append(_find_reference(schema.get("$ref"), root))
        for keyword in _COMBINATIONS:
            branches = schema.get(keyword)
            pending.extend(branches if isinstance(branches, list) else [branches])
    return tuple(opened.values())


def _find_reference(reference: JsonValue, root: JsonValue) -> JsonValue:
    """What a local reference stands for; None for any other."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found = root
    for part in unquote(reference[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping):
            found = found.get(key)
        elif isinstance(found, list) and key.isascii() and key.isdigit() and int(key[:6]) < len(found):
            found = found[int(key[:6])]
        else:
            return None
    return found


def _is_marked(schema: JsonObject) -> bool:
    return schema.get("writeOnly") is True or schema.get("x-secret") is True


def names_secret(key: str) -> bool:
    """Whether a key's name says that its value is a secret: `Api_Key`, `userPassword`, `密码`."""
    plain = name_key(key)
    return plain in _WHOLE_WORDS or any(word in plain for word in _SECRET_KEYS if word not in _WHOLE_WORDS)


def _counts_tokens(key: str) -> bool:
    """`max_tokens` is a number, not a secret."""
    return name_key(key).endswith("tokens")


def redact_arguments(arguments: JsonObject, schema: JsonObject) -> JsonObject:
    """A call's arguments without their secrets."""
    redacted: Any = redact(arguments, schema)
    return redacted if isinstance(redacted, Mapping) else {}
