"""Arrays as PostgreSQL reads them: for columns of many thousands of values, several times quicker than a list."""

from __future__ import annotations

from collections.abc import Iterable


def write_array(values: Iterable[object]) -> str:
    """The literal of an array of numbers, truth values and texts; there is no None and no NUL among them."""
    return "{" + ",".join([_quote(value) if isinstance(value, str) else str(value) for value in values]) + "}"


def write_numbers(values: Iterable[int]) -> str:
    """The literal of an array of whole numbers."""
    return "{" + ",".join(map(str, values)) + "}"


def _quote(value: str) -> str:
    if "\\" in value or '"' in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{value}"'
