"""Tool names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.text.names import (
    MAX_NAME_LENGTH,
    check_tool_name,
    is_reserved,
    last_segment,
    name_key,
    propose_tool_name,
)

any_text = st.text(st.characters(exclude_categories=[]), max_size=200)


@pytest.mark.parametrize(
    "name",
    ["a", "_a", "1a", "get_order", "get-order", "calendar.respondToEvent", "shop/orders.get", "查询订单", "получить",
     "ค้นหา", "हिन्दी", "a.b-c_d/e", "x" * 128, "popular_tools", "execute/now", "execute_it", "a/.b", "v2."],
)  # fmt: skip
def b_T16_legal_names_pass(name: str) -> None:
    assert check_tool_name(name) is None
    assert propose_tool_name(name) == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "required"),
        ("  ", "required"),
        ("x" * 129, "too_long"),
        ("get order", "bad_character"),
        ("get:order", "bad_character"),
        ("get_order!", "bad_character"),
        ("😀", "bad_character"),
        ("get\u200border", "bad_character"),
        ("get\x00order", "bad_character"),
        ("get\ud800", "bad_character"),
        ("\u3164", "bad_character"),
        ("a\ufe0f", "bad_character"),
        ("e\u0301", "bad_character"),
        ("²", "bad_character"),
        (".hidden", "bad_start"),
        ("-flag", "bad_start"),
        ("/root", "bad_start"),
        ("a//b", "bad_segment"),
        ("a/./b", "bad_segment"),
        ("a/../b", "bad_segment"),
        ("a/", "bad_segment"),
        ("execute", "reserved_path"),
        ("shop/Execute", "reserved_path"),
        ("shop/AVAILABILITY", "reserved_path"),
        ("Popular", "reserved_path"),
    ],
)
def b_T16_other_names_are_refused_with_a_proposal(name: str, code: str) -> None:
    error = check_tool_name(name)
    assert error is not None
    assert (error.path, error.code) == ("name", code)
    assert code == "required" or propose_tool_name(name) in error.message
    error.message.encode()


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("get order", "get_order"),
        ("Get Order!", "Get_Order"),
        ("weather::get now", "weather_get_now"),
        ("get\u200border", "getorder"),
        ("a//b/../c/", "a/b/c"),
        (".hidden", "hidden"),
        ("cafe\u0301", "café"),
        ("查询 订单？", "查询_订单"),
        ("execute", "execute_tool"),
        ("popular", "popular_tool"),
        ("toolsearch", "toolsearch_tool"),
        ("", "tool"),
        ("😀", "tool"),
    ],
)
def b_T16_proposals_stay_near_what_was_meant(text: str, proposal: str) -> None:
    assert propose_tool_name(text) == proposal


@given(any_text)
def b_T16_every_proposal_is_legal_and_unreserved(text: str) -> None:
    proposal = propose_tool_name(text)
    assert check_tool_name(proposal) is None
    assert not is_reserved(proposal)
    assert propose_tool_name(proposal) == proposal


def b_T16_long_names_that_begin_alike_get_different_proposals() -> None:
    first, second = ("x" * MAX_NAME_LENGTH + end for end in "ab")
    assert propose_tool_name(first) != propose_tool_name(second)
    assert len(propose_tool_name(first)) == MAX_NAME_LENGTH


@pytest.mark.parametrize(
    "name",
    ["toolSearch", "TOOLSEARCH", "toolsearch", "search_tools", "Search_Tools", "EXECUTE_dynamic_TOOL", "ｔoolSearch"],
)
def b_T2_entry_and_meta_names_are_reserved_in_every_letter_case(name: str) -> None:
    assert is_reserved(name)


def b_T2_a_profiles_own_entry_name_is_reserved() -> None:
    assert is_reserved("FindTool", ["findTool"])
    assert not is_reserved("findTool")
    assert not is_reserved("get_order", ["findTool"])


@pytest.mark.parametrize(
    "name", ["getWeather", "get_weather", "Get Weather", "GET-WEATHER", "get.weather", "ｇet weather"]
)
def b_T14_one_key_for_every_spelling(name: str) -> None:
    assert name_key(name) == "getweather"


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("get_order", "get_order"),
        ("crm.get_order", "get_order"),
        ("crm/get_order", "get_order"),
        ("crm__get_order", "get_order"),
        ("a/b.c__d", "d"),
        ("__init", "__init"),
        ("v2.", "v2."),
        ("a__", "a__"),
        (".", "."),
        ("", ""),
    ],
)
def b_T14_the_last_segment(name: str, segment: str) -> None:
    assert last_segment(name) == segment
