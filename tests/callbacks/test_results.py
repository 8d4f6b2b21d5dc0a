"""Results as JSON: what has a form, what is cut, and what cannot be encoded."""

from __future__ import annotations

import dataclasses
import ipaddress
import math
from collections import OrderedDict, UserDict, UserList, deque, namedtuple
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

from toolcatalog.callbacks import encode_result
from toolcatalog.callbacks.errors import CannotEncode
from toolcatalog.contract.json import find_unstorable

LIMIT = 100_000


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Point:
    x: int
    when: date


class Model(BaseModel):
    price: Decimal
    inner: Point | None = None
    other: int = Field(default=1, alias="otherName")


class Many(RootModel[list[int]]):
    pass


Pair = namedtuple("Pair", "left right")  # people return them
NUMBER = UUID("01234567-89ab-cdef-0123-456789abcdef")


def encoded(value: object, limit: int = LIMIT) -> Any:
    return orjson.loads(encode_result(value, limit).body)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (1.5, 1.5),
        ("文字", "文字"),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (time(3, 4), "03:04:00"),
        (timedelta(days=1, seconds=5), "P1DT5S"),
        (Decimal("0.10"), "0.10"),
        (NUMBER, str(NUMBER)),
        (PurePosixPath("/a/b"), "/a/b"),
        (ipaddress.ip_address("::1"), "::1"),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Fraction(1, 2), 0.5),
        (b"bytes \xe2\x82\xac", "bytes €"),
        (Point(1, date(2026, 1, 2)), {"x": 1, "when": "2026-01-02"}),
        (Model(price=Decimal("1.50"), inner=Point(1, date(2026, 1, 2))),
         {"price": "1.50", "inner": {"x": 1, "when": "2026-01-02"}, "otherName": 1}),
        (Many([1, 2]), [1, 2]),
        (Pair(1, 2), {"left": 1, "right": 2}),
        ((1, [2, (3,)]), [1, [2, [3]]]),
        (deque([1, 2]), [1, 2]),
        (range(3), [0, 1, 2]),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        (frozenset(), []),
        ({"a": 1}.keys(), ["a"]),
        (UserDict({"a": 1}), {"a": 1}),
        (UserList([1]), [1]),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        ({2: "a", None: "b", True: "c", NUMBER: "d", date(2026, 1, 2): "e", Colour.RED: "f"},
         {"2": "a", "null": "b", "true": "c", str(NUMBER): "d", "2026-01-02": "e", "red": "f"}),
        ({}, {}),
        ([], []),
        ("", ""),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def b_X5_values_of_every_kind__become_json(value: object, expected: object) -> None:
    assert encoded(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (Decimal("NaN"), "NaN"),
        (2**63 - 1, 2**63 - 1),
        (2**63, "9223372036854775808"),
        (-(10**30), "-1" + "0" * 30),
        ("half \ud800", "half \ufffd"),
        ("pair \ud83d\ude00", "pair \U0001f600"),
        ("nul \x00", "nul \ufffd"),
        ({"key \x00\ud800": 1}, {"key \ufffd\ufffd": 1}),
    ],
    ids=repr,
)
def b_X5_values_that_json_or_the_database_cannot_hold__are_replaced_by_text(value: object, expected: object) -> None:
    assert encoded(value) == expected
    assert list(find_unstorable(encoded(value))) == []


class Recursive:
    def __init__(self) -> None:
        self.myself: list[Any] = []
        self.myself.append(self.myself)


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        object(),
        [1, {"a": object()}],
        (number for number in range(3)),
        lambda: 1,
        Point,
        3 + 4j,
        b"\xff\xfe",
        {(1, 2): "tuple"},
        {1: "a", "1": "b"},
        10**5000,
        Recursive().myself,
        deep(100_000),
        ValueError("an exception"),
    ],
    ids=lambda value: type(value).__name__,
)
def b_X5_what_has_no_form_in_json__is_an_error(value: object) -> None:
    with pytest.raises(CannotEncode):
        encode_result(value, LIMIT)


@pytest.mark.parametrize("limit", [200, 1_000, 5_000])
@pytest.mark.parametrize(
    "value",
    ["x" * 10_000, "汉" * 10_000, '"\\\n' * 10_000, "\x01" * 10_000, ["element"] * 5_000, {"key": "汉" * 10_000}],
    ids=["ascii", "han", "escaped", "control", "list", "object"],
)
def b_X5_result_over_the_cap__is_cut_with_a_mark__and_says_how_large_it_was(value: object, limit: int) -> None:
    result = encode_result(value, limit)
    cut = orjson.loads(result.body)

    assert len(result.body) <= limit
    assert result.truncated
    assert (cut["truncated"], cut["limit_bytes"]) == (True, limit)
    assert cut["size_bytes"] == result.size_bytes == len(orjson.dumps(value))
    whole = value if isinstance(value, str) else orjson.dumps(value).decode()
    assert whole.startswith(cut["text"])
    assert len(result.body) > limit - 10, "as much of it as fits"


def b_X5_result_exactly_at_the_cap__is_whole() -> None:
    value = "x" * 998
    assert encode_result(value, 1_000).truncated is False
    assert encode_result(value + "x", 1_000).truncated is True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda children: st.lists(children) | st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), children),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def b_X5_json__encoded__is_itself(value: Any) -> None:
    result = encode_result(value, LIMIT)
    assert orjson.loads(result.body) == value
    assert (result.size_bytes, result.truncated) == (len(orjson.dumps(value)), False)


@given(JSON, st.integers(200, 300))
def b_X5_any_result__at_any_cap__is_json_within_the_cap(value: Any, limit: int) -> None:
    result = encode_result([value] * 20, limit)
    assert len(result.body) <= limit
    orjson.loads(result.body)
