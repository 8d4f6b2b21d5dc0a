"""Slugs of categories and tags, in any script."""

from __future__ import annotations

import pytest

from toolcatalog.curation.references import make_label_slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Mail Order", "mail-order"),
        ("  mail -- order_2 ", "mail-order_2"),
        ("天气", "天气"),
        ("Été à Paris!", "été-à-paris"),
        ("ＭＡＩＬ", "mail"),
        ("ഉപഭോക്താവ്", "ഉപഭോക്താവ്"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("ไทยแลนด์ที่นี่", "ไทยแลนด์ที่นี่"),
        ("مُحَمَّد", "مُحَمَّد"),
    ],
)
def test_label_slug__letters_of_any_script__keep_their_marks(text: str, slug: str) -> None:
    assert make_label_slug(text) == slug
    assert make_label_slug(slug) == slug


@pytest.mark.parametrize("text", ["", "!?", "--", "\u0301\u0302", "☂️"])
def test_label_slug__without_a_letter__is_the_word_for_that(text: str) -> None:
    assert make_label_slug(text) == "unnamed"
    assert make_label_slug(text, without="") == ""


def test_label_slug__words_that_differ_in_vowel_signs_alone__differ() -> None:
    assert make_label_slug("दिन") != make_label_slug("दान")
