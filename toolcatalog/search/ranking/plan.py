"""A query ready to be looked up: its terms as a whole, and those of each thing that it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .query import Asked
from .weights import IndexFacts, Scales, Term, WeighedQuery, weigh_query

SPARE_PLACES = 30
"""So many more tools than places are read, for the whole and for each ask, before the fine order is made."""


@dataclass(frozen=True, slots=True)
class AskTerm:
    """One lexeme to look for: its `term` in the whole query, and its `weight` in one ask (`ask`, from 1; 0: in none).

    A lexeme that several asks hold comes once for each, the later ones with nothing in the whole.
    """

    term: Term
    ask: int
    weight: int


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The whole query, and its asks where there are several."""

    whole: WeighedQuery
    asks: tuple[WeighedQuery, ...] = ()

    def list_terms(self) -> Iterator[AskTerm]:
        """Every term of the whole and of the asks."""
        whole = {term.lexeme: term for term in self.whole.terms}
        seen: set[str] = set()
        for number, ask in enumerate(self.asks, 1):
            for term in ask.terms:
                if term.lexeme not in whole:
                    continue  # too frequent to be read
                own = whole[term.lexeme] if term.lexeme not in seen else Term(term.lexeme, 0, 0)
                seen.add(term.lexeme)
                yield AskTerm(own, number, term.weight)
        for term in self.whole.terms:
            if term.lexeme not in seen:
                yield AskTerm(term, 0, 0)


def plan_search(asked: Asked, facts: IndexFacts, *, whole: bool = False) -> SearchPlan:
    """Weigh a query and its asks. With `whole`, half of all that the query carries is required."""
    scales = Scales(facts)
    return SearchPlan(
        weigh_query(asked, scales, whole=whole),
        tuple(weigh_query(ask, scales) for ask in asked.asks if ask.lexemes),
    )
