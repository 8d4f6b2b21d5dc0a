"""Writing the index. Every function runs in the caller's transaction, so that tool and index change together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from django.db import connection, transaction

from toolcatalog.contract.json import dump_json
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.documents import dump_document
from toolcatalog.search.ranking import IndexedTool, index_document
from toolcatalog.text.names import last_segment, name_key
from toolcatalog.text.tokens import TOKENIZER_VERSION, Word

from . import statements
from .arrays import write_array
from .changes import Changes
from .owners import owner_key
from .vectors import write_vector

BATCH_SIZE = 1_000
"""So many tools are counted together: the more, the fewer counts are written twice."""

INSERT_SIZE = 200
"""So many tools go into one statement: its time is limited where requests' is."""

_Row = tuple[int, int, str, int, int]
"""A posting: tool, owner, lexeme, impact, fields."""

_LOCK_SPACE = 0x70_6C_01
"""The class of advisory locks that keep two writers of one owner's index from counting at once."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """All that decides what the index holds of one tool."""

    owner: int
    name: str
    tokenizer_version: int
    document: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """One tool of the index, and the words that were counted for it."""

    stored: _Stored
    words: Sequence[str]


def replace_entries(documents: Iterable[SearchDocument]) -> None:
    """Insert or replace tools. The last of several documents of one tool counts; unchanged tools cost one read."""
    latest = list({document.tool_id: document for document in documents}.values())
    for start in range(0, len(latest), BATCH_SIZE):
        _replace_batch(latest[start : start + BATCH_SIZE])


def remove_entries(tool_ids: Collection[int]) -> int:
    """Forget tools; answers how many were there."""
    with transaction.atomic():
        present = _lock_and_read(tool_ids, ())
        changes = Changes()
        _forget_postings(present, changes)
        _forget_entries(present, changes)
        changes.apply()
    return len(present)


def clear_owner(owner_id: int | None) -> int:
    """Forget every tool of the owner; answers how many there were."""
    owner = {"owner": owner_key(owner_id)}
    with transaction.atomic(), connection.cursor() as cursor:
        _take_time()
        cursor.execute(statements.LOCK_OWNERS, {"space": _LOCK_SPACE, "owners": list(owner.values())})
        for statement in statements.CLEAR_COUNTS:
            cursor.execute(statement, owner)
        cursor.execute(statements.CLEAR_ENTRIES, owner)
        return int(cursor.rowcount)


def _replace_batch(documents: Sequence[SearchDocument]) -> None:
    stored = {document.tool_id: _store(document) for document in documents}
    with transaction.atomic():
        if len(documents) > INSERT_SIZE:
            _take_time()
        present = _lock_and_read(list(stored), {owner_key(document.owner_id) for document in documents})
        changed = [
            document
            for document in documents
            if document.tool_id not in present or present[document.tool_id].stored != stored[document.tool_id]
        ]
        changes = Changes()
        replaced = {each.tool_id: present[each.tool_id] for each in changed if each.tool_id in present}
        _forget_entries(replaced, changes)
        for start in range(0, len(changed), INSERT_SIZE):
            some = changed[start : start + INSERT_SIZE]
            _write(some, stored, _read_postings([each.tool_id for each in some if each.tool_id in replaced]), changes)
        changes.apply()


def _take_time() -> None:
    with connection.cursor() as cursor:
        cursor.execute(statements.TAKE_TIME, {"limit": "60s"})


def _store(document: SearchDocument) -> _Stored:
    text = dump_json(dump_document(document)).decode()
    return _Stored(owner_key(document.owner_id), document.name, TOKENIZER_VERSION, text)


def _lock_and_read(tool_ids: Collection[int], owners: Iterable[int]) -> dict[int, _Entry]:
    """What the index holds of these tools, once no other transaction can change what their owners' index counts."""
    locked = set(owners) | {entry.stored.owner for entry in _read_entries(tool_ids).values()}
    if locked:
        with connection.cursor() as cursor:
            cursor.execute(statements.LOCK_OWNERS, {"space": _LOCK_SPACE, "owners": sorted(locked)})
    return _read_entries(tool_ids)


def _read_entries(tool_ids: Collection[int]) -> dict[int, _Entry]:
    with connection.cursor() as cursor:
        cursor.execute(statements.READ_ENTRIES, {"tool_ids": list(tool_ids)})
        return {tool_id: _Entry(_Stored(*stored), words) for tool_id, *stored, words in cursor.fetchall()}


def _read_postings(tool_ids: Collection[int]) -> set[_Row]:
    if not tool_ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(statements.READ_POSTINGS, {"tool_ids": list(tool_ids)})
        return set(cursor.fetchall())


def _forget_postings(entries: Mapping[int, _Entry], changes: Changes) -> None:
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.execute(statements.FORGET_POSTINGS, {"tool_ids": list(entries)})
        for tool_id, lexeme in cursor.fetchall():
            changes.count_term(entries[tool_id].stored.owner, lexeme, -1)


def _forget_entries(entries: Mapping[int, _Entry], changes: Changes) -> None:
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.execute(statements.FORGET_ENTRIES, {"tool_ids": list(entries)})
    for entry in entries.values():
        changes.count_term(entry.stored.owner, statements.ALL_TOOLS, -1)
        for written in entry.words:
            changes.count_word(entry.stored.owner, Word(written, ""), -1)


def _write(
    documents: Sequence[SearchDocument], stored: Mapping[int, _Stored], present: Set[_Row], changes: Changes
) -> None:
    """Insert entries, and make their postings of those that are present: of most edits the greater part stays."""
    entries: list[tuple[object, ...]] = []
    postings: list[_Row] = []
    for document in documents:
        kept, indexed = stored[document.tool_id], index_document(document)
        entries.append(_make_entry_row(document, kept, indexed))
        changes.count_term(kept.owner, statements.ALL_TOOLS, 1)
        for word in indexed.words:
            changes.count_word(kept.owner, word, 1)
        for lexeme, posting in indexed.postings.items():
            changes.count_term(kept.owner, lexeme, 1)
            postings.append((document.tool_id, kept.owner, lexeme, posting.impact, posting.fields))
    for _, owner, lexeme, _, _ in present:
        changes.count_term(owner, lexeme, -1)
    _write_rows(statements.INSERT_ENTRIES, entries)
    gone = sorted({(tool_id, lexeme) for tool_id, _, lexeme, _, _ in present - set(postings)})
    _write_rows(statements.FORGET_SOME_POSTINGS, gone)
    new = [posting for posting in postings if posting not in present]
    new.sort(key=_lexeme_of)  # neighbours in the index are written together
    _write_rows(statements.INSERT_POSTINGS, new)


def _make_entry_row(document: SearchDocument, stored: _Stored, indexed: IndexedTool) -> tuple[object, ...]:
    return (
        document.tool_id,
        stored.owner,
        stored.name,
        name_key(stored.name),
        name_key(last_segment(stored.name)),
        document.deprecated,
        stored.tokenizer_version,
        stored.document,
        " ".join(word.written for word in indexed.words),
        write_vector(indexed.postings),
    )


def _lexeme_of(posting: _Row) -> str:
    return posting[2]


def _write_rows(statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Write rows in one statement, which takes one array for each column."""
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(statement, [write_array(column) for column in zip(*rows, strict=True)])
