"""Search: which tools answer a request for a capability, for this caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from toolcatalog.auditing import ExposureEntry, find_context, record_exposure
from toolcatalog.conf import read_settings
from toolcatalog.contract.catalog import ProfileRecord, SearchMode
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.errors import InvalidInput, SearchFailed
from toolcatalog.contract.json import JsonValue, dump_canonical_json
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Caller, ContextInput, FoundTool, Notice, SearchAnswer, SearchRequest
from toolcatalog.search import (
    SPARE_PLACES,
    SearchHit,
    SearchProvider,
    SearchQuery,
    SearchResult,
    get_provider,
    search_tools,
    search_with_session,
)
from toolcatalog.text import is_blank, name_key

from .catalog import TenantCatalog
from .contexts import make_context
from .formats import read_format
from .permission import Decision, Permission
from .profiles import JudgedGroup, judge_groups, pick_profile, profile_of_snapshot, select_groups
from .session_tools import define_record
from .sessions import append_turn, read_session_tools
from .snapshot import RESOLVER_VERSION
from .store import CATALOGS
from .used_tools import prefer_used_tools

LONGEST_QUERY = 10_000


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A search as it was understood: who may find what, and how many. `snapshot_id` is what the model was shown."""

    profile: ProfileRecord
    context: EvaluationContext
    permission: Permission
    query: str
    limit: int
    category: str | None
    allowed: frozenset[int]
    notices: tuple[Notice, ...] = ()
    snapshot_id: UUID | None = None


def search(request: SearchRequest, caller: Caller) -> SearchAnswer:
    """Answer one search, remember it in the session, and write its exposure, in one transaction.

    Raises InvalidInput for a query that cannot be searched for, SearchFailed when the provider fails.
    """
    with transaction.atomic():
        catalog = CATALOGS.get(caller.tenant_id)
        plan = plan_search(catalog, request, caller)
        answer = answer_plan(plan, request, caller)
        if request.session_id is not None:
            append_turn(catalog.tenant, plan.profile.id, request.session_id, [answer.names])
    return answer


def answer_plan(plan: SearchPlan, request: SearchRequest, caller: Caller) -> SearchAnswer:
    """Find what was planned, and write the exposure of it in the current transaction."""
    answer = make_answer(plan, find_tools(plan), request, caller)
    record_search(plan, answer, request, caller)
    return answer


def plan_search(catalog: TenantCatalog, request: SearchRequest, caller: Caller) -> SearchPlan:
    """Understand the search. With a snapshot, its profile and context are the default.

    A catalog that comes without the tools of the session is searched with them.
    """
    catalog = catalog.for_caller(caller)
    stored = find_context(catalog.tenant, request.snapshot_id) if request.snapshot_id else None
    if request.profile is None and stored is not None:
        profile = profile_of_snapshot(catalog, stored.profile_id, caller.profiles)
    else:
        profile = pick_profile(catalog, request.profile, caller.profiles)
    if catalog.session is None and request.session_id is not None:
        catalog = catalog.with_session(read_session_tools(catalog.tenant, profile.id, request.session_id))
    given = request.context or (stored.context if stored is not None else ContextInput())
    context, _ = make_context(catalog, profile, given, None)
    judged, opened = judge_groups(catalog, profile, context, explain=False)
    permission = Permission(catalog, profile, opened)
    allowed = permission.search_scope().ids if profile.search.mode is not SearchMode.OFF else frozenset()
    query = read_query(request.query, permission)
    names, notices = _selected(judged, request.groups)
    category = None if request.category is None or is_blank(request.category) else request.category
    return SearchPlan(
        profile=profile,
        context=context,
        permission=permission,
        query=query,
        limit=read_limit(request.max_results, profile),
        category=category,
        allowed=narrow(catalog, allowed, category, names),
        notices=tuple(notices),
        snapshot_id=request.snapshot_id,
    )


def read_query(query: JsonValue, permission: Permission) -> str:
    """The query text. Raises InvalidInput `blank_query`, which names the categories there are (T7)."""
    if isinstance(query, str) and not is_blank(query):
        return query[:LONGEST_QUERY]
    if query is not None and not isinstance(query, str):
        raise InvalidInput.single("query", "not_text", "Give the query as text: a few words for what is needed.")
    categories = ", ".join(permission.search_scope().categories)
    known = f" Categories: {categories}." if categories else ""
    raise InvalidInput.single("query", "blank_query", f"Say in a few words which capability is needed.{known}")


def read_limit(value: JsonValue, profile: ProfileRecord) -> int:
    """How many results: integers and integral strings count, above the profile's cap it is the cap (T8).

    Raises InvalidInput `bad_max_results` for anything else.
    """
    if value is None or value == "":
        return profile.search.default_results
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        number = int(value)
    if number is None or number < 1:
        message = f"Give a whole number from 1 to {profile.search.max_results}, or leave it out."
        raise InvalidInput.single("max_results", "bad_max_results", message)
    return min(number, profile.search.max_results)


def _selected(judged: Sequence[JudgedGroup], names: Sequence[str] | None) -> tuple[frozenset[str] | None, list[Notice]]:
    if names is None:
        return None, []
    groups, notices = select_groups(judged, names)
    return frozenset(name for group in groups for name in group.record.tools), notices


def narrow(
    catalog: TenantCatalog, allowed: frozenset[int], category: str | None, names: frozenset[str] | None
) -> frozenset[int]:
    """Of the allowed tools, those of the category (equal but for case and separators, T9) and of the names given.

    A session's own tools are in no category and no group.
    """
    if category is None and names is None:
        return allowed
    key = None if category is None else name_key(category)
    kept = (catalog.tools[tool_id] for tool_id in allowed if tool_id in catalog.tools)
    if key is not None:
        kept = (tool for tool in kept if tool.category is not None and name_key(tool.category) == key)
    if names is not None:
        kept = (tool for tool in kept if tool.name in names)
    return frozenset(tool.id for tool in kept)


def find_tools(plan: SearchPlan) -> SearchResult:
    """Ask the profile's provider for allowed tools only, and put used ones first where the profile prefers them.

    Raises SearchFailed.
    """
    if not plan.allowed:
        return SearchResult((), "none")
    if not plan.profile.search.prefer_used:
        return ask_provider(plan, plan.limit)
    return prefer_used_tools(plan.permission.catalog, ask_provider(plan, plan.limit + SPARE_PLACES), plan.limit)


def ask_provider(plan: SearchPlan, limit: int) -> SearchResult:
    """The provider's answer, with the tools of the session among it. Raises SearchFailed."""
    scope = plan.permission.search_scope()
    caution = read_settings().search_caution
    query = SearchQuery(plan.query, plan.allowed, scope.owners, limit, plan.profile.search.min_score, caution)
    session = plan.permission.catalog.session
    if session is None:
        return search_tools(provider_of(plan.profile), query)
    return search_with_session(provider_of(plan.profile), query, session.documents)


def provider_of(profile: ProfileRecord) -> SearchProvider:
    """The profile's search provider. Raises SearchFailed where it is not there any more: no fault of the caller."""
    try:
        return get_provider(profile.search.provider)
    except InvalidInput as error:
        raise SearchFailed(error.detail) from error


def make_answer(plan: SearchPlan, result: SearchResult, request: SearchRequest, caller: Caller) -> SearchAnswer:
    """The answer as the caller reads it."""
    catalog = plan.permission.catalog
    exported = catalog.names(read_format(request.format)).exported if request.format else {}
    decided = [(hit, plan.permission.decide_tool(catalog.tool(hit.tool_id))) for hit in result.hits]
    found = tuple(_found(decision, hit, exported) for hit, decision in decided)
    return SearchAnswer(
        names=tuple(tool.name for tool in found),
        results=found,
        outcome="found" if found else "no_match",
        hint=None if found else make_hint(plan, caller),
        notices=plan.notices,
        explanation={"stage": result.stage, "allowed": len(plan.allowed), **result.details}
        if request.explain
        else None,
    )


def _found(decision: Decision, hit: SearchHit, exported: Mapping[str, str]) -> FoundTool:
    tool, content = decision.tool, decision.content
    if tool is None or content is None:
        raise AssertionError(f"tool {hit.tool_id} was found without being allowed")
    return FoundTool(
        name=tool.name,
        title=content.title,
        description=content.description,
        category=tool.category,
        tags=tool.tags,
        score=hit.score,
        matched_on=hit.matched_on,
        exported_name=exported.get(tool.name),
    )


def make_hint(plan: SearchPlan, caller: Caller) -> str:
    """What to do about an empty answer. That something fits which this caller may not have is told to curators only."""
    scope = plan.permission.search_scope()
    if not scope.ids:
        return "Nothing is searchable for this caller."
    if plan.category is not None and not plan.allowed:
        return f"There is no category “{plan.category}”. Categories: {', '.join(scope.categories)}."
    hidden = find_hidden(plan) if caller.may_curate else ()
    if hidden:
        return f"Nothing that this caller may have fits. These fit and are left out: {', '.join(hidden)}."
    return "Nothing fits. Try other words."


def find_hidden(plan: SearchPlan) -> tuple[str, ...]:
    """For curators: tools of the tenant's catalog that fit the query but are kept from this caller, each with the
    reason.
    """
    catalog = plan.permission.catalog
    others = frozenset(catalog.tools) - plan.allowed
    if not others:
        return ()
    owners = frozenset(catalog.tools[tool_id].owner_id for tool_id in others)
    result = search_tools(provider_of(plan.profile), SearchQuery(plan.query, others, owners, plan.limit))
    tools = (catalog.tools[hit.tool_id] for hit in result.hits)
    return tuple(f"{tool.name} ({plan.permission.decide_tool(tool).reason or 'OUT_OF_SCOPE'})" for tool in tools)


def record_search(plan: SearchPlan, answer: SearchAnswer, request: SearchRequest, caller: Caller) -> None:
    """Write the exposure of a search: it told a model which tools exist."""
    catalog = plan.permission.catalog
    decisions = [plan.permission.decide(name) for name in answer.names]
    body = {
        "kind": "search",
        "tenant": catalog.tenant.slug,
        "profile": plan.profile.slug,
        # What is no category of this caller's is text of the request, which the record does not keep.
        "category": plan.category if plan.allowed else None,
        "tools": [_search_body(decision) for decision in decisions],
    }
    record_exposure(
        ExposureEntry(
            kind="search",
            outcome=answer.outcome,
            tenant=catalog.tenant,
            api_key_id=caller.key_id,
            profile_id=plan.profile.id,
            request_id=caller.request_id,
            catalog_revision=catalog.stamp.revision,
            resolver_version=RESOLVER_VERSION,
            context=plan.context,
            body=dump_canonical_json(body),
            tool_ids=tuple(decision.tool.id for decision in decisions if decision.tool is not None),
            session_id=request.session_id,
            correlation_id=request.correlation_id,
            text=plan.query,
            snapshot_id=plan.snapshot_id,
        )
    )


def _search_body(decision: Decision) -> dict[str, object]:
    if decision.tool is None:
        raise AssertionError("a tool was found without being allowed")
    tool, sha256 = decision.tool, decision.sha256.hex()
    if tool.of_session:
        return {"name": tool.name, "reasons": [Reason.SESSION], "sha256": sha256, "definition": define_record(tool)}
    return {"name": tool.name, "id": tool.id, "revision": decision.revision, "sha256": sha256}
