"""A throw-away tenant: tools that are searched as any caller searches, and nothing left of them behind."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.db import connection, transaction

from toolcatalog.contract.catalog import Caution
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.resolve import Caller, SearchRequest
from toolcatalog.curation import Author, create_tenant, import_document
from toolcatalog.models import AgentProfile, Tenant, Tool
from toolcatalog.resolution import read_catalog, search
from toolcatalog.search import SearchProvider, SearchQuery, get_provider, save_documents, search_tools
from toolcatalog.search.calibration import Signal
from toolcatalog.search.embedding import active_embedder
from toolcatalog.search.providers.postgres import PostgresProvider
from toolcatalog.search.providers.semantic import SemanticProvider, work_off
from toolcatalog.text import check_tool_name, is_reserved, propose_tool_name


@dataclass(frozen=True, slots=True)
class TrialTenant:
    """Searches of one tenant, by one provider. `given` leads from catalog names to the names that the rows had."""

    tenant: Tenant
    provider: SearchProvider
    given: Mapping[str, str]
    ids: Mapping[str, int]
    refused: tuple[str, ...]

    def search(self, query: str, places: int) -> list[str]:
        """The names found through the code of `/search`, as the rows gave them; none for a query it cannot take."""
        try:
            answer = search(SearchRequest(query=query, max_results=places), Caller(self.tenant.pk))
        except InvalidInput:
            return []
        return [self.given[name] for name in answer.names]

    def judge(self, query: str, without: Collection[str] = ()) -> Signal:
        """How sure the search is of its answer, with some tools (by given name) taken out of the catalog."""
        allowed = frozenset(tool_id for name, tool_id in self.ids.items() if self.given[name] not in without)
        asked = SearchQuery(query, allowed, [self.tenant.pk], 1, caution=Caution.OFF)
        result = search_tools(self.provider, asked)
        score = result.hits[0].score if result.hits else 0.0
        confidence = 1.0 if result.stage == "name" else result.details.get("confidence", score)
        return Signal(float(confidence) if isinstance(confidence, int | float) else score, score)


_OWN_REVISIONS = """
CREATE TEMPORARY TABLE trial_state (LIKE toolcatalog_state INCLUDING ALL) ON COMMIT DROP;
CREATE TEMPORARY TABLE trial_change (LIKE toolcatalog_change INCLUDING ALL) ON COMMIT DROP;
INSERT INTO trial_state SELECT * FROM toolcatalog_state;
ALTER TABLE trial_state RENAME TO toolcatalog_state;
ALTER TABLE trial_change RENAME TO toolcatalog_change;
DISCARD PLANS
"""
"""Temporary tables hide those of the same name, plans made before would not see them: the trial counts its revisions
for itself, and holds no row that an edit of the real catalog waits for.
"""


@contextmanager
def trial_tenant(rows: Sequence[Mapping[str, Any]], provider: str) -> Iterator[TrialTenant]:
    """Load tools, as the REST contract has them, for a new tenant whose default profile searches with `provider`.

    A name that the catalog refuses becomes what it would propose. Rows that it refuses for another reason are listed.
    Everything happens in one transaction, which is undone at the end; edits of the real catalog do not wait for it.
    Raises `InvalidInput` for rows without a name and for a provider that there is not, `SearchFailed` and
    `EmbeddingFailed` for one that cannot be used.
    """
    engine = get_provider(provider)
    names = choose_names(rows)
    with transaction.atomic():
        _allow_time()
        _count_revisions_apart()
        tenant = create_tenant(f"trial-{secrets.token_hex(8)}")
        document: JsonObject = {
            "version": 1,
            "tools": [{"status": "published", **row, "name": name} for row, name in zip(rows, names, strict=True)],
        }
        plan = import_document(tenant, document, Author("evaluate_search"))
        AgentProfile.objects.filter(tenant=tenant).update(search_provider=provider)
        ids = dict(Tool.objects.filter(owner=tenant).values_list("name", "pk"))
        _fill(engine, tenant, list(ids.values()))
        _compile(tenant)
        refused = tuple(row.name for row in plan.rows if row.action == "invalid")
        given = dict(zip(names, (str(row["name"]) for row in rows), strict=True))
        try:
            yield TrialTenant(tenant, engine, given, ids, refused)
        finally:
            if not isinstance(engine, PostgresProvider):
                engine.clear(tenant.pk)
            transaction.set_rollback(True)


def choose_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Legal names, distinct, in the order of the rows; those that are legal already are kept.

    Raises `InvalidInput` where there is none.
    """
    errors = [
        FieldError(f"tools[{index}].name", "required", "A tool needs a name.")
        for index, row in enumerate(rows)
        if not row.get("name")
    ]
    if errors:
        raise InvalidInput(errors)
    given = [str(row["name"]) for row in rows]
    taken = {name for name in given if check_tool_name(name) is None and not is_reserved(name)}
    return [name if name in taken else _take(propose_tool_name(name), taken) for name in given]


def _take(proposal: str, taken: set[str]) -> str:
    name = next(
        name for number in count(1) if (name := proposal if number == 1 else f"{proposal}_{number}") not in taken
    )
    taken.add(name)
    return name


def _fill(engine: SearchProvider, tenant: Tenant, tool_ids: Sequence[int]) -> None:
    """Have the provider know the tools: what is saved is in the index of `postgres`."""
    if isinstance(engine, SemanticProvider):
        engine.queue(tool_ids)
        work_off(active_embedder(), tool_ids)
    elif not isinstance(engine, PostgresProvider):
        save_documents(engine, PostgresProvider().find_all(tenant.pk))


def _compile(tenant: Tenant) -> None:
    """Compile the catalog ahead of the first search. Tables that one transaction filled have no statistics yet: without
    nested loops the planner cannot choose one that takes minutes.
    """
    _allow_time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('enable_nestloop', 'off', true)")
        read_catalog(tenant.pk)
        cursor.execute("SELECT set_config('enable_nestloop', 'on', true)")


def _count_revisions_apart() -> None:
    with connection.cursor() as cursor:
        for statement in _OWN_REVISIONS.split(";"):
            cursor.execute(statement)


def _allow_time() -> None:
    """Lift the time budget of the application's role for this transaction: it is for requests."""
    settings = ["statement_timeout", "idle_in_transaction_session_timeout"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int >= 170000")
        if cursor.fetchone()[0]:
            settings.append("transaction_timeout")
        for setting in settings:
            cursor.execute("SELECT set_config(%s, '0', true)", [setting])
