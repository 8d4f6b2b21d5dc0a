"""Requests of any length take about as long as others: what is looked up of them is limited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.search.ranking import IndexFacts, cut_request, plan_search, read_query
from toolcatalog.search.ranking.query import MAX_REQUEST_BYTES
from toolcatalog.search.ranking.weights import MAX_TERMS, MIN_POSTINGS


@given(st.text(max_size=2_000))
def test_cut_request__any_text__whole_or_no_longer_than_the_limit(text: str) -> None:
    cut = cut_request(text)
    assert cut == text or len(cut.encode()) <= MAX_REQUEST_BYTES + 1
    assert (cut == text) == (len(text.encode()) <= MAX_REQUEST_BYTES)


@pytest.mark.parametrize("filler", ["something else ", "其他的事情"])
def test_read_query__ten_thousand_characters__beginning_and_end_are_looked_up(filler: str) -> None:
    asked = read_query(f"weather {filler * 2_000}"[:9_980] + " parcel tracking")
    assert {"weather", "parcel"} <= set(asked.lexemes)


def test_plan_search__hundreds_of_terms__the_rarest_are_kept() -> None:
    characters = "".join(chr(0x4E00 + number) for number in range(200))
    asked = read_query(characters)
    frequencies = {lexeme: 1 + number for number, lexeme in enumerate(asked.lexemes)}
    plan = plan_search(asked, IndexFacts(1_000, frequencies))
    kept = {term.lexeme for term in plan.whole.terms}
    assert len(kept) <= MAX_TERMS < len(asked.lexemes)
    assert max(frequencies[lexeme] for lexeme in kept) <= min(
        (number for lexeme, number in frequencies.items() if lexeme not in kept), default=MIN_POSTINGS
    )
