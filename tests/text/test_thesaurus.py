"""The thesauri."""

from __future__ import annotations

import pytest

from toolcatalog.text.thesaurus import find_related
from toolcatalog.text.tokens import make_word, split_unspaced, tokenize
from toolcatalog.text.word_lists import read_word_list

ENGLISH = list(read_word_list("thesaurus_en.txt"))
CHINESE = list(read_word_list("thesaurus_zh.txt"))


def test_chinese_lines__a_word_and_others__nothing_but_chinese() -> None:
    assert len(CHINESE) > 500
    assert [line for line in CHINESE if not line[1] or line[0] in line[1]] == []
    words = {word for head, others in CHINESE for word in (head, *others)}
    assert sorted(word for word in words if split_unspaced(word) != [word] or len(word) < 2) == []


def test_english_lines__a_word_and_others__nothing_but_plain_words() -> None:
    assert len(ENGLISH) > 1_000
    assert [line for line in ENGLISH if not line[1] or len(tokenize(line[0])) != 1] == []
    words = {word for head, others in ENGLISH for word in (head, *others)}
    assert sorted(word for word in words if not (word.isascii() and word.isalnum() and word.islower())) == []


def test_lines__no_word__has_two() -> None:
    heads = [word for word, _ in CHINESE] + [make_word(word).lexeme for word, _ in ENGLISH]
    assert sorted(head for head in set(heads) if heads.count(head) > 1) == []


@pytest.mark.parametrize(
    ("text", "related"),
    [("Deleting it", "cancel"), ("一家宾馆", "酒店"), ("宾馆ABC", "酒店"), ("a reliable laptop", "product")],
)
def test_find_related__a_word_in_any_form__what_else_may_be_said(text: str, related: str) -> None:
    assert related in [other for reading in find_related(text) for other in reading.others]


def test_find_related__chinese__pairs_of_characters_only() -> None:
    assert all(len(other) == 2 for other in find_related("宾馆")[0].others)


def test_find_related__unknown_words__nothing() -> None:
    assert find_related("zebra 彡彡") == []


def test_find_related__the_same_word_twice__once() -> None:
    assert len(find_related("宾馆 宾馆 delete deletes")) == 2
