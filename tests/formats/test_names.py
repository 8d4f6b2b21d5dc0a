"""Exported names: legal for the provider, unique in any set, the same on any day."""

from __future__ import annotations

import hashlib
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.formats import export_names, get_format

from .support import ALL, VENDORS, make_tool

WORD = set(string.ascii_letters + string.digits + "_")
LEGAL = {
    "openai_chat": WORD | {"-"},
    "openai_responses": WORD | {"-"},
    "anthropic": WORD | {"-"},
    "bedrock": WORD | {"-"},
    "gemini": WORD | set("-.:"),
    "mcp": WORD | set("-."),
}
STRICT_CHARACTERS = ("openai_chat", "openai_responses", "anthropic", "bedrock")


def h8(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def is_legal(format_name: str, name: str) -> bool:
    return 0 < len(name) <= 64 and LEGAL[format_name].issuperset(name)


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("name", ["get_order", "getWeather", "a", "send-mail", "A" * 64])
def test_name__portable__stays(format_name: str, name: str) -> None:
    assert get_format(format_name).export_name(name) == name


@pytest.mark.parametrize("format_name", STRICT_CHARACTERS)
def fmt_N1_dot(format_name: str) -> None:
    assert get_format(format_name).export_name("literature.search_pubmed") == "literature_search_pubmed"


@pytest.mark.parametrize("format_name", ["gemini", "mcp"])
def fmt_N1_dot_is_legal_elsewhere(format_name: str) -> None:
    assert get_format(format_name).export_name("literature.search_pubmed") == "literature.search_pubmed"


@pytest.mark.parametrize("format_name", VENDORS)
def fmt_N2_slash(format_name: str) -> None:
    assert get_format(format_name).export_name("todoist/find-tasks") == "todoist_find-tasks"


@pytest.mark.parametrize("format_name", VENDORS)
def fmt_N3_space(format_name: str) -> None:
    format_ = get_format(format_name)
    exported = format_.export_name("Create CIFS Share")
    assert exported == "Create_CIFS_Share"
    assert "renamed" in {f.code for f in format_.check_tool(make_tool(name="Create CIFS Share"), exported)}


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize("length", [65, 103])
def fmt_N4_long(format_name: str, length: int) -> None:
    name = ("read_the_quarterly_report_of_" * 4)[:length]
    exported = get_format(format_name).export_name(name)
    assert exported == f"{name[:55]}_{h8(name)}"
    assert len(exported) == 64


@pytest.mark.parametrize("format_name", VENDORS)
def fmt_N6_non_ascii(format_name: str) -> None:
    assert get_format(format_name).export_name("查询订单") == f"tool_{h8('查询订单')}"


@pytest.mark.parametrize("format_name", [name for name in VENDORS if name != "mcp"])
def fmt_N6_digit_first(format_name: str) -> None:
    assert get_format(format_name).export_name("2fa_verify") == "t_2fa_verify"


def fmt_N6_digit_first_is_legal_in_mcp() -> None:
    assert get_format("mcp").export_name("2fa_verify") == "2fa_verify"


def test_name__partly_of_another_script__keeps_what_is_legible_and_a_hash() -> None:
    assert get_format("openai_chat").export_name("get_订单") == f"get_{h8('get_订单')}"
    assert get_format("openai_chat").export_name("café_menu") == f"cafe_menu_{h8('café_menu')}"


def test_name__lone_surrogate__still_gives_a_legal_name() -> None:
    assert is_legal("anthropic", get_format("anthropic").export_name("a\ud83d"))


@pytest.mark.parametrize("format_name", VENDORS)
def case_N01_long_id_with_prefix(format_name: str) -> None:
    name = "orders_server." + "x" * 56
    assert len(name) == 70
    assert is_legal(format_name, get_format(format_name).export_name(name))


@pytest.mark.parametrize("format_name", VENDORS)
def case_N03_dots_are_legal_everywhere_and_lead_back(format_name: str) -> None:
    names = export_names(get_format(format_name), ["calendar.respondToEvent"])
    assert is_legal(format_name, names["calendar.respondToEvent"])


@pytest.mark.parametrize("format_name", VENDORS)
def case_N06_names_equal_in_the_first_64_characters(format_name: str) -> None:
    head = "n" * 64
    exported = export_names(get_format(format_name), [f"{head}_one", f"{head}_two"])
    assert len(set(exported.values())) == 2
    assert all(is_legal(format_name, name) for name in exported.values())


def test_names__collision__the_legal_one_keeps_its_name() -> None:
    exported = export_names(get_format("openai_chat"), ["a.b", "a/b", "a_b"])
    assert exported == {"a_b": "a_b", "a.b": f"a_b_{h8('a.b')}", "a/b": f"a_b_{h8('a/b')}"}


def test_names__collision_without_a_legal_one__all_get_a_hash() -> None:
    exported = export_names(get_format("openai_chat"), ["a.b", "a/b"])
    assert exported == {"a.b": f"a_b_{h8('a.b')}", "a/b": f"a_b_{h8('a/b')}"}


def test_names__hashed_name_taken_by_a_legal_one__gets_a_longer_hash() -> None:
    taken = f"a_b_{h8('a.b')}"
    exported = export_names(get_format("anthropic"), ["a.b", "a_b", taken])
    assert exported[taken] == taken
    assert exported["a.b"] == f"a_b_{hashlib.sha256(b'a.b').hexdigest()[:16]}"


def case_N16_unrelated_names_rename_nothing() -> None:
    format_ = get_format("openai_chat")
    before = export_names(format_, ["a.b", "get_order"])
    after = export_names(format_, ["a.b", "get_order", "send_mail", "crm/find"])
    assert before.items() <= after.items()


def test_names__generic__stay() -> None:
    assert export_names(get_format("generic"), ["查询订单", "a.b"]) == {"查询订单": "查询订单", "a.b": "a.b"}


names = st.lists(
    st.one_of(
        st.text(alphabet="ab._/-", min_size=1, max_size=4),
        st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=3),
        st.text(alphabet="ab.", min_size=62, max_size=70),
        st.text(min_size=1, max_size=6),
    ),
    max_size=12,
)


@given(names=names, format_name=st.sampled_from(VENDORS), seed=st.integers(0, 100))
def test_names__any_set__total_legal_unique_and_free_of_order(names: list[str], format_name: str, seed: int) -> None:
    format_ = get_format(format_name)
    exported = export_names(format_, names)
    shuffled = random.Random(seed).sample(names, len(names))
    assert exported.keys() == set(names)
    assert len(set(exported.values())) == len(exported)
    assert all(is_legal(format_name, name) for name in exported.values())
    assert export_names(format_, shuffled) == exported
    assert export_names(format_, exported.values()) == {name: name for name in exported.values()}
