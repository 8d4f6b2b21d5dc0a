"""One running endpoint for the tests of this folder, whose database is emptied after each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import make_key, make_profile, make_tenant, make_tool, parameters_of
from toolcatalog.models import Tenant

from .serving import Endpoint, run_endpoint

WEIGHT = {
    "type": "object",
    "properties": {"weight_kg": {"type": "number"}, "zone": {"type": "string", "enum": ["city", "country"]}},
    "required": ["weight_kg", "zone"],
}


@pytest.fixture(scope="session")
def process(django_db_setup: None) -> Iterator[Endpoint]:
    """The endpoint, in its own process, for all tests that do not end it."""
    with run_endpoint() as running:
        yield running


@pytest.fixture
def endpoint(transactional_db: None, process: Endpoint) -> Endpoint:
    """The endpoint, and a database for this test."""
    return process


def make_shop(slug: str | None = None, **profile: Any) -> tuple[Tenant, str]:
    """(a tenant with tools that this server runs and one that it does not, the secret of a key)."""
    tenant = make_tenant(slug)
    here = {"execution": "callback"}
    make_tool(
        tenant,
        "parcel_price",
        "寄快递的运费 price of sending a parcel",
        callback="fenghe.parcel_price",
        parameters=WEIGHT,
        **here,
    )
    make_tool(
        tenant,
        "pickup_slots",
        "上门取件的时间 pick-up times",
        callback="fenghe.pickup_slots",
        **here,
        parameters=parameters_of(city="城市"),
    )
    make_tool(tenant, "get_order", "查询订单状态 order status", parameters=parameters_of(orderNo="订单号"))
    settings: dict[str, Any] = {"resident_tools": ("pickup_slots",), **profile}
    make_profile(tenant, **settings)
    return tenant, make_key(tenant, "resolve", "execute").secret
