"""Python objects as plain JSON values: the objects of vendors' SDKs, and what callers' own tools return."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Mapping, Sequence, Set
from typing import Any


def make_plain(value: object) -> Any:
    """`value` as dicts, lists, texts, numbers, booleans and None. Shares nothing that can change with `value`.

    Objects that can dump themselves (pydantic models, as all vendors' SDKs have them) are asked to, without what they
    leave None; bytes become base64. Raises TypeError for what has no such form.
    """
    if isinstance(value, enum.Enum):
        return make_plain(value.value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): make_plain(member) for key, member in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, bytes):
        return [make_plain(member) for member in value]
    return _make_plain_object(value)


def _make_plain_object(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: make_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | uuid.UUID):
        return str(value)
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON.")


def dump_json(value: Any) -> bytes:
    """Compact UTF-8 JSON. Raises ValueError for half a surrogate pair or a number that is not finite."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def dump_text(value: Any) -> str:
    """A plain value as a model reads it: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else dump_json(value).decode()


def drop_none(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return {key: value for key, value in fields.items() if value is not None}
