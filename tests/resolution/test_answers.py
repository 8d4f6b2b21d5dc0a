"""What else an answer holds: its stamp, the maps that lead back, and the explanation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest

from tests.support import (
    ANTHROPIC,
    DIALECTS,
    Dialect,
    edit_profile,
    explain,
    fact,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    parameters_of,
    resolve,
    row,
    says,
    search,
    sent,
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.matching import GroupOutcome
from toolcatalog.contract.reasons import Reason
from toolcatalog.models import AgentProfile, Matcher, Tenant

pytestmark = pytest.mark.django_db


# The stamp


def test_stamp__is_valid_for_as_long_as_the_profile_says(tenant: Tenant) -> None:
    stamp = resolve(tenant).snapshot
    assert stamp.valid_until - stamp.created_at == timedelta(seconds=60)
    edit_profile(AgentProfile.objects.get(tenant=tenant), valid_for_seconds=0)
    stamp = resolve(tenant).snapshot
    assert stamp.valid_until == stamp.created_at


def test_ids__of_later_answers__sort_after_earlier_ones(tenant: Tenant) -> None:
    ids = [resolve(tenant).snapshot.id for _ in range(5)]
    assert len(set(ids)) == 5
    assert [one.version for one in ids] == [7] * 5


# The maps that lead back


def test_maps__lead_from_exported_names_and_keys_back(tenant: Tenant) -> None:
    make_tool(tenant, "订单.查询", "查询", parameters=parameters_of(城市="城市", city="City"))
    make_group(tenant, "g", ["订单.查询"])
    answer = resolve(tenant, format="anthropic")
    (tool, _) = sent(answer)
    assert answer.name_map[tool["name"]] == "订单.查询"
    keys = answer.argument_maps[tool["name"]]["keys"]
    assert isinstance(keys, dict)
    (exported,) = set(tool["input_schema"]["properties"]) - {"city"}
    assert keys == {exported: "城市"}
    generic = resolve(tenant, format="generic")
    assert (generic.name_map["订单.查询"], generic.argument_maps) == ("订单.查询", {})


# Messages that decide


def b_G8_user_message_of_only_answers__is_skipped(tenant: Tenant) -> None:
    make_group(tenant, "g", [], says("weather"), system_prompt="Weather.")
    messages = [ANTHROPIC.user("The weather?"), *ANTHROPIC.search("a")]
    assert resolve(tenant, messages=messages, format="anthropic").system_prompt == "Weather."
    mixed = {"role": "user", "content": [*messages[-1]["content"], {"type": "text", "text": "Something else."}]}
    answer = resolve(tenant, messages=[*messages[:-1], mixed], format="anthropic")
    assert answer.system_prompt is None


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G8_message_without_text__message_rules_are_false(tenant: Tenant, dialect: Dialect) -> None:
    make_group(tenant, "g", [], says("weather", negate=True), system_prompt="No weather.")
    kind = {"type": "image", "source": {}} if dialect is ANTHROPIC else {"type": "image_url", "image_url": {"url": "x"}}
    picture = {"role": "user", "content": [kind]}
    answer = resolve(tenant, messages=[dialect.user("hello"), picture], format=dialect.format)
    assert answer.system_prompt is None
    worded = {"role": "user", "content": [{"type": "text", "text": "hel"}, kind, {"type": "text", "text": "lo"}]}
    assert resolve(tenant, messages=[worded], format=dialect.format).system_prompt == "No weather."


# The explanation


def outcomes(tenant: Tenant, message: str, **fields: Any) -> dict[str, GroupOutcome]:
    return {outcome.name: outcome for outcome in explain(tenant, message, **fields).groups}


def test_explanation__has_every_condition_with_what_it_saw(tenant: Tenant) -> None:
    conditions = (says("订单"), row("account_id", "exists"), fact("plan", "equals", "gold", condition_set=2))
    make_group(tenant, "order", [], *conditions)
    outcome = outcomes(tenant, "订单在哪", attributes={"plan": "silver"})["order"]
    assert (outcome.matched, outcome.reason) == (False, Reason.ACCESS_RESTRICTED)
    seen = {
        one.number: (one.result, [(m.result, m.row.operator, m.seen) for m in one.matchers])
        for one in outcome.condition_sets
    }
    assert seen[1][0] is False
    assert [result for result, *_ in seen[1][1]] == [True, False]
    assert seen[2] == (False, [(False, "equals", "silver")])


def test_explanation__tells_of_broken_rules_and_the_others_go_on(tenant: Tenant) -> None:
    broken = make_group(tenant, "broken", [], says("x"), system_prompt="Broken.", position=1)
    make_group(tenant, "sound", [], says("x"), system_prompt="Sound.", position=2)
    Matcher.objects.filter(group=broken).update(operator="no_such")
    told = outcomes(tenant, "x")
    assert (told["broken"].matched, told["sound"].matched) == (False, True)
    assert told["broken"].problems
    assert resolve(tenant, "x").system_prompt == "Sound."


def test_explanation__has_the_reasons_of_every_tool(tenant: Tenant) -> None:
    for name in ("resident", "matched", "found"):
        make_tool(tenant, name)
    make_group(tenant, "g", ["matched", "resident"])
    make_profile(tenant, resident_tools=("resident",))
    own = {"name": "mine", "parameters": {"type": "object", "properties": {}}}
    explanation = explain(tenant, active_tools=("found", "matched"), tools=[own])
    reasons = {tool.name: (tool.reasons, tool.groups, tool.revision) for tool in explanation.tools}
    assert reasons == {
        "mine": ((Reason.CALLER,), (), None),
        "resident": ((Reason.RESIDENT, Reason.TARGETING_MATCH), ("g",), 1),
        "matched": ((Reason.TARGETING_MATCH, Reason.SEARCH_HIT), ("g",), 1),
        "toolSearch": ((Reason.ENTRY,), (), None),
        "found": ((Reason.SEARCH_HIT,), (), 1),
    }


def test_explanation__not_asked_for__is_none(tenant: Tenant) -> None:
    assert resolve(tenant).explanation is None


def test_explanation_of_a_search__counts_what_was_allowed(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    make_tool(tenant, "off", status="disabled")
    explanation = search(tenant, "ship", explain=True).explanation
    assert explanation is not None
    assert explanation["allowed"] == 1
    assert search(tenant, "ship").explanation is None


# What cannot be read


@pytest.mark.parametrize("field", ["exposure_policy", "disclosure"])
def test_unknown_word__for_a_choice__is_refused(tenant: Tenant, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, **{field: "whatever"})  # type: ignore[arg-type]  # a word that is no choice
    assert refusal.value.errors[0].path == field


def test_request__bedrock_turn_without_tools_after_one_with_calls__has_no_blocks_of_calls() -> None:
    tenant = make_tenant()
    make_profile(tenant, search={"enabled": False})
    talk = [
        {"role": "user", "content": [{"text": "order AF1"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "get_order", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "sent"}]}}]},
        {"role": "assistant", "content": [{"text": "It was sent."}]},
        {"role": "user", "content": [{"text": "thanks"}]},
    ]
    answer = resolve(tenant, messages=talk, format="bedrock")
    written = orjson.dumps([answer.request])
    assert b"toolConfig" not in written
    assert b"toolUse" not in written
    assert b"toolResult" not in written
    assert b"(Result of get_order: sent)" in written
    assert list(answer.messages or ()) == talk
