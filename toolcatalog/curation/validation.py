"""Turns what Django finds wrong with a row into the errors that every door shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import models

from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonValue, find_unstorable

NAME_TAKEN = "name_taken"
"""The code of an error that says: this owner has given that name, or slug, already."""


def clean_row(row: models.Model, *, names: dict[str, str] | None = None) -> list[FieldError]:
    """Every validation error of the row: fields and choices, and if those are right uniqueness and constraints.

    `names` maps fields to JSON paths.
    """
    try:
        row.full_clean(validate_constraints=False)
    except ValidationError as error:
        return list(flatten_validation(error, names or {}))
    return list(_check_constraints(row, names or {}))


def _check_constraints(row: models.Model, names: Mapping[str, str]) -> Iterable[FieldError]:
    """What the database would refuse. A name that the owner has given already is an error of that name."""
    for model, constraints in row.get_constraints():
        for constraint in constraints:
            try:
                constraint.validate(model, row)
            except ValidationError as error:
                field = _find_name_field(constraint)
                code = NAME_TAKEN if field else str(error.code or "invalid")
                yield FieldError(names.get(field, field), code, " ".join(str(text) for text in error.messages))


def _find_name_field(constraint: models.BaseConstraint) -> str:
    """The field that has to be unique for each owner; empty for other constraints."""
    if isinstance(constraint, models.UniqueConstraint) and constraint.condition is None and constraint.fields:
        return constraint.fields[-1]
    return ""


def flatten_validation(error: ValidationError, names: Mapping[str, str] = MappingProxyType({})) -> Iterable[FieldError]:
    """Django's errors of a row as a flat list. `names` maps fields to JSON paths."""
    for field, problems in error.error_dict.items():
        path = "" if field == NON_FIELD_ERRORS else names.get(field, field)
        for problem in problems:
            message = " ".join(str(text) for text in problem.messages)
            yield FieldError(path, str(problem.code or "invalid"), message)


def raise_if_any(errors: Collection[FieldError]) -> None:
    """Raise InvalidInput with every error, if there is one."""
    if errors:
        code = next(iter(errors)).code
        raise InvalidInput(errors, code=code if len(errors) == 1 else "invalid")


def check_storable(value: Any, path: str = "") -> list[FieldError]:
    """An error for each part of a JSON value that cannot be stored."""
    document: JsonValue = value
    return [
        FieldError(where, "unstorable", f"{where or 'The value'} {problem}. Take it out.")
        for where, problem in find_unstorable(document, path)
    ]
