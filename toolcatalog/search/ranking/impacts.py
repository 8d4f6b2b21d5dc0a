"""What a tool's text is worth as an answer to each of its lexemes: BM25F, without the part that depends on others.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6: the frequencies of
a lexeme in the fields, each normalised by the field's length, are added up by weight and then saturated once:

    tf(t)     = sum over fields of weight * frequency / (1 - b + b * length / average length)
    impact(t) = (k1 + 1) * tf(t) / (k1 + tf(t))

Ours: all that a tool's parameters add to one lexeme is capped below one mention in a description, so that long lists
of parameters do not float a tool up (S5), and a deprecated tool's impacts are lowered, so that it ranks after equals.

Impacts are whole numbers: sums of them are the same in any order, on any server and in any provider.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.text.tokens import Word, read_text

from .fields import Field, FieldText, read_fields

SATURATION = 1.6
IMPACT_SCALE = 10_000
MAX_IMPACT = round(IMPACT_SCALE * (SATURATION + 1))
"""What no impact reaches; fits two bytes."""

_PARAMETERS_CAP = 0.9
_DEPRECATED_FACTOR = 0.9


@dataclass(frozen=True, slots=True)
class Posting:
    """What one lexeme is worth in one tool: `impact` in 1/`IMPACT_SCALE`, `fields` the bit set of where it stands."""

    impact: int
    fields: int


@dataclass(frozen=True, slots=True)
class IndexedTool:
    """All that an index keeps of one tool's text."""

    postings: Mapping[str, Posting]
    words: tuple[Word, ...]


def index_document(document: SearchDocument) -> IndexedTool:
    """Turn a tool's searchable text into postings and the words that may be met by their beginning."""
    texts = read_fields(document)
    frequencies: dict[str, float] = defaultdict(float)
    from_parameters: dict[str, float] = defaultdict(float)
    fields: dict[str, int] = defaultdict(int)
    words: dict[str, Word] = {}
    for text in texts:
        lexemes, written = read_text(text.text)
        words.update((word.written, word) for word in written)
        bit = int(text.field)
        target = from_parameters if text.field is Field.PARAMETERS else frequencies
        for lexeme, frequency in _weigh(text, lexemes):
            target[lexeme] += frequency
            fields[lexeme] |= bit
    for lexeme, frequency in from_parameters.items():
        frequencies[lexeme] += min(frequency, _PARAMETERS_CAP)
    factor = IMPACT_SCALE * (_DEPRECATED_FACTOR if document.deprecated else 1.0)
    impacts = {lexeme: max(1, round(factor * _saturate(value))) for lexeme, value in frequencies.items()}
    return IndexedTool(
        {lexeme: Posting(impact, fields[lexeme]) for lexeme, impact in impacts.items()},
        tuple(words.values()),
    )


def _weigh(text: FieldText, lexemes: Sequence[str]) -> Iterable[tuple[str, float]]:
    counts = Counter(lexemes)
    relative_length = counts.total() / text.average_length
    factor = text.weight / (1 - text.normalisation + text.normalisation * relative_length)
    return ((lexeme, factor * count) for lexeme, count in counts.items())


def _saturate(frequency: float) -> float:
    return (SATURATION + 1) * frequency / (SATURATION + frequency)
