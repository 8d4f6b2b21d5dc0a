"""The ready-made agent loop over HTTP on both sides: search, call, search, call, answer; and what the audit says."""

from __future__ import annotations

import asyncio
import json
from types import ModuleType
from typing import Any

import httpx2
import pytest

from tests.client.models import Say
from tests.client.servers import Server, run_server
from tests.support import make_group, make_profile, says
from toolcatalog.client import (
    AgentOutcome,
    AsyncToolCatalogClient,
    Context,
    ToolCatalogClient,
    run_agent,
    run_agent_async,
)

from .agents import Agent, Auditor
from .conftest import make_catalog
from .vendors import (
    Chat,
    Converse,
    GenerateContent,
    Generic,
    Interactions,
    Json,
    Messages,
    Responses,
    Search,
    Use,
    Vendor,
    read_found,
)

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "It was shipped; a parcel costs 12 yuan."
PROMPT = "Only speak of orders of this account."
STORY: tuple[Any, ...] = (
    Search("status of an order"),
    Use({"orderNo": "AF20260001"}),
    Search("cost of a parcel"),
    Use({"weight": 4}),
    Say(ANSWER),
)
QUESTIONS: dict[type[Vendor], Json] = {
    GenerateContent: {"role": "user", "parts": [{"text": "Where is my order?"}]},
    Interactions: {"type": "user_input", "content": [{"type": "text", "text": "Where is my order?"}]},
    Converse: {"role": "user", "content": [{"text": "Where is my order?"}]},
}
PLAIN_QUESTION: Json = {"role": "user", "content": "Where is my order?"}
LOOPS = [
    (kind, disclosure)
    for kind in (Chat, Generic, Responses, Messages, GenerateContent, Converse)
    for disclosure in ("inline", "meta")
] + [(Responses, "native"), (Messages, "native"), (Interactions, "native")]
WAYS = ("resolve", "search", "resolve", "resolve", "search", "resolve", "resolve")


def get_order(orderNo: str) -> Json:
    return {"orderNo": orderNo, "status": "shipped"}


@pytest.fixture
def agent(callbacks: ModuleType) -> Agent:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("nothing",))
    make_group(tenant, "orders", (), says("order"), system_prompt=PROMPT)
    return Agent(tenant)


def make_fields(vendor: Vendor, disclosure: str, **more: Any) -> dict[str, Any]:
    """What a run is told."""
    return {"tools": {"get_order": get_order}, "format": vendor.format, "disclosure": disclosure, **more}


def ask(served: Server, request: Json) -> Json:
    """The model's answer over HTTP. As SDKs do, what stands in `config` is sent beside it."""
    config = request.pop("config", {})
    answer = httpx2.post(served.url, json={"max_tokens": 2000, **config, **request})
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    return body


def check_story(vendor: Vendor, outcome: AgentOutcome) -> None:
    """The model was told what it needed, in each round."""
    assert (outcome.status, outcome.text, outcome.rounds) == ("answered", ANSWER, 5)
    order, price = [result for result in vendor.results(vendor.requests[-1]) if not read_found(result)]
    assert "shipped" in str(order)
    assert "12" in str(price)
    assert all(PROMPT in json.dumps(request) for request in vendor.requests)
    assert PROMPT not in json.dumps(outcome.messages)


def check_audit(agent: Agent, story: str | None) -> None:
    """Every step is on record, under one correlation id."""
    auditor = Auditor(agent.tenant)
    exposures, calls = auditor.exposures(), auditor.calls()
    assert [row["kind"] for row in exposures] == list(WAYS)
    assert [(row["name"], row["outcome"], row["reasons"]) for row in calls] == [("price", "ok", ["SEARCH_HIT"])]
    told = {row["correlation_id"] for row in (*exposures, *calls)}
    assert len(told) == 1
    assert told == {story} or (story is None and told != {""})


@pytest.mark.parametrize(("kind", "disclosure"), LOOPS, ids=lambda value: getattr(value, "__name__", value))
def fmt_agent_loop__search_call_search_call_answer__every_step_on_record(
    agent: Agent, live_server: Any, kind: type[Vendor], disclosure: str
) -> None:
    vendor = kind(STORY)
    with run_server(vendor.respond) as served, ToolCatalogClient(live_server.url, agent.key.secret) as catalog:
        outcome = run_agent(
            catalog,
            lambda **request: ask(served, request),
            [QUESTIONS.get(kind, PLAIN_QUESTION)],
            **make_fields(vendor, disclosure, context=Context(conversation_id="c-7")),
        )
    check_story(vendor, outcome)
    check_audit(agent, "c-7")
    if disclosure != "inline":
        assert len({json.dumps(request.get("tools", request.get("toolConfig"))) for request in vendor.requests}) == 1


@pytest.mark.parametrize("kind", [Chat, Messages, Converse], ids=lambda kind: kind.__name__)
def fmt_agent_loop__in_asyncio_without_a_conversation__is_one_story_all_the_same(
    agent: Agent, live_server: Any, kind: type[Vendor]
) -> None:
    vendor = kind(STORY)

    async def run() -> AgentOutcome:
        async with AsyncToolCatalogClient(live_server.url, agent.key.secret) as catalog:
            return await run_agent_async(
                catalog,
                lambda **request: asyncio.to_thread(ask, served, request),
                [QUESTIONS.get(kind, PLAIN_QUESTION)],
                **make_fields(vendor, "inline"),
            )

    with run_server(vendor.respond) as served:
        check_story(vendor, asyncio.run(run()))
    check_audit(agent, None)


@pytest.mark.parametrize("kind", [Responses, Messages, Interactions], ids=lambda kind: kind.__name__)
def b_N1_native_loop__asked_to_send_less__sends_all_since_the_catalog_mends_old_references(
    agent: Agent, live_server: Any, kind: type[Vendor]
) -> None:
    whole, cut = kind(STORY), kind(STORY)
    for vendor, trim in ((whole, False), (cut, True)):
        with run_server(vendor.respond) as served, ToolCatalogClient(live_server.url, agent.key.secret) as catalog:
            run_agent(
                catalog,
                lambda served=served, **request: ask(served, request),
                [QUESTIONS.get(kind, PLAIN_QUESTION)],
                **make_fields(vendor, "native", trim=trim),
            )
    assert whole.requests == cut.requests
