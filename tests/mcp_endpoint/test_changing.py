"""Edits reach clients: told of, and there in the next list."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from asgiref.sync import sync_to_async

from tests.mcp_endpoint.clients import Client, connect, run, text_of
from tests.mcp_endpoint.conftest import WEIGHT, make_shop
from tests.mcp_endpoint.serving import Endpoint
from tests.support import edit_tool, grant, make_profile, make_tool
from toolcatalog.models import Tool

PRICING: dict[str, Any] = {"execution": "callback", "callback": "fenghe.parcel_price", "parameters": WEIGHT}


def test_edit__of_own_tool__client_is_told_and_other_tenants_are_not(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()
    _, other_secret = make_shop()
    tool = Tool.objects.get(name="pickup_slots", owner=tenant)

    async def change(client: Client) -> str:
        """Edit until the client is told: what happens before the endpoint looks at a new tenant is told to nobody."""
        for number in range(30):
            before, text = client.changes, f"Pick-up times, text {number}."
            await sync_to_async(edit_tool)(tool, description=text)
            with suppress(TimeoutError):
                await client.wait_for_change(since=before, seconds=2.5)
                return text
        raise AssertionError("the client was not told")

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client, connect(endpoint.mcp, other_secret) as stranger:
            await client.names()
            await stranger.names()
            text = await change(client)
            described = {tool.name: tool.description for tool in (await client.session.list_tools()).tools}
            assert described["pickup_slots"] == text
            assert stranger.changes == 0

    run(work)


def test_grant__revoked__tool_is_gone_from_the_next_list_and_does_not_run(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()
    make_tool(None, "shared_price", "What it costs", **PRICING)
    given = grant(tenant, "shared_price")
    make_profile(tenant, resident_tools=("shared_price",))

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            assert "shared_price" in await client.names()
            assert not (await client.call("shared_price", weight_kg=1, zone="city")).is_error
            await sync_to_async(given.delete)()
            refused = await client.call("shared_price", weight_kg=2, zone="city")
            assert refused.is_error
            assert "shared_price" not in text_of(refused)
            assert "shared_price" not in await client.names()

    run(work)


def test_tenants__side_by_side__see_their_own_tools_only(endpoint: Endpoint) -> None:
    _, secret = make_shop()
    other, other_secret = make_shop(resident_tools=())
    make_tool(other, "only_here", "寄快递的运费", **PRICING)
    make_profile(other, "special", resident_tools=("only_here",))
    special = f"{endpoint.mcp}/special"

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client, connect(special, other_secret) as stranger:
            assert await client.names() == ["pickup_slots", "toolSearch"]
            assert await stranger.names() == ["only_here", "toolSearch"]
            assert "only_here" not in await client.search("寄快递的运费")
            assert (await client.call("only_here", weight_kg=1, zone="city")).is_error

    run(work)
