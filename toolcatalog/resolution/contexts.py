"""What rules may read of a request."""

from __future__ import annotations

from datetime import UTC, datetime

from toolcatalog.contract.catalog import ProfileRecord
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.resolve import ContextInput
from toolcatalog.matchers import apply_enrichers

from .catalog import TenantCatalog


def make_context(
    catalog: TenantCatalog, profile: ProfileRecord, context: ContextInput, text: str | None
) -> tuple[EvaluationContext, tuple[str, ...]]:
    """The evaluation context after the enrichers, and what went wrong with them.

    The model is the request's, else the profile's default (G14).
    """
    plain = EvaluationContext(
        tenant=catalog.tenant.slug,
        now=datetime.now(UTC),
        message=text,
        model=context.model or profile.default_model,
        account_id=context.account_id,
        conversation_id=context.conversation_id,
        bot_id=context.bot_id,
        turn_id=context.turn_id,
        attributes=context.attributes,
    )
    return apply_enrichers(plain)
