"""Money at the group's own fixed rates."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Literal

from pydantic import Field

from toolcatalog.callbacks import tool

Currency = Literal["CNY", "EUR", "JPY", "USD"]

YUAN_FOR_ONE = {"CNY": Decimal(1), "EUR": Decimal("7.80"), "JPY": Decimal("0.048"), "USD": Decimal("7.20")}
SMALLEST_UNIT = {"CNY": Decimal("0.01"), "EUR": Decimal("0.01"), "JPY": Decimal(1), "USD": Decimal("0.01")}


@dataclass(frozen=True)
class Conversion:
    """An amount in another currency, and the rate that was used."""

    amount: Decimal
    currency: str
    rate: Decimal


@tool(
    title="Convert at group rates",
    category="finance",
    tags=["money", "currency"],
    keywords={"en": ["exchange rate"], "zh": ["汇率", "换算", "货币"]},
    annotations={"readOnlyHint": True, "idempotentHint": True},
)
def convert_amount(amount: Annotated[Decimal, Field(ge=0)], currency: Currency, to: Currency = "CNY") -> Conversion:
    """Converts an amount of money at the fixed rates that the group uses for invoices.

    Not for live exchange rates.

    Args:
        amount: How much, for example 19.90.
        currency: The currency that the amount is in.
        to: The currency that is wanted.
    """
    rate = YUAN_FOR_ONE[currency] / YUAN_FOR_ONE[to]
    converted = (amount * rate).quantize(SMALLEST_UNIT[to], ROUND_HALF_UP)
    return Conversion(converted, to, rate.quantize(Decimal("0.000001")))
