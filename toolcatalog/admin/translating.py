"""Sentences of the services in the curator's language. The services know no Django and speak English."""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import get_language, gettext

from .sentences import SENTENCES

LONGEST = 2_000
_PLACE = re.compile(r"\\\{\d\\\}")
_FILLED = re.compile(r"\{(\d)\}")


def translate_sentence(sentence: str) -> str:
    """The sentence in the active language, with its values; as it is where there is no translation."""
    if (get_language() or "en").startswith("en") or len(sentence) > LONGEST:
        return sentence
    for template, shape in _shapes():
        found = shape.fullmatch(sentence)
        if found is not None:
            return _fill(gettext(template), found.groups())
    return gettext(sentence) if sentence else ""


def _fill(translation: str, values: tuple[str, ...]) -> str:
    return _FILLED.sub(lambda place: values[int(place[1])] if int(place[1]) < len(values) else place[0], translation)


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Every sentence with the shape that it has once its values are in it."""
    return tuple((template, re.compile(_PLACE.sub("(.+?)", re.escape(template)), re.DOTALL)) for template in SENTENCES)
