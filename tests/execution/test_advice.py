"""V11: whoever follows the advice in an error gets on. Each test meets the error, reads it, and does as it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.support import edit_profile, edit_tool, make_many_tools, make_profile, make_tenant, set_tenant
from toolcatalog.contract.catalog import Eviction
from toolcatalog.models import AgentProfile, Tool

from .agents import Agent, contents, read, says_calls, searches

PRICE = says_calls(("c-1", "price", {"weight": 1}))
WITH_CURRENCY = {
    "type": "object",
    "properties": {"weight": {"type": "integer"}, "currency": {"type": "string"}},
    "required": ["weight", "currency"],
}
MINE = {"name": "mine", "parameters": {"type": "object", "properties": {}}}


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    return make_profile(agent.tenant)


def advice_in(answer: Any, status: int = 422) -> str:
    """What a problem says."""
    assert answer.status_code == status, answer.content
    return str(answer.json()["detail"])


def refusal_of(agent: Agent, message: Any, **body: Any) -> str:
    """What a model reads in place of a result."""
    (told,) = contents(agent.run_calls(message, **body))
    return told if isinstance(told, str) else f"{told['error']} {told['suggestion']}"


# What models read


def case_V11_search_for_the_tool_first__then_its_call_runs(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    assert "Search for the tool first" in refusal_of(agent, PRICE, snapshot_id=snapshot)
    asked = searches("cost of a parcel")
    messages = [{"role": "user", "content": "?"}, asked, *agent.run_calls(asked, snapshot_id=snapshot)["messages"]]
    fresh = agent.resolve(messages=messages)["snapshot"]["id"]
    assert agent.run_calls(PRICE, snapshot_id=fresh)["results"][0]["status"] == "ok"


def case_V11_only_given_tools__where_there_is_no_search(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, resident_tools=("price",), search={"enabled": False})
    snapshot = agent.snapshot()
    told = refusal_of(agent, says_calls(("c", "echo", {})), snapshot_id=snapshot)
    assert "Search" not in told
    assert "Call only tools whose definition has been given to you" in told
    assert agent.run_calls(PRICE, snapshot_id=snapshot)["results"][0]["status"] == "ok"


def case_V11_mend_the_arguments__by_their_paths(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot(active_tools=["price"])
    told = refusal_of(agent, says_calls(("c", "price", {"weight": "one"})), snapshot_id=snapshot)
    assert "arguments.weight" in told
    assert agent.run_calls(PRICE, snapshot_id=snapshot)["results"][0]["status"] == "ok"


def case_V11_stale_definition__get_it_again(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot(active_tools=["price"])
    edit_tool(Tool.objects.get(name="price"), parameters=WITH_CURRENCY)
    assert "Get it again" in refusal_of(agent, PRICE, snapshot_id=snapshot)
    fresh = agent.resolve(active_tools=["price"])
    assert fresh["tools"][-1]["parameters"]["required"] == ["weight", "currency"]
    better = says_calls(("c", "price", {"weight": 1, "currency": "EUR"}))
    assert agent.run_calls(better, snapshot_id=fresh["snapshot"]["id"])["results"][0]["status"] == "ok"


@pytest.mark.parametrize(
    "arguments", [{"query": " "}, {"query": "parcel", "maxResults": 0}, {"query": "x", "category": 3}]
)
def case_V11_wrong_search__mended_as_told(agent: Agent, profile: AgentProfile, arguments: Mapping[str, Any]) -> None:
    told = refusal_of(agent, says_calls(("s", "toolSearch", arguments)))
    if "maxResults" in arguments:
        assert "whole number from 1 to 20" in told
        better: dict[str, Any] = {"query": "cost of a parcel", "maxResults": 20}
    elif "category" in arguments:
        assert "leave it out" in told
        better = {"query": "cost of a parcel"}
    else:
        (known,) = re.findall(r"Categories: (.*)\.", told)
        better = {"query": "a few words for the cost of a parcel", "category": known.split(", ")[0]}
    (found,) = contents(agent.run_calls(says_calls(("s", "toolSearch", better))))
    assert "price" in found


def case_V11_meta_mode__suggestions_work(agent: Agent) -> None:
    make_profile(agent.tenant, disclosure="meta")
    snapshot = agent.snapshot()
    run = says_calls(("x", "execute_dynamic_tool", {"tool_name": "price", "tool_input": {"weight": 1}}))
    assert "search_tools" in refusal_of(agent, run, snapshot_id=snapshot)
    agent.run_calls(says_calls(("s", "search_tools", {"query": "cost of a parcel"})), snapshot_id=snapshot)
    assert agent.run_calls(run, snapshot_id=snapshot)["results"][0]["status"] == "ok"
    wrong = says_calls(("y", "execute_dynamic_tool", {"tool_name": "price", "tool_input": {"weight": "one"}}))
    assert "tool_input" in refusal_of(agent, wrong, snapshot_id=snapshot)
    unnamed = says_calls(("z", "execute_dynamic_tool", {"tool_input": {}}))
    assert "a name that search_tools answered" in refusal_of(agent, unnamed, snapshot_id=snapshot)
    (nothing,) = contents(agent.run_calls(says_calls(("n", "search_tools", {"query": "quantum chromodynamics"}))))
    category = re.findall(r"Categories are: ([^,.]*)", nothing["suggestion"])[0]
    again = says_calls(("m", "search_tools", {"query": "parcel", "category": category}))
    assert contents(agent.run_calls(again))[0]["found"] > 0


# What callers read


def case_V11_snapshot_required__say_by_snapshot_or_session(agent: Agent, profile: AgentProfile) -> None:
    told = advice_in(agent.send_calls(PRICE), 409)
    assert "`snapshot_id` or `session_id`" in told
    snapshot = agent.snapshot(active_tools=["price"])
    assert agent.run_calls(PRICE, snapshot_id=snapshot)["results"][0]["status"] == "ok"
    agent.search("price", session_id="s")
    assert agent.run_calls(PRICE, session_id="s")["results"][0]["status"] == "ok"


def case_V11_unknown_snapshot__resolve_again(agent: Agent, profile: AgentProfile) -> None:
    gone = "01a22b2e-91d1-70a9-b55b-0cdc351fd93a"
    assert "Resolve again" in advice_in(agent.send_calls(PRICE, snapshot_id=gone))
    assert read(agent.send_calls(PRICE, snapshot_id=agent.snapshot(active_tools=["price"])))


@pytest.mark.parametrize("body", [{"profile": "second"}, {"context": {"account_id": "b"}}])
def case_V11_body_contradicts_its_snapshot__leave_it_out(
    agent: Agent, profile: AgentProfile, body: dict[str, Any]
) -> None:
    make_profile(agent.tenant, "second")
    snapshot = agent.snapshot(active_tools=["price"], context={"account_id": "a"})
    (part,) = body
    assert f"Leave `{part}` out" in advice_in(agent.send_calls(PRICE, snapshot_id=snapshot, **body))
    assert read(agent.send_calls(PRICE, snapshot_id=snapshot))["results"][0]["status"] == "ok"


RESOLVES: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"prompt": "a", "messages": []}, "one of `messages` and `prompt`", {"prompt": "a"}),
    ({"prompt": "a", "format": "soap"}, "Choose one of: ", {"prompt": "a", "format": "openai_chat"}),
    ({"prompt": "a", "format": "openai_chat", "disclosure": "native"}, "use “inline” or “meta”", {
        "prompt": "a", "format": "openai_chat", "disclosure": "meta"}),
    ({"prompt": "a", "tools": [{**MINE, "name": "TOOLSEARCH"}]}, "Rename yours", {"prompt": "a", "tools": [MINE]}),
    ({"prompt": "a", "tools": [MINE, MINE]}, "Pass each tool once", {"prompt": "a", "tools": [MINE]}),
    ({"prompt": "a", "profile": "nobody"}, "Name one that the key may use", {"prompt": "a", "profile": "default"}),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "advice", "better"), RESOLVES, ids=[advice for _, advice, _ in RESOLVES])
def case_V11_resolve__mended_as_told(
    agent: Agent, profile: AgentProfile, wrong: dict[str, Any], advice: str, better: dict[str, Any]
) -> None:
    assert advice in advice_in(agent.api.post("/resolve", wrong))
    assert read(agent.api.post("/resolve", better))


def case_V11_choose_one_of__every_choice_that_is_named_works(agent: Agent, profile: AgentProfile) -> None:
    told = advice_in(agent.api.post("/resolve", {"prompt": "a", "format": "soap"}))
    (named,) = re.findall(r"Choose one of: (.*)\.", told)
    for name in named.split(", "):
        assert read(agent.api.post("/resolve", {"prompt": "a", "format": name}))


def case_V11_too_many_tools__pass_fewer(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, max_tools=2)
    own = [{**MINE, "name": f"mine_{n}"} for n in range(3)]
    assert "Pass fewer" in advice_in(agent.api.post("/resolve", {"prompt": "a", "tools": own}))
    assert read(agent.api.post("/resolve", {"prompt": "a", "tools": own[:1]}))


def case_V11_too_many_tools_without_any_of_the_callers__raise_the_limit(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, max_tools=1)
    told = advice_in(agent.api.post("/resolve", {"prompt": "a", "disclosure": "meta"}))
    assert "max_tools" in told
    assert "your own" not in told
    edit_profile(profile, max_tools=2)
    assert read(agent.api.post("/resolve", {"prompt": "a", "disclosure": "meta"}))


def case_V11_search_hint__names_categories_that_have_something(agent: Agent, profile: AgentProfile) -> None:
    hint = agent.search("parcel", category="nowhere")["hint"]
    (known,) = re.findall(r"Categories: (.*)\.", hint)
    assert all(read(agent.api.post("/search", {"query": "parcel order", "category": one})) for one in known.split(", "))
    assert agent.search("cost of a parcel", category="freight")["names"] == ["price"]
    assert agent.search("quantum chromodynamics")["hint"] == "Nothing fits. Try other words."


def case_V11_session_tools__renamed_or_passed_as_told(agent: Agent, profile: AgentProfile) -> None:
    path = "/sessions/s/tools"
    assert "Rename the session's, such as with a prefix" in advice_in(
        agent.api.put(path, {"tools": [{"name": "price"}]})
    )
    assert read(agent.api.put(path, {"tools": [{"name": "my_price"}]}))
    told = advice_in(agent.api.put(path, {"tools": [{"name": "my price"}]}))
    (proposed,) = re.findall(r'"([^"]*)" would do', told)
    assert read(agent.api.put(path, {"tools": [{"name": proposed}]}))
    set_tenant(agent.tenant, eviction=Eviction.ALWAYS)
    told = advice_in(agent.api.put(path, {"tools": [{"name": "my_price"}]}), 409)
    assert "Pass the tools with each resolve instead, as `tools`" in told
    assert "my_price" in agent.resolve(tools=[{"name": "my_price"}])["tool_names"]


def case_V11_catalog__mended_as_told(agent: Agent) -> None:
    curator = Api(Agent(agent.tenant, "curate").key.secret)
    told = advice_in(curator.post("/tools", {"name": "two words"}))
    (proposed,) = re.findall(r'"([^"]*)" would do', told)
    assert curator.post("/tools", {"name": proposed}).status_code == 201
    assert "Create it first" in advice_in(curator.post("/tools", {"name": "old", "replaced_by": "new"}))
    assert curator.post("/tools", {"name": "new"}).status_code == 201
    assert curator.post("/tools", {"name": "old", "replaced_by": "new"}).status_code == 201
    told = advice_in(curator.get("/tools?colour=red"))
    (known,) = re.findall(r"Known are: (.*)\.", told)
    assert "category" in known.split(", ")
    assert curator.get("/tools?category=orders").status_code == 200
    assert "Order by" in advice_in(curator.get("/tools?ordering=colour"))
    first = re.findall(r"Order by ([^,]*),", advice_in(curator.get("/tools?ordering=colour")))[0]
    assert curator.get(f"/tools?ordering=-{first}").status_code == 200
    make_many_tools(agent.tenant, [f"many_{n}" for n in range(3)])
    assert "`next` or `previous`" in advice_in(curator.get("/tools?cursor=abc"))
    following = curator.get("/tools?page_size=2").json()["next"].partition("/api/v1")[2]
    assert curator.get(following).status_code == 200


def case_V11_key_without_a_default_profile__name_one(agent: Agent) -> None:
    tenant = make_tenant()
    for slug in ("one", "two"):
        make_profile(tenant, slug)
    limited = Agent(tenant, "resolve", profiles=["one", "two"])
    assert "Name one that the key may use" in advice_in(limited.api.post("/resolve", {"prompt": "a"}))
    assert read(limited.api.post("/resolve", {"prompt": "a", "profile": "one"}))
