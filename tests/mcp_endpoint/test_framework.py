"""An agent of Pydantic AI, which knows MCP and nothing of us, drives the endpoint over HTTP with a scripted model."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.client.models import ChatModel, Say, call
from tests.client.servers import Answer, run_server
from tests.mcp_endpoint.clients import run
from tests.mcp_endpoint.conftest import make_shop
from tests.mcp_endpoint.serving import Endpoint
from toolcatalog.auditing import calls_of, render_calls

ANSWER = "10 yuan."
STORY = (
    call("toolSearch", query="寄快递的运费"),
    call("parcel_price", weight_kg=2.5, zone="city"),
    Say(ANSWER),
)


def test_pydantic_ai__searches_then_calls__gets_the_found_tool_because_it_is_told(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    tenant, secret = make_shop()
    model = ChatModel(STORY)

    async def work(url: str) -> Any:
        provider = OpenAIProvider(base_url=f"{url}/v1", api_key="scripted")
        tools: MCPToolset[Any] = MCPToolset(endpoint.mcp, headers={"Authorization": f"Bearer {secret}"})
        agent = Agent(OpenAIChatModel("scripted", provider=provider), toolsets=[tools])
        async with agent:
            return (await agent.run("What does a parcel of 2.5 kg cost in the city?")).output

    monkeypatch.setitem(os.environ, "NO_PROXY", "127.0.0.1")
    with run_server(lambda received: Answer(200, model.answer(received.body))) as server:
        assert run(lambda: work(server.url)) == ANSWER
    offered = [model.list_tools(request) for request in model.requests]
    assert offered == [
        ["pickup_slots", "toolSearch"],
        ["pickup_slots", "toolSearch", "parcel_price"],
        ["pickup_slots", "toolSearch", "parcel_price"],
    ]
    (rendered,) = render_calls(list(calls_of(tenant.pk)))
    assert (rendered["door"], rendered["outcome"], rendered["name"]) == ("mcp", "ok", "parcel_price")
