"""Replay: what an exposure's request would be answered today."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    AUTHOR,
    DIALECTS,
    OPENAI_CHAT,
    Dialect,
    edit_group,
    edit_profile,
    edit_tool,
    fact,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    own_tool,
    resolve,
    says,
    search,
    set_tenant,
)
from toolcatalog.contract.catalog import TextPolicy
from toolcatalog.curation import delete_group, delete_profile, delete_tool
from toolcatalog.models import AgentProfile, Exposure, ExposureContent, Session, Tenant, Tool, ToolGroup

from .conftest import Api, MakeApi, read_problem

NOTHING: dict[str, Any] = {"added": [], "removed": [], "changed": []}
SAME_TOOLS = {**NOTHING, "order_changed": False, "deferred_added": [], "deferred_removed": []}
VIP: dict[str, Any] = {"account_id": "a", "attributes": {"vip": True}}


@pytest.fixture
def tenant(db: None) -> Tenant:
    tenant = make_tenant(text_policy=TextPolicy.FULL)
    for name in ("clock", "get_order", "refund", "weather"):
        make_tool(tenant, name, f"Does {name}")
    make_group(tenant, "order", ["get_order"], says("order"), system_prompt="Be exact.", position=1)
    make_group(tenant, "vip", ["refund"], fact("vip", "is_true"), position=2)
    make_profile(tenant, resident_tools=("clock",))
    return tenant


@pytest.fixture
def auditor(tenant: Tenant, make_api: MakeApi) -> Api:
    return make_api(tenant, "audit")


def replay(auditor: Api, answer: Any) -> dict[str, Any]:
    """What the replay of an answer says. It writes nothing, whatever comes of it."""
    before = read_state()
    told = auditor.call("POST", f"/exposures/{answer.snapshot.id}/replay")
    assert told.status_code == 200, told.content
    assert read_state() == before
    body: dict[str, Any] = told.json()
    return body


def read_state() -> Any:
    sessions = list(Session.objects.order_by("pk").values())
    return Exposure.objects.count(), ExposureContent.objects.count(), sessions


def test_replay__nothing_changed__same(tenant: Tenant, auditor: Api) -> None:
    answer = resolve(tenant, "my order", **VIP)
    told = replay(auditor, answer)
    assert told["same"] is True
    assert told["exposure_id"] == str(answer.snapshot.id)
    assert told["tools"] == SAME_TOOLS
    assert told["groups"] == NOTHING
    assert told["system_prompt"]["changed"] is False
    assert told["system_prompt"]["now"].startswith("Be exact.")
    assert told["tokens"]["then"] == told["tokens"]["now"] > 0
    assert told["catalog_revision"]["then"] == told["catalog_revision"]["now"]


def test_replay__catalog_changed__says_what_differs(tenant: Tenant, auditor: Api) -> None:
    answer = resolve(tenant, "my order", **VIP)
    edit_tool(Tool.objects.get(name="get_order"), description="Says where an order is", version="2.0")
    edit_tool(Tool.objects.get(name="clock"), status="disabled")
    edit_group(ToolGroup.objects.get(name="order"), system_prompt="Be very exact.")
    delete_group(ToolGroup.objects.get(name="vip"), AUTHOR)
    make_group(tenant, "forecast", ["weather"], position=3)
    told = replay(auditor, answer)
    assert told["same"] is False
    assert told["tools"] == {
        **SAME_TOOLS,
        "added": [{"name": "weather", "reasons": ["TARGETING_MATCH"]}],
        "removed": [{"name": "clock", "reason": "DISABLED"}, {"name": "refund", "reason": "NO_MATCH"}],
        "changed": [
            {
                "name": "get_order",
                "fields": ["definition", "version", "revision"],
                "revision": {"then": 1, "now": 2},
            }
        ],
    }
    assert told["groups"] == {
        "added": ["forecast"],
        "removed": [{"name": "vip", "reason": "UNKNOWN"}],
        "changed": [{"name": "order", "revision": {"then": 1, "now": 2}}],
    }
    assert told["system_prompt"]["changed"] is True
    assert told["system_prompt"]["then"].startswith("Be exact.")
    assert told["system_prompt"]["now"].startswith("Be very exact.")
    assert told["catalog_revision"]["then"] < told["catalog_revision"]["now"]


def test_replay__order_of_groups_changed__says_so(tenant: Tenant, auditor: Api) -> None:
    answer = resolve(tenant, "my order", **VIP)
    edit_group(ToolGroup.objects.get(name="vip"), position=0)
    told = replay(auditor, answer)
    assert told["tools"]["order_changed"] is True
    assert told["same"] is False


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def test_replay__found_and_callers_tools__come_from_the_record(tenant: Tenant, auditor: Api, dialect: Dialect) -> None:
    messages = [dialect.user("my order"), *dialect.search("weather")]
    answer = resolve(tenant, messages=messages, tools=[own_tool("a.tool of mine")], format=dialect.format, **VIP)
    assert "weather" in answer.tool_names
    assert replay(auditor, answer)["same"] is True
    delete_tool(Tool.objects.get(name="weather"), AUTHOR)
    assert replay(auditor, answer)["tools"] == {**SAME_TOOLS, "removed": [{"name": "weather", "reason": "UNKNOWN"}]}


@pytest.mark.parametrize(
    ("format_", "disclosure"), [("generic", "meta"), ("anthropic", "native"), ("gemini", "native")]
)
def test_replay__other_disclosures__are_compared_too(
    tenant: Tenant, auditor: Api, format_: str, disclosure: str
) -> None:
    answer = resolve(tenant, active_tools=("weather",), format=format_, disclosure=disclosure)
    assert replay(auditor, answer)["same"] is True
    make_tool(tenant, "tides", "Tides")
    delete_tool(Tool.objects.get(name="weather"), AUTHOR)
    told = replay(auditor, answer)["tools"]
    assert told["removed"] == [{"name": "weather", "reason": "UNKNOWN"}]
    assert (told["deferred_added"] == ["tides"]) is (disclosure == "native" and format_ == "anthropic")


def test_replay__groups_that_the_request_named__count_again(tenant: Tenant, auditor: Api) -> None:
    answer = resolve(tenant, "my order", groups=("order",), **VIP)
    assert "refund" not in answer.tool_names
    assert replay(auditor, answer)["same"] is True
    none = resolve(tenant, "my order", groups=(), **VIP)
    assert replay(auditor, none)["same"] is True


def test_replay__session__is_read_and_left_as_it_is(tenant: Tenant, auditor: Api, make_api: MakeApi) -> None:
    agent = make_api(tenant, "resolve")
    assert agent.put("/sessions/s/tools", {"tools": [{"name": "ferry", "description": "Books"}]}).status_code == 200
    search(tenant, "ferry", session_id="s")
    answer = resolve(tenant, session_id="s")
    assert "ferry" in answer.tool_names
    assert replay(auditor, answer)["same"] is True
    assert agent.put("/sessions/s/tools", {"tools": [{"name": "ferry", "description": "Sails"}]}).status_code == 200
    (changed,) = replay(auditor, answer)["tools"]["changed"]
    assert changed == {"name": "ferry", "fields": ["definition"], "revision": {"then": None, "now": None}}
    assert agent.delete("/sessions/s").status_code == 204
    assert replay(auditor, answer)["tools"]["removed"] == [{"name": "ferry", "reason": "UNKNOWN"}]


def test_replay__conversation_without_text__is_replayed_without(tenant: Tenant, auditor: Api) -> None:
    answer = resolve(tenant, messages=[OPENAI_CHAT.assistant("Hello, how can I help?")])
    assert replay(auditor, answer)["same"] is True


def test_replay__text_policy_kept_no_message__409(tenant: Tenant, auditor: Api) -> None:
    set_tenant(tenant, text_policy=TextPolicy.DIGEST)
    answer = resolve(tenant, "my order")
    problem = read_problem(auditor.call("POST", f"/exposures/{answer.snapshot.id}/replay"), 409)
    assert problem["code"] == "context_not_stored"
    set_tenant(tenant, text_policy=TextPolicy.FULL)
    assert replay(auditor, resolve(tenant, "my order"))["same"] is True


def test_replay__of_a_search_or_a_deleted_profile__409(tenant: Tenant, auditor: Api) -> None:
    search(tenant, "weather")
    searched = Exposure.objects.get(kind="search")
    assert read_problem(auditor.call("POST", f"/exposures/{searched.pk}/replay"), 409)["code"] == "not_a_resolve"
    profile = make_profile(tenant, "second")
    answer = resolve(tenant, profile="second")
    edit_profile(profile, max_tools=1)
    delete_profile(AgentProfile.objects.get(pk=profile.pk))
    problem = read_problem(auditor.call("POST", f"/exposures/{answer.snapshot.id}/replay"), 409)
    assert problem["code"] == "unknown_profile"


def test_replay__of_another_tenant_or_without_the_scope__is_not_there(
    tenant: Tenant, crane: Tenant, make_api: MakeApi
) -> None:
    path = f"/exposures/{resolve(tenant).snapshot.id}/replay"
    assert read_problem(make_api(crane, "audit").call("POST", path), 404)["code"] == "not_found"
    assert read_problem(make_api(tenant, "resolve", "curate").call("POST", path), 403)["code"] == "missing_scope"
