"""Masks secrets in arguments before anything is stored: by schema, by the key's name, by the look of the value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.text import name_key

MASK = "[redacted]"
MAX_DEPTH = 64

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
    """The value with every secret masked. `schema` may mark properties with `writeOnly` or `x-secret`.

    A secret is what the schema marks, what stands under a key that names one (in any case and spelling), and what looks
    like one inside a text: bearer tokens, keys with well-known beginnings, private keys, JSON web tokens.
    """
    return _redact(value, schema, 0)


def _redact(value: JsonValue, schema: JsonValue, depth: int) -> Any:
    if _is_marked(schema) or depth > MAX_DEPTH:
        return MASK
    if isinstance(value, Mapping):
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
        return {key: _redact_member(key, child, properties, depth) for key, child in value.items()}
    if isinstance(value, str):
        return str(_SECRET_VALUES.sub(MASK, value))
    if isinstance(value, Sequence):
        items = schema.get("items") if isinstance(schema, Mapping) else None
        return [_redact(child, items, depth + 1) for child in value]
    return value


def _redact_member(key: str, child: JsonValue, properties: JsonValue, depth: int) -> Any:
    if names_secret(key) and not (_counts_tokens(key) and isinstance(child, int | float)):
        return MASK
    schema = properties.get(key) if isinstance(properties, Mapping) else None
    return _redact(child, schema, depth + 1)


def _is_marked(schema: JsonValue) -> bool:
    return isinstance(schema, Mapping) and (schema.get("writeOnly") is True or schema.get("x-secret") is True)


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
