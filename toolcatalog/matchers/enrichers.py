"""Context enrichers: what the caller did not say and somebody else here knows."""

from __future__ import annotations

import logging
from dataclasses import replace

from toolcatalog.contract.context import EvaluationContext, freeze_context

from .problems import Mismatch
from .registry import PluginRegistry, installed_plugins

logger = logging.getLogger(__name__)


def apply_enrichers(
    context: EvaluationContext, *, registry: PluginRegistry | None = None
) -> tuple[EvaluationContext, tuple[str, ...]]:
    """A context with what the enrichers add, and a sentence for each that failed and so added nothing.

    Each sees what the ones before it wrote. What an enricher writes wins over the caller's attribute of that name.
    """
    problems: list[str] = []
    for enricher in (registry or installed_plugins()).enrichers():
        try:
            added = enricher.caller.call(freeze_context(context))
        except Mismatch as mismatch:
            problems.append(f"The context enricher “{enricher.name}” {mismatch.sentence}.")
            logger.warning("context enricher left out: %s", problems[-1])
        else:
            context = replace(context, attributes={**context.attributes, **added})
    return context, tuple(problems)
