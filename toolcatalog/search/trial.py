"""A trial catalog: tools in an index for as long as they are searched, and nothing left of them behind."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import connection, transaction

from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.tools import NO_PARAMETERS, SearchDocument
from toolcatalog.text.names import check_tool_name, propose_tool_name

from .indexing import save_documents
from .provider import SearchProvider, SearchQuery
from .tool_search import search_tools

TRIAL_BITS = 40


@contextmanager
def trial_catalog(
    provider: SearchProvider, rows: Sequence[Mapping[str, Any]]
) -> Iterator[Callable[[str, int], list[str]]]:
    """Index tools for a tenant that does not exist, and give a function that searches them: (query, places) to names.

    `rows` are tools as the REST contract has them. A name that the catalog refuses is indexed as it would propose it
    and answered as it was given. Everything happens in one transaction, which is undone at the end. Raises
    `InvalidInput` for rows that are no tools.
    """
    # Negative ids are never a tenant's or a tool's, and chance keeps two trials at once apart.
    owner_id = -1 - secrets.randbits(TRIAL_BITS)
    documents = make_documents(rows, owner_id)
    given = {document.tool_id: str(row["name"]) for document, row in zip(documents, rows, strict=True)}
    allowed = frozenset(given)

    def search(query: str, places: int) -> list[str]:
        result = search_tools(provider, SearchQuery(query, allowed, [owner_id], places))
        return [given[hit.tool_id] for hit in result.hits]

    with transaction.atomic():
        _allow_time()
        save_documents(provider, documents)
        try:
            yield search
        finally:
            provider.clear(owner_id)
            transaction.set_rollback(True)


def make_documents(rows: Sequence[Mapping[str, Any]], owner_id: int) -> list[SearchDocument]:
    """Search documents of tools as the REST contract has them, with ids below the owner's (negative) one."""
    errors = [
        FieldError(f"tools[{index}].name", "required", "A tool needs a name.")
        for index, row in enumerate(rows)
        if not row.get("name")
    ]
    if errors:
        raise InvalidInput(errors)
    names = _choose_names([str(row["name"]) for row in rows])
    return [
        _make_document(row, name, owner_id - 1 - index, owner_id)
        for index, (row, name) in enumerate(zip(rows, names, strict=True))
    ]


def _make_document(row: Mapping[str, Any], name: str, tool_id: int, owner_id: int) -> SearchDocument:
    keywords = row.get("keywords") or ()
    words = [word for words in keywords.values() for word in words] if isinstance(keywords, Mapping) else keywords
    category = row.get("category")
    return SearchDocument(
        tool_id=tool_id,
        owner_id=owner_id,
        name=name,
        title=row.get("title") or "",
        description=row.get("description") or "",
        category=(category, category) if category else None,
        tags=tuple((tag, tag) for tag in row.get("tags") or ()),
        keywords=tuple(words),
        parameters=row.get("parameters") or NO_PARAMETERS,
        deprecated=row.get("status") == "deprecated",
    )


def _choose_names(given: Sequence[str]) -> list[str]:
    """Legal names, distinct, in the order of the given ones; those that are legal already are kept."""
    taken = {name for name in given if check_tool_name(name) is None}
    return [name if name in taken else _take(propose_tool_name(name), taken) for name in given]


def _take(proposal: str, taken: set[str]) -> str:
    name = next(
        name for number in count(1) if (name := proposal if number == 1 else f"{proposal}_{number}") not in taken
    )
    taken.add(name)
    return name


def _allow_time() -> None:
    """Lift the time budget of the application's role for this transaction: it is for requests."""
    settings = ["statement_timeout", "idle_in_transaction_session_timeout"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int >= 170000")
        if cursor.fetchone()[0]:
            settings.append("transaction_timeout")
        for setting in settings:
            cursor.execute("SELECT set_config(%s, '0', true)", [setting])
