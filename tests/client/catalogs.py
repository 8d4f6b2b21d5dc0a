"""A catalog for agents to work with: tools that callers run, that the server runs, and one that is always there."""

from __future__ import annotations

from typing import Any

from tests.support.catalog import make_group, make_key, make_profile, make_tenant, make_tools
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


def callback(name: str) -> dict[str, str]:
    """What makes a tool run this callback."""
    return {"execution": "callback", "callback": f"parcels.{name}"}


def make_catalog(**profile: Any) -> tuple[Tenant, str]:
    """(a tenant with tools, the secret of a key of it)."""
    tenant = make_tenant()
    text = {"type": "string"}
    order = {"type": "object", "properties": {"orderNo": {**text, "description": "订单号"}}, "required": ["orderNo"]}
    city = {"type": "object", "properties": {"city": text}, "required": ["city"]}
    weight = {"type": "object", "properties": {"weight": {"type": "integer"}}, "required": ["weight"]}
    described: dict[str, tuple[str, dict[str, Any]]] = {
        "get_order": ("根据订单号查询订单状态 order status", {"category": "orders", "parameters": order}),
        "getWeather": ("查询指定城市的实时天气 weather of a city", {"category": "weather", "parameters": city}),
        "parcel.price": ("What a parcel costs to send", {"parameters": weight, **callback("price")}),
        "parcel.broken": ("Weighs a parcel on scales", callback("broken")),
        "current_time": ("The time now", {}),
    }
    make_tools(tenant, [{"name": name, "description": text, **more} for name, (text, more) in described.items()])
    make_group(tenant, "orders", (), says("order", "订单"), system_prompt=PROMPT)
    make_profile(tenant, resident_tools=("current_time",), **profile)
    return tenant, make_key(tenant, "resolve", "execute").secret
