"""How much work an export is, counted in calls of functions, not in time: it stays in proportion to the schema."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from toolcatalog.contract.json import dump_json
from toolcatalog.formats import NotExportable, get_format

from .strategies import any_parameters
from .support import ALL, make_tool, obj
from .test_hostile import BOMB, count_values

STRING = {"type": "string"}
FIXED_CALLS = 100_000
"""What the node budgets allow at most, in calls: 2,000 schemas written out, and 5,000 for Gemini."""
CALLS_PER_VALUE = 150
HARD: dict[str, Any] = {
    "anchors": {**obj(x={"anyOf": [{"$ref": "#z"}] * 2_500}), "$defs": {"z": {"$anchor": "z", **STRING}}},
    "constants": obj(x={"anyOf": [{"const": f"v{number}"} for number in range(2_500)]}),
    "objects": obj(x={"anyOf": [obj(k={"const": number}) for number in range(450)]}),
    "root choices": {"type": "object", "oneOf": [obj(**{f"k{number}": {}}) for number in range(450)]},
    "demands": obj(x={"allOf": [{"required": [f"k{number}"]} for number in range(2_000)]}),
    "enum and lengths": obj(
        x={"enum": [f"v{n}" for n in range(2_000)], "anyOf": [{"minLength": n} for n in range(400)]}
    ),
    "references": {
        **obj(x={"anyOf": [{"$ref": "#/$defs/B"}] * 2_000}),
        "$defs": {"B": {"anyOf": [STRING] * 500}},
    },
    "recursion": {
        **obj(x={"$ref": "#/$defs/N"}),
        "$defs": {"N": obj(**{f"c{n}": {"$ref": "#/$defs/N"} for n in range(40)})},
    },
    "bomb": BOMB,
    "odd names": obj(**{f"k[{number}": STRING for number in range(480)}),
}


def count_calls(work: Callable[[], object]) -> int:
    count = 0

    def tell(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(tell)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def export_anyhow(format_name: str, parameters: Any, *, strict: bool) -> bytes:
    try:
        return dump_json(get_format(format_name).export_tool(make_tool(parameters), "t", strict=strict).payload)
    except NotExportable:
        return b""


def check_effort(format_name: str, parameters: Any, *, strict: bool) -> None:
    calls = count_calls(lambda: export_anyhow(format_name, parameters, strict=strict))
    assert calls <= FIXED_CALLS + CALLS_PER_VALUE * count_values(parameters), (format_name, strict)
    written = export_anyhow(format_name, parameters, strict=strict)
    assert len(written) <= 500_000 + 4 * len(dump_json(parameters))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("name", HARD)
def test_export__hard_schema__takes_work_in_proportion(name: str, format_name: str, strict: bool) -> None:
    check_effort(format_name, HARD[name], strict=strict)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parameters=any_parameters())
def test_export__any_schema__takes_work_in_proportion(parameters: Any) -> None:
    for format_name, strict in product(ALL, (False, True)):
        check_effort(format_name, parameters, strict=strict)
