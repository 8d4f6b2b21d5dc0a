"""Why a condition cannot be judged: two exceptions that never leave this package."""

from __future__ import annotations

from toolcatalog.contract.json import JsonValue


class BrokenCondition(Exception):
    """The condition itself is wrong, whatever the request: refused at save, never true at run time.

    `field` is the part of the row (`value`, `operator`, `source`, `attribute`), `code` a stable word, `sentence` tells
    a curator what to do.
    """

    def __init__(self, field: str, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.code = code
        self.sentence = sentence


class Mismatch(Exception):
    """The condition is sound, but the value of this request is not of the kind it compares.

    `sentence` continues "<what was read> …", names kinds and never the value: it is logged.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    @classmethod
    def of_kind(cls, seen: JsonValue, expected: str) -> Mismatch:
        """The value is of one kind and the condition needs another."""
        return cls(f"is {describe_kind(seen)}, but this condition needs {expected}")


def describe_kind(value: JsonValue) -> str:
    """The JSON kind of a value in words; equal words mean values that can be compared."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "a number"
    return "a list or an object"
