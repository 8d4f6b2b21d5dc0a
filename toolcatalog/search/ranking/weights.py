"""What each term of a query is worth in one index, and what a tool must meet to be an answer at all.

The score of a tool is the sum, over the query's terms that it holds, of the term's weight times the tool's impact
(see `impacts`). A term's weight is its rarity, ln(1 + tools / tools with the term): never negative, and above zero
even where every tool has the term. A word that no tool has counts as one that half a tool has.

Abstention (S4, S13): a tool is an answer only if the terms that it shares with the query carry enough information:
at least half of what one word unknown to the index would carry, or half of all that the query carries. Information is
rarity again, smoothed as if `_BACKGROUND_TOOLS` more tools existed, so that a catalog of three tools does not take its
own topic for a common word. Numbers and quantities (三天, 一张) carry none: they are arguments. Words that fit most
tools (get, list, 查询) and single Chinese characters carry a part of it.

Everything is in whole numbers (thousandths), so that every provider adds up to the same sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import log

from toolcatalog.text.stop_words import COMMON_WORDS, is_quantity
from toolcatalog.text.tokens import Word, is_single_character, tokenize
from toolcatalog.text.word_lists import Reading

from .impacts import MAX_IMPACT
from .query import Asked

MAX_POSTINGS = 200_000
MIN_POSTINGS = 8_000
POSTINGS_PER_TOOL = 2
"""Of so many postings those of the rarest terms are read, so that no request takes much longer than others: two for
each tool, within these limits.
"""

MAX_TERMS = 160
"""So many terms are looked for, the rarest ones. A request of 120 characters seldom has as many."""

MAX_CONTINUATIONS = 12
"""So many words that begin with a query's word are taken, the shortest first."""

BEST_INEXACT_SCORE = 0.99
"""The score 1 is for exact names."""

_WEIGHT_SCALE = 1_000
_UNKNOWN_FREQUENCY = 0.5
_BACKGROUND_TOOLS = 1_000
_SINGLE_CHARACTER_SHARE = 0.3
_COMMON_WORD_SHARE = 0.3
_COMMON_CHARACTER_SHARE = 0.1
_CONTINUATION_FACTOR = 0.5
_OTHER_READING_FACTOR = 0.5
_RELATED_FACTOR = 0.25
_ONLY_RELATED_FACTOR = 0.5
_RELATED_INFORMATION_SHARE = 0.5
_REQUIRED_SHARE = 0.5

_COMMON_LEXEMES = frozenset(lexeme for word in COMMON_WORDS for lexeme in tokenize(word))


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """What one index knows of a query's terms, over the owners in scope only.

    `tools` is the number of tools; `frequencies` how many hold a lexeme (left out: none); `continuations` leads from a
    word of the query to words of the index that begin with it, shortest first, with their lexemes' frequencies in
    `frequencies`.
    """

    tools: int
    frequencies: Mapping[str, int]
    continuations: Mapping[Word, Sequence[Word]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """One lexeme to look for: `weight` multiplies impacts, `information` is what meeting it tells."""

    lexeme: str
    weight: int
    information: int


@dataclass(frozen=True, slots=True)
class WeighedQuery:
    """The terms to look for, what a tool's information has to reach (`required`), the best score possible, and all the
    information that the query carries.
    """

    terms: tuple[Term, ...]
    required: int
    ceiling: int
    carried: int = 0


def weigh_query(asked: Asked, scales: Scales, *, whole: bool = False) -> WeighedQuery:
    """Weigh the terms of a query. With `whole`, half of all that the query carries is required, never less."""
    facts = scales.facts
    written = {lexeme: scales.weigh(lexeme) for lexeme in asked.lexemes}
    translated = [_translate(reading, scales) for reading in asked.readings]
    counted = _count_once(asked, written, translated, facts)
    carried = sum(term.information for term in counted)
    required = _REQUIRED_SHARE * (carried if whole else min(carried, scales.unknown_information))
    terms = dict(written)
    others = (*chain.from_iterable(translated), *_continue_words(asked, scales), *_relate_words(asked, scales))
    for term in others:
        present = terms.get(term.lexeme)
        if present is None or present.weight < term.weight:
            terms[term.lexeme] = term
    ceiling = MAX_IMPACT * sum(term.weight for term in counted)
    return WeighedQuery(_keep_within_budget(terms.values(), facts), round(required), ceiling, carried)


class Scales:
    """Rarity and information in one index; remembers what it has weighed."""

    def __init__(self, facts: IndexFacts) -> None:
        self.facts = facts
        self.tools = facts.tools
        self.frequencies = facts.frequencies
        self.unknown_information = self._inform(0)
        self._weighed: dict[str, Term] = {}

    def weigh(self, lexeme: str) -> Term:
        """The term for a lexeme that stands in a query."""
        term = self._weighed.get(lexeme)
        if term is None:
            term = self._weighed[lexeme] = self._weigh(lexeme)
        return term

    def _weigh(self, lexeme: str) -> Term:
        frequency = self.frequencies.get(lexeme, 0)
        rarity = log(1 + self.tools / (frequency or _UNKNOWN_FREQUENCY))
        return Term(lexeme, round(_WEIGHT_SCALE * rarity), round(_share(lexeme) * self._inform(frequency)))

    def _inform(self, frequency: int) -> float:
        smoothed = frequency + 1 if frequency else _UNKNOWN_FREQUENCY
        return _WEIGHT_SCALE * log(1 + (self.tools + _BACKGROUND_TOOLS) / smoothed)


def is_common(lexeme: str) -> bool:
    """Whether a lexeme names what most tools do or speak of (see `COMMON_WORDS`)."""
    return lexeme in _COMMON_LEXEMES


@lru_cache(10_000)
def _share(lexeme: str) -> float:
    """How much of its information a lexeme carries."""
    if is_quantity(lexeme):
        return 0.0
    if is_single_character(lexeme):
        return _COMMON_CHARACTER_SHARE if is_common(lexeme) else _SINGLE_CHARACTER_SHARE
    if is_common(lexeme):
        return _COMMON_WORD_SHARE
    return 1.0 if lexeme.isalpha() or not any(map(str.isdecimal, lexeme)) else 0.0


def _translate(reading: Reading, scales: Scales) -> list[Term]:
    """Terms for what a word may stand for in the other language, where some tool has it, the most usual first.

    A common word carries no information in translation: it has several, and would carry it once for each.
    """
    known = [scales.weigh(lexeme) for lexeme in reading.others if scales.frequencies.get(lexeme)]
    return [
        Term(
            term.lexeme,
            round((1 if rank == 0 else _OTHER_READING_FACTOR) * term.weight),
            0 if is_common(term.lexeme) else term.information,
        )
        for rank, term in enumerate(known)
    ]


def _count_once(
    asked: Asked, written: Mapping[str, Term], translated: Sequence[Sequence[Term]], facts: IndexFacts
) -> list[Term]:
    """The terms that make up what the query carries: a word known only in translation counts as its translation."""
    readings = [(reading, terms) for reading, terms in zip(asked.readings, translated, strict=True) if terms]
    replaced = {lexeme for reading, _ in readings for lexeme in reading.written if not facts.frequencies.get(lexeme)}
    kept = {lexeme: term for lexeme, term in written.items() if lexeme not in replaced}
    for reading, terms in readings:
        if replaced.issuperset(reading.written):
            kept.setdefault(terms[0].lexeme, terms[0])
    return list(kept.values())


def _continue_words(asked: Asked, scales: Scales) -> list[Term]:
    """Terms for words that begin with one of the query (S11): worth less the more is missing, never more than it."""
    terms = []
    for word in asked.words:
        own = scales.weigh(word.lexeme)
        for longer in scales.facts.continuations.get(word, ()):
            found = scales.weigh(longer.lexeme)
            factor = _CONTINUATION_FACTOR * len(word.written) / len(longer.written)
            weight = round(factor * min(own.weight, found.weight))
            terms.append(Term(longer.lexeme, weight, min(own.information, found.information)))
    return terms


def _relate_words(asked: Asked, scales: Scales) -> list[Term]:
    """Terms for what else may be said for the query's words: never worth more than half of the word's own weight.

    More where the catalog does not know the word itself. As in translation, a common word carries no information.
    """
    terms = []
    for reading in asked.related:
        for lexeme in reading.others:
            if not scales.frequencies.get(lexeme) or lexeme in asked.lexemes:
                continue
            known = [word for word in reading.written if scales.frequencies.get(word)]
            found = scales.weigh(lexeme)
            weight = _RELATED_FACTOR * min([found.weight, *(scales.weigh(word).weight for word in known)])
            if not known:
                weight = _ONLY_RELATED_FACTOR * found.weight
            information = 0 if is_common(lexeme) else round(_RELATED_INFORMATION_SHARE * found.information)
            terms.append(Term(lexeme, round(weight), information))
    return terms


def _keep_within_budget(terms: Iterable[Term], facts: IndexFacts) -> tuple[Term, ...]:
    known = [term for term in terms if facts.frequencies.get(term.lexeme)]
    known.sort(key=lambda term: (facts.frequencies[term.lexeme], term.lexeme))
    budget = max(MIN_POSTINGS, min(MAX_POSTINGS, POSTINGS_PER_TOOL * facts.tools))
    kept: list[Term] = []
    postings = 0
    for term in known[:MAX_TERMS]:
        postings += facts.frequencies[term.lexeme]
        if kept and postings > budget:
            break
        kept.append(term)
    return tuple(kept)
