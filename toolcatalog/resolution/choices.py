"""Words of a request that choose one of a few."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from toolcatalog.contract.errors import InvalidInput

Choice = TypeVar("Choice", bound=StrEnum)


def read_choice(choices: type[Choice], word: str, path: str) -> Choice:
    """The choice that a word stands for. Raises InvalidInput that lists the ones there are."""
    try:
        return choices(word)
    except ValueError:
        known = ", ".join(choices)
        message = f"There is no {path.replace('_', ' ')} “{word}”. Choose one of: {known}."
        raise InvalidInput.single(path, f"unknown_{path}", message) from None
