r"""Regular expressions of curators: written in Java's dialect, run by RE2 in time linear in the text.

What RE2 writes otherwise is translated, what it lacks is refused with a sentence that names another way:

| written | becomes | |
|---|---|---|
| `\uXXXX`, `\u{…}`, pairs of surrogates | `\x{…}` | |
| `\p{IsHan}`, `\p{script=Han}`, `\p{gc=Lu}`, `\p{Alpha}` | `\p{Han}`, `\p{Lu}`, `[[:alpha:]]` | |
| `\Z`, `\R`, `\h`, `\v`, `\e` | `\z` and classes | the text has LF line ends and no final one |
| `\r`, `\r\n` and raw line ends | `\n` | for the same reason |
| `(?u)`, `(?iu)` | dropped, `(?i)` | RE2 always folds Unicode |
| lookaround, backreference, possessive, atomic | refused | RE2 has none of them |
| `&&` or a class inside a class | refused | RE2 reads it as other characters |
| `(?x)` | refused | RE2 has no comment mode |

Where RE2 differs knowingly: `(?i)` also folds letters beyond ASCII (a superset of Java's), and `\b` stands between a
Latin letter and a Chinese one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import re2

from .problems import BrokenCondition
from .translation import LINE_ENDS, translate_pattern

PATTERN_LIMIT = 500
"""Characters that a pattern may have."""

PATTERN_MEMORY = 2 * 2**20
"""Bytes that RE2 may use for one pattern: the compiled form and what it learns while matching."""

_DETAIL_LIMIT = 80
_UNKNOWN_PROPERTY = "This \\p{…} is not known. Use a script such as \\p{Han}, or a category such as \\p{L} for letters."
_RE2_SENTENCES = {
    "missing )": "A bracket is opened with “(” and never closed. Close it, or write \\( for the character.",
    "unexpected )": "There is a “)” without its “(”. Remove it, or write \\) for the character.",
    "missing ]": "A character class is opened with “[” and never closed. Close it, or write \\[ for the character.",
    "no argument for repetition operator": (
        "“*”, “+”, “?” or “{…}” stands where there is nothing to repeat. Put something before it, "
        "or write a backslash before it for the character."
    ),
    "bad repetition operator": "Two repetitions follow one another. Keep one of them.",
    "invalid repetition size": (
        "A repetition count is too large or the wrong way round. Counts up to 1000 are possible, also when nested."
    ),
    "invalid escape sequence": "There is a backslash before a letter that has no such meaning. Remove the backslash.",
    "invalid character class range: \\p": _UNKNOWN_PROPERTY,
    "invalid character class range: \\P": _UNKNOWN_PROPERTY,
    "invalid character class range": "A range such as “a-z” in square brackets is the wrong way round or has no end.",
    "trailing \\": "The pattern ends with a single backslash. Remove it, or write \\\\ for the character.",
    "pattern too large": "The pattern is too large to run quickly. Use smaller repetition counts, or two conditions.",
    "expression nesting depth exceeded": "Too many brackets are nested. Use a simpler pattern.",
}


class Searcher(Protocol):
    """What is used of RE2's compiled form."""

    def search(self, text: bytes) -> object: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. `key` is the same for patterns that are.

    `normalise` says which text it runs on: the raw one, or the normalised one with letter case kept.
    """

    expression: str
    normalise: bool
    compiled: Searcher = field(compare=False, repr=False)
    key: str

    def found_in(self, lines: bytes) -> bool:
        """Whether it is found anywhere in a text made by `prepare_lines`."""
        return self.compiled.search(lines) is not None


def compile_pattern(written: str, *, ignore_case: bool, normalise: bool) -> Pattern:
    """Translate and compile a pattern. Raises BrokenCondition on `value` for what cannot be run."""
    if not written.strip():
        raise BrokenCondition("value", "empty_pattern", "Write a pattern: an empty one would match every message.")
    if len(written) > PATTERN_LIMIT:
        raise BrokenCondition(
            "value",
            "pattern_too_long",
            f"The pattern has {len(written)} characters; {PATTERN_LIMIT} are possible. Split it into two conditions.",
        )
    expression = ("(?i)" if ignore_case else "") + translate_pattern(unify_lines(written))
    try:
        compiled = re2.compile(expression, quiet_options(PATTERN_MEMORY))
    except re2.error as error:
        raise BrokenCondition("value", "bad_pattern", _explain(error)) from error
    except UnicodeEncodeError as error:
        raise BrokenCondition("value", "bad_pattern", "The pattern holds half a character. Type it again.") from error
    return Pattern(expression, normalise, compiled, key=f"{normalise:d}{expression}")


def quiet_options(memory: int | None = None) -> re2.Options:
    """RE2 options that write nothing to stderr and only answer whether there is a match."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    if memory is not None:
        options.max_mem = memory
    return options


def unify_lines(text: str) -> str:
    """All line ends become LF, and one final line end is dropped."""
    text = text.replace("\r\n", "\n")
    for line_end in LINE_ENDS:
        if line_end in text:
            text = text.replace(line_end, "\n")
    return text.removesuffix("\n")


def prepare_lines(text: str) -> bytes:
    """A text as patterns see it: UTF-8 with unified line ends."""
    return unify_lines(text).encode()


def _explain(error: re2.error) -> str:
    detail = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error.args[0])
    detail = detail if len(detail) <= _DETAIL_LIMIT else f"{detail[:_DETAIL_LIMIT]}…"
    known = next((sentence for start, sentence in _RE2_SENTENCES.items() if detail.startswith(start)), None)
    return f"{known} ({detail})" if known else f"The pattern cannot be read: {detail}. Check it near that place."
