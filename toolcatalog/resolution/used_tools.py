"""Search by what a tenant's calls have used: the same tools that were found, in another order, and why."""

from __future__ import annotations

from dataclasses import replace

from toolcatalog.auditing import count_successes
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.search import SearchResult, rank_by_usage

from .catalog import TenantCatalog


def prefer_used_tools(catalog: TenantCatalog, found: SearchResult, limit: int) -> SearchResult:
    """The first `limit` of what was found, by fit and by the tenant's own calls that went well.

    For `explain`, `details["used"]` has the tools of the answer that were used, by name: their successes, and the place
    from 1 that they would have without them. Without any use, the result is the provider's.
    """
    uses = count_uses(catalog, found)
    ranked = rank_by_usage(found, uses, limit)
    places = {hit.tool_id: place for place, hit in enumerate(found.hits, start=1)}
    used = {
        catalog.tool(hit.tool_id).name: {"successes": uses[hit.tool_id], "place_without": places[hit.tool_id]}
        for hit in ranked.hits
        if hit.tool_id in uses
    }
    return replace(ranked, details={**ranked.details, "used": used}) if used else ranked


def count_uses(catalog: TenantCatalog, found: SearchResult) -> dict[int, int]:
    """Successes by tool id. A session's own tools have no usage; that of a deprecated one does not count any more,
    since it comes after what fits as well (X8).
    """
    tools = (catalog.tool(hit.tool_id) for hit in found.hits)
    countable = [tool.id for tool in tools if not tool.of_session and tool.status is not ToolStatus.DEPRECATED]
    return count_successes(catalog.tenant.id, countable) if countable else {}
