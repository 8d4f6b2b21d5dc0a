"""What an MCP client is shown, and how that grows and shrinks."""

from __future__ import annotations

from typing import Any

from tests.mcp_endpoint.clients import connect, run
from tests.mcp_endpoint.conftest import make_shop
from tests.mcp_endpoint.serving import Endpoint


def test_list__new_session__residents_and_entry_tool_and_nothing_that_callers_run(endpoint: Endpoint) -> None:
    _, secret = make_shop(resident_tools=("pickup_slots", "get_order"))

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            assert await client.names() == ["pickup_slots", "toolSearch"]

    run(work)


def test_search__english_and_chinese__found_tools_are_in_the_next_list_and_the_client_is_told(
    endpoint: Endpoint,
) -> None:
    _, secret = make_shop()

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            await client.names()
            assert await client.search("price of a parcel") == ["parcel_price"]
            await client.wait_for_change(since=0)
            assert client.changes == 1
            assert await client.names() == ["pickup_slots", "toolSearch", "parcel_price"]
            assert await client.search("寄快递的运费") == ["parcel_price"]
            await client.wait_for_change(since=1)
            assert client.changes == 2

    run(work)


def b_T12_mcp__tools_that_callers_run__take_no_place_in_searches(endpoint: Endpoint) -> None:
    _, secret = make_shop()

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            await client.names()
            assert await client.search("查询订单状态") == []
            assert "get_order" not in await client.search("get_order parcel price", maxResults=1)

    run(work)
