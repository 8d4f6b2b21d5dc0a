"""What holds for every export of every schema."""

from __future__ import annotations

import copy
from itertools import product
from typing import Any

import jsonschema_rs
import orjson
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.json import dump_json
from toolcatalog.formats import NotExportable, check_exported, get_format, restore_arguments

from .strategies import any_parameters, conforming, plain_parameters
from .support import ALL, VENDORS, make_tool, schema_of
from .test_hostile import count_values

JSON_SCHEMA = [name for name in VENDORS if name != "gemini"]
EXAMPLES = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@settings(EXAMPLES, max_examples=50)
@given(parameters=any_parameters())
def test_export__any_schema__is_taken_by_every_provider(parameters: Any) -> None:
    before = copy.deepcopy(parameters)
    for format_name, strict in product(ALL, (False, True)):
        note(f"{format_name} strict={strict}")
        format_ = get_format(format_name)
        try:
            exported = format_.export_tool(make_tool(parameters), "get_order", strict=strict)
        except NotExportable as refused:
            # The root contradicts itself: an object that is no object.
            assert refused.finding.path == "parameters"  # noqa: PT017  most examples do not get here
            continue
        payload = dump_json(exported.payload)
        assert check_exported(format_name, exported.payload) == []
        assert orjson.loads(payload) == exported.payload
        assert dump_json(format_.export_tool(make_tool(parameters), "get_order", strict=strict).payload) == payload
        assert count_values(exported.payload) <= 20_000 + 100 * count_values(parameters)
    assert parameters == before


any_json = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@EXAMPLES
@given(value=any_json)
def test_export__any_json__is_exported_or_refused(value: Any) -> None:
    for format_name in ALL:
        note(format_name)
        try:
            exported = get_format(format_name).export_tool(make_tool({"properties": value, "$defs": value}), "t")
        except NotExportable:
            continue
        assert check_exported(format_name, exported.payload) == []


@EXAMPLES
@given(data=st.data(), parameters=plain_parameters(), format_name=st.sampled_from(VENDORS), strict=st.booleans())
def test_restore__conforming_arguments__are_valid_for_the_canonical_schema(
    data: st.DataObject, parameters: Any, format_name: str, strict: bool
) -> None:
    exported = get_format(format_name).export_tool(make_tool(parameters), "get_order", strict=strict)
    schema = schema_of(format_name, exported) if "parameters" in exported.payload or format_name != "gemini" else {}
    sent = data.draw(conforming({"type": "object", **schema}, schema))
    restored = restore_arguments(sent, exported.arguments)
    assert list_errors(parameters, restored) == []


@EXAMPLES
@given(data=st.data(), parameters=plain_parameters(), format_name=st.sampled_from(JSON_SCHEMA), strict=st.booleans())
def test_export__arguments_of_the_canonical_schema__are_refused_by_no_export(
    data: st.DataObject, parameters: Any, format_name: str, strict: bool
) -> None:
    exported = get_format(format_name).export_tool(make_tool(parameters), "get_order", strict=strict)
    given_arguments = data.draw(conforming(parameters, parameters))
    there = ArgumentMap({original: key for key, original in exported.arguments.keys.items()})
    absent = [name for name in exported.arguments.null_means_absent if name not in given_arguments]
    sent = {**restore_arguments(given_arguments, there), **dict.fromkeys(absent)}
    assert list_errors(schema_of(format_name, exported), sent) == []


def list_errors(schema: Any, arguments: Any) -> list[str]:
    validator = jsonschema_rs.Draft202012Validator(schema, offline=True, pattern_options=jsonschema_rs.RegexOptions())
    return [error.message for error in validator.iter_errors(arguments)]
