"""Arguments of a call: brought back to the canonical schema, and checked against it (X3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jsonschema_rs
import orjson

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.json import JsonObject
from toolcatalog.curation import compile_validator
from toolcatalog.formats import restore_arguments
from toolcatalog.selectors import read_revision_parameters

from .situation import NO_ARGUMENT_MAP

MAX_FINDINGS = 20
STALE = "stale_definition"


@dataclass(frozen=True, slots=True)
class CheckedArguments:
    """Canonical arguments.

    `errors` is empty when they fit; `stale` means that they fit what the model had been shown.
    """

    arguments: JsonObject
    errors: tuple[FieldError, ...] = ()
    stale: bool = False


def check_arguments(
    arguments: JsonObject, schema: bytes, *, how: ArgumentMap = NO_ARGUMENT_MAP, shown: tuple[int, int] | None = None
) -> CheckedArguments:
    """Undo the export's renames, then check against `schema`, the canonical JSON Schema as bytes.

    `shown` is (tool id, revision) of the definition that the model saw, where that is another than the one checked.
    """
    canonical = restore_arguments(arguments, how)
    errors = find_errors(canonical, schema)
    stale = False
    if errors and shown is not None:
        earlier = read_revision_parameters(*shown)
        stale = earlier is not None and not find_errors(canonical, earlier)
    return CheckedArguments(canonical, errors, stale)


def find_errors(arguments: JsonObject, schema: bytes) -> tuple[FieldError, ...]:
    """What is wrong with the arguments, each with the JSON path of the argument."""
    findings = []
    for error in _validator(schema).iter_errors(dict(arguments)):
        findings.append(FieldError(_path(error.instance_path), _code(error), f"{error.message}."))
        if len(findings) == MAX_FINDINGS:
            break
    return tuple(findings)


@lru_cache(maxsize=2000)
def _validator(schema: bytes) -> Any:
    return compile_validator(orjson.loads(schema))


def _path(parts: list[str | int]) -> str:
    path = "arguments"
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path


def _code(error: jsonschema_rs.ValidationError) -> str:
    return str(error.schema_path[-1]) if error.schema_path else "invalid"
