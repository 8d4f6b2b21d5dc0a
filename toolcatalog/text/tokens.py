"""Text to search terms ("lexemes"): one function for what is indexed and for what is asked.

- Compatibility forms, letter case, invisible characters and accents make no difference; neither do the digits' script.
- `getHTTPResponse`, `get_http_response`, `get-http-response` and `get.http.response` split at every change of case,
  between letters and digits, and at separators. The joined whole is a lexeme too, so `gethttpresponse` meets them.
- Words are stemmed (see `stems`) and stop words dropped (see `stop_words`).
- Chinese, Thai and other scripts without blanks give single characters and pairs of neighbours; Japanese kana give
  pairs; Korean gives the word and its pairs, which meet whatever particle follows the noun.
- A change of script is a border: `解析PDF文件` gives `解析`, `pdf` and `文件`.

Everything here is linear in the text, of which only the first `MAX_TEXT_LENGTH` characters count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from .normalise import normalise_text
from .stems import find_stem
from .stop_words import EMPTY_CHARACTERS, KEPT_IN_CAPITALS, STOP_WORDS

TOKENIZER_VERSION = 1
"""Goes up with every change that gives any text other lexemes: what was indexed before has to be indexed again."""

MAX_TEXT_LENGTH = 10_000
MAX_LEXEME_LENGTH = 64
MIN_PREFIX_LENGTH = 3

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f"
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_SOUTH_EAST_ASIAN = "\u0e01-\u0eff\u0f00-\u109f\u1780-\u17ff"
_INDIC = "\u0900-\u0dff"
_LETTER = f"[^\\W_{_HAN}{_KANA}{_HANGUL}{_SOUTH_EAST_ASIAN}]|[{_INDIC}]"

_RUNS = re.compile(
    f"(?P<unspaced>[{_HAN}]+|[{_SOUTH_EAST_ASIAN}]+)|(?P<kana>[{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)"
    f"|(?P<word>(?:{_LETTER})+(?:[_.-](?:{_LETTER})+)*)"
)
_SEPARATOR = re.compile(r"[_.-]")
_PARTS = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+"
    r"|[А-ЯЀ-Џ]+(?=[А-ЯЀ-Џ][а-яѐ-џ])|[А-ЯЀ-Џ]?[а-яѐ-џ]+|[А-ЯЀ-Џ]+"
    f"|[{_INDIC}]+|[^\\W\\da-zA-Zа-яА-ЯѐѐЀ-џ]+"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of an alphabetic script as it was written (case folded) and the lexeme it became."""

    written: str
    lexeme: str


@dataclass(frozen=True, slots=True)
class _Chunk:
    lexemes: tuple[str, ...]
    words: tuple[Word, ...]


def tokenize(text: str) -> list[str]:
    """The lexemes of `text` in order, repeated as often as they occur."""
    return _collect(_split_runs(text), _read_lexemes)


def read_text(text: str) -> tuple[list[str], list[Word]]:
    """What `tokenize` and `split_words` answer, in one pass over the text."""
    runs = _split_runs(text)
    return _collect(runs, _read_lexemes), _collect_words(runs)


def tokenize_parts(text: str) -> list[str]:
    """As `tokenize`, without the joined wholes of compound names: `getOrder` is two lexemes.

    For names of tools, of which there are many: nothing is kept of them but stems.
    """
    return _collect(_find_runs(text), lambda run: [_find_lexeme(part) for part in _find_topics(_split_names(run))])


def _collect(runs: Iterable[tuple[str, str]], read_word: Callable[[str], Sequence[str]]) -> list[str]:
    lexemes: list[str] = []
    for kind, run in runs:
        if kind == "word":
            lexemes.extend(read_word(run))
        elif kind == "unspaced":
            lexemes.extend(_pair_neighbours(run))
            lexemes.extend(character for character in run if character not in EMPTY_CHARACTERS)
        elif kind == "kana":
            lexemes.extend(_pair_neighbours(run) or run)
        else:
            lexemes.append(run[:MAX_LEXEME_LENGTH])
            lexemes.extend(_pair_neighbours(run) if len(run) > 2 else ())
    return lexemes


def split_words(text: str) -> list[Word]:
    """The distinct words of `text` that may be met by their beginning or with a typing error, in order.

    These are words of alphabetic scripts with at least `MIN_PREFIX_LENGTH` letters. Of a compound name they are its
    parts: a joined whole that begins with a word tells nothing that the part has not told.
    """
    return _collect_words(_split_runs(text))


def _collect_words(runs: Iterable[tuple[str, str]]) -> list[Word]:
    words: dict[Word, None] = {}
    for kind, run in runs:
        if kind == "word":
            words.update(dict.fromkeys(_read_chunk(run).words))
    return list(words)


def split_unspaced(text: str) -> list[str]:
    """The runs of `text` that are written without blanks between words, such as Chinese."""
    return [run for kind, run in _split_runs(text) if kind == "unspaced"]


def make_word(written: str) -> Word:
    """A word as written, or a whole name without separators, with the lexeme that it has in an index."""
    folded = written.casefold()[:MAX_LEXEME_LENGTH]
    return Word(folded, find_stem(folded))


def _find_lexeme(written: str) -> str:
    return find_stem(written.casefold()[:MAX_LEXEME_LENGTH])


def is_single_character(lexeme: str) -> bool:
    """Whether `lexeme` is one character of a script without blanks: a hint of a topic, seldom a topic."""
    return len(lexeme) == 1 and not lexeme.isascii()


@lru_cache(8)
def _split_runs(text: str) -> Sequence[tuple[str, str]]:
    """The last few are kept, since a query is looked at several times."""
    return _find_runs(text)


def _find_runs(text: str) -> Sequence[tuple[str, str]]:
    return [(str(match.lastgroup), match.group()) for match in _RUNS.finditer(_prepare(text))]


def _prepare(text: str) -> str:
    """One form of every character, with letter case kept, since it marks where names split."""
    text = text[:MAX_TEXT_LENGTH]
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_PLAIN)[:MAX_TEXT_LENGTH]


def _pair_neighbours(run: str) -> list[str]:
    return [
        first + second
        for first, second in pairwise(run)
        if not (first in EMPTY_CHARACTERS and second in EMPTY_CHARACTERS)
    ]


@lru_cache(20_000)
def _read_chunk(chunk: str) -> _Chunk:
    """The lexemes and words of letters and digits that stand together, perhaps with `_`, `.` or `-` between them."""
    names = _split_names(chunk)
    wholes = ["".join(name) for name in names if len(name) > 1]
    if len(names) > 1 and sum(map(len, names)) > 1:
        wholes.append("".join(chain.from_iterable(names)))
    words = [make_word(written) for written in _find_topics(names)]
    return _Chunk(
        lexemes=(*(word.lexeme for word in words), *map(_find_lexeme, dict.fromkeys(wholes))),
        words=tuple(word for word in words if len(word.written) >= MIN_PREFIX_LENGTH and word.written.isalpha()),
    )


def _read_lexemes(chunk: str) -> Sequence[str]:
    return _read_chunk(chunk).lexemes


def _split_names(chunk: str) -> Sequence[Sequence[str]]:
    """The parts of each of the names that separators divide a chunk into."""
    return [_PARTS.findall(name) for name in _SEPARATOR.split(chunk)]


def _find_topics(names: Iterable[Sequence[str]]) -> list[str]:
    parts = list(chain.from_iterable(names))
    return [part for part in parts if _carries_topic(part, is_alone=len(parts) == 1)]


def _carries_topic(part: str, *, is_alone: bool) -> bool:
    if part.casefold() in STOP_WORDS:
        return part in KEPT_IN_CAPITALS
    return is_alone or len(part) > 1 or not (part.isascii() and part.isalpha())


class _PlainCharacters(dict[int, str | None]):
    """For `str.translate`: letters without accents, invisible characters as nothing; filled as characters come up.

    Accents are taken from Latin and Greek letters only. In other scripts the marks make another letter (й, が), except
    that ё is commonly written е, and that Arabic and Hebrew vowel points are optional.
    """

    def __missing__(self, code: int) -> str | None:
        plain = _find_plain(chr(code))
        self[code] = plain
        return plain


_WITHOUT_DECOMPOSITION = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ё": "е", "Ё": "Е"}
)
_OPTIONAL_MARKS = ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0640, 0x0640), (0x064B, 0x0652))


def _find_plain(character: str) -> str | None:
    code = ord(character)
    if any(first <= code <= last for first, last in _OPTIONAL_MARKS):
        return None
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if not (character.isspace() or normalise_text(character)):
        return None
    if code < 0x0400 or 0x1E00 <= code < 0x2000:
        character = unicodedata.normalize("NFD", character)[0]
    return character.translate(_WITHOUT_DECOMPOSITION)


_PLAIN = _PlainCharacters()
