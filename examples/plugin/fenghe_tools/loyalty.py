"""What the group knows of its loyal customers, for the rules of tool groups."""

from __future__ import annotations

from collections.abc import Mapping

from toolcatalog.contract.context import EvaluationContext


class LoyaltyEnricher:
    """Adds `loyalty.level` for accounts of the loyalty programme, whose ids begin with `vip-`; else nothing."""

    name = "loyalty"
    order = 100

    def enrich(self, context: EvaluationContext) -> Mapping[str, object]:
        """The level; here one would ask the customers' system, within the short time that enrichers have."""
        account = context.account_id or ""
        if not account.startswith("vip-"):
            return {}
        return {"loyalty": {"level": "gold" if account.startswith("vip-g") else "silver"}}
