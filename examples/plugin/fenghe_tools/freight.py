"""Prices and pick-ups of Crane Freight."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from pydantic import BaseModel, Field

from toolcatalog.callbacks import CallContext, ToolError, tool

HEAVIEST_KG = 30
CUBIC_CM_FOR_ONE_KG = 6_000


class Zone(Enum):
    """How far a parcel goes."""

    CITY = "city"
    PROVINCE = "province"
    COUNTRY = "country"


PRICE_OF_FIRST_KG = {Zone.CITY: 8, Zone.PROVINCE: 12, Zone.COUNTRY: 18}
PRICE_OF_FURTHER_KG = {Zone.CITY: 1, Zone.PROVINCE: 2, Zone.COUNTRY: 5}
SLOTS = {"shanghai": ("09:00", "13:00", "17:00"), "hangzhou": ("10:00", "16:00")}


@dataclass
class Size:
    """The edges of a parcel in centimetres."""

    length: Annotated[float, Field(gt=0, le=200, description="Longest edge, cm.")]
    width: Annotated[float, Field(gt=0, le=200, description="Second edge, cm.")]
    height: Annotated[float, Field(gt=0, le=200, description="Shortest edge, cm.")]


class Price(BaseModel):
    """What a parcel costs, in yuan."""

    yuan: int
    charged_kg: int
    is_bulky: bool


@tool(
    title="Parcel price",
    category="freight",
    tags=["parcel", "price"],
    keywords={"en": ["postage", "shipping cost"], "zh": ["运费", "邮费", "快递价格"]},
    annotations={"readOnlyHint": True},
)
def parcel_price(weight_kg: float, zone: Zone, size: Size | None = None) -> Price:
    """Says what it costs to send one parcel with Crane Freight.

    A light parcel that takes much room is charged by its size.

    :param weight_kg: The weight in kilograms, at most 30.
    :param zone: How far it goes.
    :param size: The edges, if the parcel is larger than a shoe box.
    """
    if not 0 < weight_kg <= HEAVIEST_KG:
        raise ToolError(f"Parcels weigh more than 0 and at most {HEAVIEST_KG} kg. Offer a pallet instead.")
    by_size = size.length * size.width * size.height / CUBIC_CM_FOR_ONE_KG if size else 0
    charged = math.ceil(max(weight_kg, by_size))
    yuan = PRICE_OF_FIRST_KG[zone] + PRICE_OF_FURTHER_KG[zone] * (charged - 1)
    return Price(yuan=yuan, charged_kg=charged, is_bulky=by_size > weight_kg)


@tool(title="Pick-up times", category="freight", tags=["parcel"], keywords={"zh": ["上门取件", "取件时间"]})
async def pickup_slots(context: CallContext, city: str | None = None) -> dict[str, object]:
    """Lists the times at which a driver can pick up a parcel today.

    Args:
        city: The city; without it, the one of the account.
    """
    known = city or context.attributes.get("city")
    if not isinstance(known, str) or known.lower() not in SLOTS:
        raise ToolError(f"There is no pick-up there. Cities with pick-up: {', '.join(sorted(SLOTS))}.")
    await asyncio.sleep(0)  # here one would ask the drivers' system
    return {"city": known.lower(), "slots": SLOTS[known.lower()], "account": context.account_id}
