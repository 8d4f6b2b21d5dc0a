"""Choices for model fields, made from the enumerations of the contract."""

from __future__ import annotations

from enum import StrEnum


def choices_of(enumeration: type[StrEnum]) -> list[tuple[str, str]]:
    """(value, label) pairs; the label is the value in words. Translations live in the message catalogs."""
    return [(member.value, member.value.replace("_", " ")) for member in enumeration]
