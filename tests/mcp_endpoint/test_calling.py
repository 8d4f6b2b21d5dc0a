"""Calls of MCP clients go through the gate, and are on record."""

from __future__ import annotations

import json
from typing import Any

from tests.mcp_endpoint.clients import connect, run, text_of
from tests.mcp_endpoint.conftest import make_shop
from tests.mcp_endpoint.serving import Endpoint
from tests.support import make_key
from toolcatalog.auditing import calls_of, render_calls
from toolcatalog.models import Exposure

PRICE = {"weight_kg": 2.5, "zone": "city"}


def test_call__found_tool__runs_and_answers_structured(endpoint: Endpoint) -> None:
    _, secret = make_shop()

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            await client.names()
            await client.search("price of a parcel")
            await client.names()
            result = await client.call("parcel_price", **PRICE)
            assert not result.is_error
            assert result.structured_content is not None
            assert json.loads(text_of(result)) == result.structured_content
            assert result.structured_content["yuan"] == 10

    run(work)


def test_call__wrong_arguments__is_an_error_that_names_them(endpoint: Endpoint) -> None:
    _, secret = make_shop(resident_tools=("parcel_price",))

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            await client.names()
            result = await client.call("parcel_price", zone="city")
            assert result.is_error
            assert result.structured_content is None
            assert "weight_kg" in text_of(result)

    run(work)


def b_X2_mcp__tool_that_was_not_shown__is_refused_in_the_words_of_one_that_is_not_there(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            early = await client.call("parcel_price", **PRICE)
            await client.names()
            late = await client.call("parcel_price", **PRICE)
            unknown = await client.call("nothing_of_that_name")
            order = await client.call("get_order", orderNo="AF1")
            assert all(result.is_error for result in (early, late, unknown, order))
            assert text_of(late) == text_of(unknown) == text_of(order)

    run(work)
    rendered = render_calls(list(calls_of(tenant.pk)))
    assert {(call["outcome"], call["code"]) for call in rendered} == {("refused", "not_exposed")}
    assert len(rendered) == 4


def test_call__key_without_execute__may_search_and_run_nothing(endpoint: Endpoint) -> None:
    tenant, _ = make_shop()
    reader = make_key(tenant, "resolve").secret

    async def work() -> Any:
        async with connect(endpoint.mcp, reader) as client:
            await client.names()
            assert await client.search("price of a parcel") == ["parcel_price"]
            result = await client.call("parcel_price", **PRICE)
            assert result.is_error
            assert "execute" in text_of(result)

    run(work)


def test_audit__one_conversation__all_rows_under_its_correlation_id(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()

    async def work() -> Any:
        async with connect(endpoint.mcp, secret, X_Correlation_ID="talk-7") as client:
            await client.names()
            await client.search("price of a parcel")
            await client.names()
            await client.call("parcel_price", **PRICE)

    run(work)
    exposures = Exposure.objects.filter(tenant_id=tenant.pk).order_by("at")
    assert [exposure.kind for exposure in exposures] == ["resolve", "search", "resolve"]
    (call,) = calls_of(tenant.pk)
    (rendered,) = render_calls([call])
    assert (rendered["door"], rendered["outcome"], rendered["name"]) == ("mcp", "ok", "parcel_price")
    assert call.exposure_id == exposures[2].pk
    assert {exposure.correlation_id for exposure in exposures} | {call.correlation_id} == {"talk-7"}
    assert {exposure.session_id for exposure in exposures} == {call.session_id}


def b_X6_mcp__meta_profile__searches_with_definitions_and_runs_through_them(endpoint: Endpoint) -> None:
    _, secret = make_shop(disclosure="meta")

    async def work() -> Any:
        async with connect(endpoint.mcp, secret) as client:
            names = await client.names()
            assert names == ["pickup_slots", "search_tools", "execute_dynamic_tool"]
            found = await client.call("search_tools", query="price of a parcel")
            assert found.structured_content is not None
            assert [tool["name"] for tool in found.structured_content["tools"]] == ["parcel_price"]
            ran = await client.call("execute_dynamic_tool", tool_name="parcel_price", tool_input=PRICE)
            assert not ran.is_error
            assert client.changes == 0
            assert await client.names() == names

    run(work)
