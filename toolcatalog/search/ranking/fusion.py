"""The fine order of the best tools: how well each fits the whole query, how well one of its asks, and its own name.

    fit(t)   = sum of the whole / the best such sum
    ask(t)   = largest over the asks of: sum of the ask / geometric mean of the ask's best sum and the whole's best sum
    name(t)  = the share of the tool's name that the query speaks of; common words count less, related ones half
    order(t) = (0.6 fit + 0.4 ask, or fit where there is one ask) + 0.15 name

So each ask finds its tool, the more so the more it carries, and of two tools that hold the same words the one comes
first that has nothing else in its name. "The best sum" is never taken for less than a tenth of the best one possible:
one weak hit among strangers is no perfect one. All weights were measured on eight public sets at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from toolcatalog.text.tokens import tokenize_parts

from .plan import SearchPlan
from .query import Asked
from .weights import BEST_INEXACT_SCORE, is_common

NAME_WEIGHT = 0.15

_WHOLE_SHARE = 0.6
_FLOOR = 0.1
_COMMON_PART = 0.3
_RELATED_PART = 0.5
_KEPT_NAMES = 4_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that met enough of the query: its name, the sum of its terms, the information that it met, in which fields
    (a bit set), and its sums in each ask, in their order.
    """

    tool_id: int
    name: str
    score: int
    information: int
    fields: int
    asks: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class RankedTool:
    """A candidate in its place. `score` is from 0 to 0.99; `order` compares tools of one query only."""

    tool_id: int
    name: str
    score: float
    order: float
    fields: int


def rank_candidates(asked: Asked, plan: SearchPlan, candidates: Iterable[Candidate]) -> list[RankedTool]:
    """The candidates, best first; ties by name, then by id.

    A score is the place in that order, 1 for the best possible, times the share of the query, by rarity, that the best
    candidate meets.
    """
    found = list(candidates)
    if not found or not plan.whole.ceiling:
        return []
    best = max([_FLOOR * plan.whole.ceiling, *(each.score for each in found)])
    scale = _AskScale(best, found)
    spoken = weigh_speech(asked)
    ranked = []
    for each in found:
        order = scale.fit(each) + NAME_WEIGHT * cover_name(each.name, spoken)
        score = min(BEST_INEXACT_SCORE, order / (1 + NAME_WEIGHT) * best / plan.whole.ceiling)
        ranked.append(RankedTool(each.tool_id, each.name, score, order, each.fields))
    ranked.sort(key=lambda tool: (-tool.order, tool.name, tool.tool_id))
    return ranked


class _AskScale:
    def __init__(self, best: float, candidates: Sequence[Candidate]) -> None:
        self._best = best
        self._divisors = [sqrt(best * max(sums)) for sums in zip(*(each.asks for each in candidates), strict=True)]

    def fit(self, candidate: Candidate) -> float:
        whole = candidate.score / self._best
        if not self._divisors:
            return whole
        asks = [each / by for each, by in zip(candidate.asks, self._divisors, strict=True) if by]
        return _WHOLE_SHARE * whole + (1 - _WHOLE_SHARE) * max(asks, default=0.0)


def weigh_speech(asked: Asked) -> Mapping[str, float]:
    """How far the query speaks of a lexeme: 1 as written or translated, a half where only the thesaurus knows it."""
    spoken = {other: _RELATED_PART for reading in asked.related for other in reading.others}
    spoken.update((other, 1.0) for reading in asked.readings for other in reading.others)
    spoken.update((lexeme, 1.0) for lexeme in asked.lexemes)
    return spoken


def cover_name(name: str, spoken: Mapping[str, float]) -> float:
    """The share of a tool's name that the query speaks of."""
    return sum([weight * spoken[lexeme] for lexeme, weight in _weigh_name(name) if lexeme in spoken])


@lru_cache(_KEPT_NAMES)
def _weigh_name(name: str) -> tuple[tuple[str, float], ...]:
    """The parts of a name and what each is of it; together 1."""
    parts = {lexeme: _COMMON_PART if is_common(lexeme) else 1.0 for lexeme in tokenize_parts(name)}
    total = sum(parts.values())
    return tuple((lexeme, weight / total) for lexeme, weight in parts.items())
