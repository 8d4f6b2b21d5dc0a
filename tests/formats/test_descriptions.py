"""Descriptions: cut where the provider cuts, left out where they are blank, always text that can be sent."""

from __future__ import annotations

import orjson
import pytest

from toolcatalog.contract.json import dump_json
from toolcatalog.formats import NotExportable, check_exported, get_format

from .support import ALL, VENDORS, codes, definition_of, export, make_tool, obj

LONG = "查" * 1103


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses"])
def fmt_D1_long_description_is_cut(format_name: str) -> None:
    exported = export(format_name, description=LONG)
    description = definition_of(format_name, exported)["description"]
    assert len(description) == 1024
    assert description == "查" * 1023 + "…"
    assert "description_cut" in codes(exported)


@pytest.mark.parametrize("format_name", ["anthropic", "gemini", "bedrock", "mcp", "generic"])
def fmt_D1_long_description_stays_elsewhere(format_name: str) -> None:
    assert definition_of(format_name, export(format_name, description=LONG))["description"] == LONG


def fmt_D1_rule_survives_the_cut() -> None:
    rule = {**obj(a={}, b={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    description = definition_of("openai_chat", export("openai_chat", rule, description=LONG))["description"]
    assert len(description) <= 1024
    assert description.endswith("At least one of these must be given: a; b.")


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize("blank", ["", " \n"])
def fmt_D2_blank_description_is_left_out(format_name: str, blank: str) -> None:
    exported = export(format_name, description=blank)
    assert "description" not in definition_of(format_name, exported)
    assert "no_description" in codes(exported)
    assert check_exported(format_name, exported.payload) == []


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("bad", ["\ud83d", "a\x00b"])
def fmt_D3_bad_text_is_not_exported(format_name: str, bad: str) -> None:
    for tool in (make_tool(description=bad), make_tool(obj(x={"description": bad})), make_tool(obj(**{bad: {}}))):
        with pytest.raises(NotExportable) as caught:
            get_format(format_name).export_tool(tool, "t")
        assert caught.value.finding.fatal
        assert dump_json(caught.value.finding.message.encode(errors="replace").decode())


@pytest.mark.parametrize("format_name", ALL)
def fmt_D3_any_export_comes_back_from_utf8(format_name: str) -> None:
    payload = export(format_name, obj(城市={"type": "string", "description": "🏳️‍🌈 “x”"}), description="天气 ☂").payload
    assert orjson.loads(dump_json(payload)) == payload


@pytest.mark.parametrize("format_name", ALL)
def test_description__surrounding_space__is_not_trimmed(format_name: str) -> None:
    assert definition_of(format_name, export(format_name, description=" x \n"))["description"] == " x \n"


@pytest.mark.parametrize("is_native", [False, True])
@pytest.mark.parametrize("format_name", ALL)
def b_X8_closing_sentence__ends_the_description_in_every_form(format_name: str, is_native: bool) -> None:
    format_ = get_format(format_name)
    if is_native and not format_.has_native_disclosure:
        return
    sentence = "This tool is deprecated; use get_orders instead."
    tool = make_tool(description="Looks an order up.", closing=(sentence,))
    exported = (format_.native_form() if is_native else format_).export_tool(tool, "get_order")
    assert dump_json(exported.payload).decode().count(f"Looks an order up.\\n\\n{sentence}") == 1
