"""The glossary."""

from __future__ import annotations

from importlib.resources import files

import pytest

from toolcatalog.text.glossary import find_readings
from toolcatalog.text.tokens import split_unspaced, tokenize

LINES = [
    line.split()
    for line in files("toolcatalog.text").joinpath("glossary_zh_en.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def test_glossary__every_line__one_chinese_word_and_plain_english_ones() -> None:
    assert len(LINES) > 1_000
    assert [line for line in LINES if split_unspaced(line[0]) != [line[0]]] == []
    assert [
        line for line in LINES if not line[1:] or not all(word.isascii() and word.isalpha() for word in line[1:])
    ] == []


def test_glossary__no_word__stands_twice() -> None:
    words = [line[0] for line in LINES]
    assert sorted(word for word in set(words) if words.count(word) > 1) == []
    assert [line for line in LINES if len(set(line)) < len(line)] == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("查询天气预报", ["查询", "天气预报"]),
        ("我要买火车票", ["买", "火车票"]),
        ("check the weather", ["check", "weather"]),
        ("解析PDF文件", ["解析", "文件"]),
        ("Unobtainium", []),
    ],
)
def test_find_readings__of_overlapping_words__the_longest(text: str, written: list[str]) -> None:
    assert [reading.written for reading in find_readings(text)] == [tuple(tokenize(word)) for word in written]


def test_find_readings__chinese__the_most_usual_word_first() -> None:
    (reading,) = find_readings("机票")
    assert reading.others == ("flight", "airfar")


def test_find_readings__english__pairs_of_characters_only() -> None:
    (reading,) = find_readings("weather")
    assert reading.others[0] == "天气"
    assert all(len(lexeme) == 2 for lexeme in reading.others)


def test_find_readings__the_same_word_twice__once() -> None:
    assert len(find_readings("天气 天气 weather Weather")) == 2
