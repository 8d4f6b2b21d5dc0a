"""Schemas that are meant to hurt: exports end, within bounds, and raise nothing but NotExportable."""

from __future__ import annotations

import copy
import sys
from typing import Any

import orjson
import pytest

from toolcatalog.contract.json import dump_json
from toolcatalog.formats import NotExportable, check_exported, get_format
from toolcatalog.formats._plain import MAX_NODES

from .support import ALL, INLINING, codes, export, make_tool, obj, schema_of

STRING = {"type": "string"}


def count_values(value: Any) -> int:
    count, pending = 0, [value]
    while pending:
        node = pending.pop()
        count += 1
        pending.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
    return count


def export_or_refuse(format_name: str, parameters: Any, *, strict: bool = False) -> bytes:
    format_ = get_format(format_name)
    try:
        payload = format_.export_tool(make_tool(parameters), "t", strict=strict).payload
    except NotExportable:
        return b""
    assert check_exported(format_name, payload) == []
    return dump_json(payload)


def nest(keyword: str, depth: int) -> Any:
    schema: Any = STRING
    for _ in range(depth):
        schema = (
            obj(x=schema) if keyword == "properties" else {keyword: schema if keyword in ("items", "not") else [schema]}
        )
    return obj(x=schema)


BOMB = {
    **obj(x={"$ref": "#/$defs/d25"}),
    "$defs": {
        "d0": STRING,
        **{f"d{n}": obj(a={"$ref": f"#/$defs/d{n - 1}"}, b={"$ref": f"#/$defs/d{n - 1}"}) for n in range(1, 26)},
    },
}


@pytest.mark.parametrize("format_name", INLINING)
def fmt_S36_reference_bomb(format_name: str) -> None:
    exported = export(format_name, BOMB)
    assert "reference_cut" in codes(exported)
    assert check_exported(format_name, exported.payload) == []
    assert count_values(exported.payload) < 4 * 2_000


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("strict", [False, True])
def fmt_S36_reference_bomb_ends_everywhere(format_name: str, strict: bool) -> None:
    assert export_or_refuse(format_name, BOMB, strict=strict)
    assert export_or_refuse(format_name, {"allOf": [BOMB, {"$ref": "#/allOf/0"}]}, strict=strict)


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("keyword", ["properties", "items", "anyOf", "allOf", "oneOf", "not", "prefixItems"])
@pytest.mark.parametrize("depth", [16, 38, 78, 200])
def case_J15_deep_schemas(format_name: str, keyword: str, depth: int) -> None:
    assert sys.getrecursionlimit() <= 1_000
    export_or_refuse(format_name, nest(keyword, depth))
    export_or_refuse(format_name, nest(keyword, depth), strict=True)


def case_J15_depth_of_100_000() -> None:
    for keyword in ("properties", "items"):
        schema = nest(keyword, 100_000)
        assert not any(export_or_refuse(format_name, schema) for format_name in ALL)


@pytest.mark.parametrize("format_name", ALL)
def case_J15_depth_of_32_is_exported(format_name: str) -> None:
    assert export_or_refuse(format_name, nest("properties", 32))


@pytest.mark.parametrize("format_name", ALL)
def case_J15_wide_schemas(format_name: str) -> None:
    wide = obj(**{f"p{index}": STRING for index in range(5_000)})
    assert export_or_refuse(format_name, wide)
    with pytest.raises(NotExportable, match="more than"):
        get_format(format_name).export_tool(make_tool(obj(x={"enum": list(range(MAX_NODES))})), "t")


@pytest.mark.parametrize("format_name", ALL)
def test_export__shared_and_cyclic_objects__end(format_name: str) -> None:
    shared: Any = STRING
    for _ in range(30):
        shared = obj(a=shared, b=shared)
    assert not export_or_refuse(format_name, obj(x=shared))
    cyclic: Any = obj()
    cyclic["properties"]["x"] = cyclic
    assert not export_or_refuse(format_name, cyclic)


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**63, {1, 2}, b"x", {5: "x"}, object(), "\ud800", {"\ud800": 1}]
)
def test_export__what_is_no_json__is_refused(format_name: str, value: Any) -> None:
    with pytest.raises(NotExportable):
        get_format(format_name).export_tool(make_tool(obj(x={"default": value})), "t")
    with pytest.raises(NotExportable):
        get_format(format_name).export_tool(make_tool(value if isinstance(value, dict) else [value]), "t")


@pytest.mark.parametrize("format_name", ALL)
def test_export__many_references_to_big_targets__ends(format_name: str) -> None:
    big = obj(**{f"p{index}": STRING for index in range(1_500)})
    uses = {f"u{index}": {"$ref": "#/$defs/Big"} for index in range(500)}
    exported = export_or_refuse(format_name, {**obj(**uses), "$defs": {"Big": big}})
    assert len(exported) < 1_000_000


@pytest.mark.parametrize("format_name", ALL)
def test_export__unions_that_multiply__end(format_name: str) -> None:
    union: Any = STRING
    for _ in range(12):
        union = {"anyOf": [obj(a=union), obj(b=union)]}
    assert len(export_or_refuse(format_name, obj(x=union))) < 5_000_000
    siblings = {"properties": {f"p{index}": STRING for index in range(300)}}
    wide = {**siblings, "anyOf": [obj(**{f"q{index}": STRING}) for index in range(300)]}
    assert len(export_or_refuse(format_name, obj(x=wide))) < 5_000_000


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("strict", [False, True])
def test_export__input__is_never_changed(format_name: str, strict: bool) -> None:
    parameters = {
        **obj(城市={"type": ["string", "null"], "default": None}, a={"$ref": "#/$defs/T"}, n={"type": "array"}),
        "required": ["城市"],
        "anyOf": [{"required": ["a"]}, {"required": ["n"]}],
        "$defs": {"T": obj(x={"enum": [1, None]})},
    }
    before = copy.deepcopy(parameters)
    first = export(format_name, parameters, strict=strict)
    assert parameters == before
    assert dump_json(first.payload) == dump_json(export(format_name, parameters, strict=strict).payload)
    payload: Any = orjson.loads(dump_json(first.payload))
    schema_of(format_name, first)["properties"].clear()
    assert dump_json(export(format_name, parameters, strict=strict).payload) == dump_json(payload)


@pytest.mark.parametrize("format_name", ALL)
def test_check_tool__hostile__is_a_finding(format_name: str) -> None:
    findings = get_format(format_name).check_tool(make_tool(nest("items", 1_000)), "t")
    assert [finding.fatal for finding in findings] == [True]
