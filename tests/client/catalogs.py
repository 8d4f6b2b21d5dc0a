"""A catalog for agents to work with: tools that callers run, that the server runs, and one that is always there."""

from __future__ import annotations

from typing import Any

from tests.support.catalog import make_group, make_key, make_profile, make_tenant, make_tool
from tests.support.rules import says
from toolcatalog.models import Tenant

PROMPT = "Only speak of orders of this account."
CALLBACKS = {"parcels.price": "price", "parcels.broken": "broken"}
CODE = """
@tool
def price(weight: int) -> int:
    "What a parcel costs."
    return weight * 3

@tool
def broken() -> str:
    "Always fails."
    raise ToolError("The scales are broken.")
"""


def make_catalog(**profile: Any) -> tuple[Tenant, str]:
    """(a tenant with tools, the secret of a key of it)."""
    tenant = make_tenant()
    text = {"type": "string"}
    order = {"type": "object", "properties": {"orderNo": {**text, "description": "订单号"}}, "required": ["orderNo"]}
    city = {"type": "object", "properties": {"city": text}, "required": ["city"]}
    weight = {"type": "object", "properties": {"weight": {"type": "integer"}}, "required": ["weight"]}
    make_tool(tenant, "get_order", "根据订单号查询订单状态 order status", category="orders", parameters=order)
    make_tool(tenant, "getWeather", "查询指定城市的实时天气 weather of a city", category="weather", parameters=city)
    here = {"execution": "callback", "callback": "parcels.price"}
    make_tool(tenant, "parcel.price", "What a parcel costs to send", parameters=weight, **here)
    make_tool(tenant, "parcel.broken", "Weighs a parcel on scales", execution="callback", callback="parcels.broken")
    make_tool(tenant, "current_time", "The time now")
    make_group(tenant, "orders", (), says("order", "订单"), system_prompt=PROMPT)
    make_profile(tenant, resident_tools=("current_time",), **profile)
    return tenant, make_key(tenant, "resolve", "execute").secret
