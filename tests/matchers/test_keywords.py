"""G9: keywords. Reliability R8: the table of what normalising makes equal."""

from __future__ import annotations

import pytest

from tests.matchers.builders import fact, holds, is_broken, refusals, request, row, says
from toolcatalog.text import normalise_text


def b_G9_any_keyword_of_several_is_enough() -> None:
    condition = says("订单", "物流")
    assert holds(condition, request("我的物流到哪了"))
    assert not holds(condition, request("今天天气"))


def b_G9_contains_all_needs_every_keyword() -> None:
    condition = row("message", "contains_all", ["订单", "物流"])
    assert holds(condition, request("订单的物流"))
    assert not holds(condition, request("订单的天气"))


def b_G9_keywords_may_be_written_one_a_line() -> None:
    condition = row("message", "contains_any", "订单\r\n\n  物流  \n")
    assert holds(condition, request("查物流"))
    assert not holds(condition, request("查天气"))


def b_G9_case_is_ignored_by_default_and_can_be_kept() -> None:
    assert holds(says("ORDER"), request("my order please"))
    assert not holds(says("ORDER", ignore_case=False), request("my order please"))
    assert holds(says("ＯＲＤＥＲ", ignore_case=False), request("my ORDER please"))


def b_G9_blank_keywords_are_skipped() -> None:
    assert not holds(says("", "  ", "\u200b", "订单"), request("天气"))


@pytest.mark.parametrize("value", [[], ["", " "], ["\u200b"], "", "\n \n", None])
def b_G9_a_list_without_keywords_is_refused(value: list[str] | str | None) -> None:
    condition = row("message", "contains_any", value)
    assert [path for path, _ in refusals(condition)] == ["matchers[0].value"]
    assert is_broken(condition, request("anything"))


@pytest.mark.parametrize("value", [[5], [True], [["订单"]], {"a": "b"}, 5])
def b_G9_keywords_that_are_no_text_are_refused(value: object) -> None:
    condition = row("message", "contains_any", value)  # type: ignore[arg-type]  # wrong on purpose
    assert [path for path, _ in refusals(condition)] == ["matchers[0].value"]


def b_G9_whole_word_minds_letters_on_either_side() -> None:
    condition = says("order", whole_word=True)
    assert holds(condition, request("Order!"))
    assert holds(condition, request("border or order?"))
    assert not holds(condition, request("the border"))
    assert not holds(condition, request("border"))
    assert not holds(condition, request("orders"))
    assert not holds(condition, request("order_id"))
    assert not holds(says("café", whole_word=True), request("cafés"))


def b_G9_whole_word_ends_where_chinese_begins() -> None:
    assert holds(says("order", whole_word=True), request("查order单"))
    assert holds(says("订单", whole_word=True), request("我的订单号"))


def b_G9_without_normalising_full_width_letters_differ() -> None:
    assert holds(says("order"), request("ＯＲＤＥＲ"))
    assert not holds(says("order", normalise=False), request("ＯＲＤＥＲ"))


def b_G9_a_list_attribute_contains_its_items() -> None:
    condition = fact("roles", "contains_any", ["finance", "admin"])
    assert holds(condition, request(attributes={"roles": ["support", "finance"]}))
    assert not holds(condition, request(attributes={"roles": ["financier"]}))
    assert is_broken(condition, request(attributes={"roles": [1]}))


@pytest.mark.parametrize("length", [10, 255, 256, 300, 5_000])
@pytest.mark.parametrize("keyword", ["单", "订单", "ab", "abc", "order number", "é", "订单号码"])
def b_G9_a_keyword_is_found_in_texts_of_every_length(keyword: str, length: int) -> None:
    filler = ("天气很好, fine weather ad bc " * (length // 20 + 1))[:length]
    assert holds(says(keyword), request(f"{filler}{keyword}"))
    assert holds(says(keyword), request(f"{keyword}{filler}"))
    assert not holds(says(keyword), request(filler.replace("b", "d")))


SAME = [
    ("ＯＲＤＥＲ", "order"),
    ("ﬁ", "fi"),
    ("ß", "SS"),
    ("①", "1"),
    ("ｶﾞｷﾞ", "ガギ"),
    ("İ", "i"),
    ("İstanbul", "istanbul"),
    ("订\u200b单", "订单"),
    ("订\u2060单", "订单"),
    ("订\ufeff单", "订单"),
    ("订\u00ad单", "订单"),
    ("订\u202e单", "订单"),
    ("订\u2066单", "订单"),
    ("订\ufe0f单", "订单"),
    ("订\U000e0041单", "订单"),
    ("a \u3000\t b", "a b"),
    ("Σ", "ς"),
    ("e\u0301", "é"),
]
DIFFERENT = [("訂單", "订单"), ("ı", "i"), ("é", "e"), ("订 单", "订单")]


@pytest.mark.parametrize(("one", "other"), SAME)
def rel_R8_text_that_reads_the_same_is_the_same(one: str, other: str) -> None:
    assert normalise_text(one) == normalise_text(other)
    assert holds(says(one), request(f"看{other}吧"))
    assert holds(says(other), request(f"看{one}吧"))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def rel_R8_text_that_means_something_else_stays_different(one: str, other: str) -> None:
    assert normalise_text(one) != normalise_text(other)
    assert not holds(says(one), request(other))
