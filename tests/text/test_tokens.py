"""Text to search terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.text.stop_words import is_quantity
from toolcatalog.text.tokens import MAX_LEXEME_LENGTH, MAX_TEXT_LENGTH, split_words, tokenize

UNWANTED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"}
any_text = st.text(st.characters(exclude_categories=[]), max_size=300)


@pytest.mark.parametrize(
    ("text", "lexemes"),
    [
        ("getHTTPResponse2xx", ["get", "http", "respons", "2", "xx", "gethttpresponse2xx"]),
        ("XMLParser", ["xml", "parser", "xmlparser"]),
        ("create_jira_ticket", ["creat", "jira", "ticket", "createjiraticket"]),
        ("crm.getUserInfo", ["crm", "get", "user", "info", "getuserinfo", "crmgetuserinfo"]),
        ("e-mail", ["mail", "email"]),
        ("merges PDFs", ["merg", "pdf"]),
        ("the DNS of URLs", ["dns", "url"]),
        ("ПолучитьЗаказы", ["получ", "заказ", "получитьзаказ"]),
    ],
)
def b_S2_names_are_split_and_kept_whole(text: str, lexemes: list[str]) -> None:
    assert tokenize(text) == lexemes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("issues", "issue"),
        ("Café RÉSERVATION", "cafe reservation"),
        ("ＰＤＦ　ﬁle", "pdf file"),
        ("ﾒｰﾙ", "メール"),
        ("портфеля", "портфель"),
        ("ёлка", "елка"),
        ("ord\u200ber", "order"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("٣٤", "34"),
        ("gёt_Łódź", "get_lodz".replace("e", "ё")),
    ],
)
def b_S3_what_is_the_same_to_people_is_the_same(one: str, other: str) -> None:
    assert tokenize(one) == tokenize(other) != []


@pytest.mark.parametrize(("one", "other"), [("й", "и"), ("が", "か"), ("订单", "訂單")])
def b_S3_marks_that_make_another_letter_are_kept(one: str, other: str) -> None:
    assert tokenize(one) != tokenize(other)


@pytest.mark.parametrize(
    ("text", "lexemes"),
    [
        ("城市天气", ["城市", "市天", "天气", "城", "市", "天", "气"]),
        ("解析PDF文件", ["解析", "解", "析", "pdf", "文件", "文", "件"]),
        ("请帮我", []),
        ("目的地", ["目的", "的地", "目", "地"]),
        ("メール送信", ["メー", "ール", "送信", "送", "信"]),
        ("초과근무 승인", ["초과근무", "초과", "과근", "근무", "승인"]),
        ("𠮷野家", ["𠮷野", "野家", "𠮷", "野", "家"]),
    ],
)
def b_S1_scripts_without_blanks_give_characters_and_pairs(text: str, lexemes: list[str]) -> None:
    assert tokenize(text) == lexemes


@pytest.mark.parametrize("text", ["", "  ", "the of and", "!?&|", "😀", "\x00", "\ud800", "的", "a"])
def b_S4_text_without_a_topic_gives_nothing_or_itself(text: str) -> None:
    assert tokenize(text) == []


def b_S4_what_looks_like_a_stop_word_in_capitals_is_kept() -> None:
    assert tokenize("IT support for US staff") == ["it", "support", "us", "staff"]


@given(any_text)
def b_S7_any_text_gives_clean_lexemes(text: str) -> None:
    for lexeme in tokenize(text):
        assert 0 < len(lexeme) <= MAX_LEXEME_LENGTH
        assert {unicodedata.category(character) for character in lexeme}.isdisjoint(UNWANTED)
        lexeme.encode()
    assert {word.lexeme for word in split_words(text)} <= set(tokenize(text))


@given(any_text)
def b_S7_letter_case_and_surrounding_signs_of_a_plain_word_do_not_matter(text: str) -> None:
    word = "".join(character for character in text if character.isascii() and character.isalpha()).lower()
    assert tokenize(word) == tokenize(f"  ({word.capitalize()})! ")


@pytest.mark.parametrize("text", ["订" * 30_000, "a" * 30_000, "aB" * 15_000, "a_" * 15_000, "\ufdfa" * 10_000])
def b_S7_long_text_is_cut(text: str) -> None:
    assert len(tokenize(text)) <= 2 * MAX_TEXT_LENGTH
    assert tokenize(text) == tokenize(text + " order")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("get_orders v2", ["get", "orders"]),
        ("calc", ["calc"]),
        ("查询 ab oauth2", ["oauth"]),
        ("the x order", ["order"]),
    ],
)
def b_S11_words_that_may_be_continued(text: str, words: list[str]) -> None:
    assert [word.written for word in split_words(text)] == words


@pytest.mark.parametrize(
    ("lexeme", "expected"),
    [("一张", True), ("三天", True), ("几个", True), ("两", True), ("一致", False), ("天气", False)],
)
def test_is_quantity__numerals_and_what_they_count_by(lexeme: str, expected: bool) -> None:
    assert is_quantity(lexeme) is expected
