"""Sentences of the services in the curator's language.

The services know no Django and speak English. A sentence is looked up with its quoted values and numbers taken out
(`There is no tool “{0}”.`), and they are put back into the translation. `sentences.py` lists what is translated.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext

_VALUES = re.compile(r"(?<=“)[^”]*(?=”)|(?<![\w{])\d[\d,.]*(?<![,.])")


def translate_sentence(sentence: str) -> str:
    """The sentence in the active language, with its values; as it is where there is no translation."""
    values: list[str] = []

    def take(match: re.Match[str]) -> str:
        values.append(match.group())
        return f"{{{len(values) - 1}}}"

    pattern = _VALUES.sub(take, sentence)
    translation = gettext(pattern)
    if translation == pattern:
        return sentence
    for index, value in enumerate(values):
        translation = translation.replace(f"{{{index}}}", value)
    return translation
