"""Writes one exposure: a slim row, and the bodies it names by hash. Where it cannot be written, nothing is shown."""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from toolcatalog.contract.catalog import TenantRecord, TextPolicy
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import dump_canonical_json
from toolcatalog.models.exposures import make_uuid7

MAX_COMMITTED_HASHES = 10_000


@dataclass(frozen=True, slots=True)
class ExposureEntry:
    """What is written of one resolve or search.

    `body` is the canonical JSON of what was shown, and names the tenant; `text` the last user message or the query,
    kept as the tenant's text policy says; `context` the facts that the rules saw; `groups` the names by which the
    request narrowed the groups (None: it did not); `snapshot_id` the snapshot in which a search was made.
    """

    kind: str
    outcome: str
    tenant: TenantRecord
    api_key_id: int | None
    profile_id: int
    request_id: str
    catalog_revision: int
    resolver_version: int
    context: EvaluationContext
    body: bytes
    tool_ids: tuple[int, ...] = ()
    group_ids: tuple[int, ...] = ()
    session_id: str | None = None
    correlation_id: str | None = None
    text: str | None = None
    groups: tuple[str, ...] | None = None
    snapshot_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Content:
    sha256: bytes
    body: bytes
    tool_ids: tuple[int, ...] = ()
    group_ids: tuple[int, ...] = ()


class _CommittedHashes:
    """Hashes of bodies that are known to be stored, so that they are not sent again. Filled after commits only."""

    def __init__(self) -> None:
        self._hashes: OrderedDict[bytes, None] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, sha256: bytes) -> bool:
        return sha256 in self._hashes

    def add(self, hashes: Iterable[bytes]) -> None:
        with self._lock:
            self._hashes.update(dict.fromkeys(hashes))
            while len(self._hashes) > MAX_COMMITTED_HASHES:
                self._hashes.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._hashes.clear()


COMMITTED = _CommittedHashes()

_COLUMNS = (
    "id", "kind", "outcome", "tenant_id", "api_key_id", "profile_id", "account", "model", "conversation_id",
    "session_id", "correlation_id", "request_id", "catalog_revision", "resolver_version", "text_digest", "text",
    "context_sha256", "snapshot_sha256", "snapshot_id",
)  # fmt: skip
_PLACES = ", ".join(["%s"] * len(_COLUMNS))
_INSERT_EXPOSURE = f"INSERT INTO toolcatalog_exposure ({', '.join(_COLUMNS)}) VALUES ({_PLACES}) RETURNING at"
_INSERT_CONTENT = (
    "INSERT INTO toolcatalog_exposure_content (sha256, tenant_id, body, tool_ids, group_ids) "
    "VALUES (%s, %s, %s, %s, %s) ON CONFLICT (sha256) DO NOTHING"
)


def digest_text(tenant: TenantRecord, text: str) -> bytes:
    """HMAC-SHA256 under the tenant's salt: repeats are recognisable within the tenant, the text is not."""
    return hmac.digest(tenant.text_salt, text.encode(), "sha256")


def record_exposure(entry: ExposureEntry) -> tuple[UUID, datetime]:
    """Write the exposure in the current transaction, in one statement. Answers its id and the database's time."""
    context = _Content(*_hashed(_context_body(entry)))
    snapshot = _Content(*_hashed(entry.body), entry.tool_ids, entry.group_ids)
    new = [content for content in (context, snapshot) if content.sha256 not in COMMITTED]
    exposure_id = make_uuid7()
    parameters: list[Any] = []
    for content in new:
        parameters += [content.sha256, entry.tenant.id, content.body, list(content.tool_ids), list(content.group_ids)]
    parameters += _row(entry, exposure_id, context.sha256, snapshot.sha256)
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(new)), parameters)
        row = cursor.fetchone()
    if row is None:
        raise AssertionError("INSERT … RETURNING answered no row")
    if new:
        transaction.on_commit(lambda: COMMITTED.add(content.sha256 for content in new))
    return exposure_id, row[0]


def _statement(new_contents: int) -> str:
    if not new_contents:
        return _INSERT_EXPOSURE
    parts = ", ".join(f"content_{index} AS ({_INSERT_CONTENT})" for index in range(new_contents))
    return f"WITH {parts} {_INSERT_EXPOSURE}"


def _hashed(body: bytes) -> tuple[bytes, bytes]:
    return hashlib.sha256(body).digest(), body


def _context_body(entry: ExposureEntry) -> bytes:
    context = entry.context
    body = {
        "tenant": entry.tenant.slug,
        "bot_id": context.bot_id,
        "turn_id": context.turn_id,
        "attributes": context.attributes,
    }
    return dump_canonical_json(body if entry.groups is None else {**body, "groups": entry.groups})


def _row(entry: ExposureEntry, exposure_id: UUID, context_sha256: bytes, snapshot_sha256: bytes) -> list[Any]:
    context = entry.context
    return [
        exposure_id,
        entry.kind,
        entry.outcome,
        entry.tenant.id,
        entry.api_key_id,
        entry.profile_id,
        context.account_id,
        context.model,
        context.conversation_id,
        entry.session_id,
        context.conversation_id or entry.session_id or entry.correlation_id,
        entry.request_id,
        entry.catalog_revision,
        entry.resolver_version,
        None if entry.text is None else digest_text(entry.tenant, entry.text),
        entry.text if entry.tenant.text_policy is TextPolicy.FULL else None,
        context_sha256,
        snapshot_sha256,
        entry.snapshot_id,
    ]
