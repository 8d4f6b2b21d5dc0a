"""Reads exposures back: for auditors, and for calls that refer to an earlier snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from toolcatalog.contract.catalog import TenantRecord
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import ContextInput
from toolcatalog.models import Exposure, ExposureContent


@dataclass(frozen=True, slots=True)
class StoredContext:
    """The context of an earlier exposure, whose it was, and how long ago by the clock of the database."""

    age: timedelta
    profile_id: int | None
    context: ContextInput
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """An earlier exposure with what was shown: `body` is the parsed snapshot."""

    id: UUID
    stored: StoredContext
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """An earlier request as far as it was kept. `text` is None where the text policy kept none, or there was none:
    then `had_text` is false. `groups` are those that the request named (None: it named none).
    """

    snapshot: StoredSnapshot
    kind: str
    catalog_revision: int
    text: str | None
    had_text: bool
    groups: tuple[str, ...] | None


def find_request(tenant: TenantRecord, exposure_id: UUID) -> StoredRequest | None:
    """What was kept of the request of one of the tenant's exposures; None where there is no such exposure."""
    exposure: Any = Exposure.objects.filter(tenant_id=tenant.id, pk=exposure_id).annotate(age=_AGE).first()
    if exposure is None:
        return None
    groups = read_content(exposure.context_sha256).get("groups")
    return StoredRequest(
        snapshot=StoredSnapshot(exposure.id, _context_of(exposure), read_content(exposure.snapshot_sha256)),
        kind=exposure.kind,
        catalog_revision=exposure.catalog_revision,
        text=exposure.text,
        had_text=exposure.text_digest is not None,
        groups=None if groups is None else tuple(groups),
    )


def find_context(tenant: TenantRecord, exposure_id: UUID) -> StoredContext:
    """The context of one of the tenant's exposures. Raises InvalidInput `unknown_snapshot`."""
    return _context_of(_find(tenant, exposure_id))


def find_snapshot(tenant: TenantRecord, exposure_id: UUID) -> StoredSnapshot:
    """One of the tenant's exposures with its body. Raises InvalidInput `unknown_snapshot`."""
    exposure = _find(tenant, exposure_id)
    return StoredSnapshot(exposure.id, _context_of(exposure), read_content(exposure.snapshot_sha256))


def names_shown_in_session(tenant: TenantRecord, profile_id: int, session_id: str, hours: int) -> frozenset[str]:
    """The names of all tools of the catalog, and of the session's own, that exposures of this session showed lately."""
    recent = Exposure.objects.filter(
        tenant_id=tenant.id, profile_id=profile_id, session_id=session_id, at__gt=Now() - timedelta(hours=hours)
    )
    bodies = ExposureContent.objects.filter(pk__in=recent.values("snapshot_sha256")).values_list("body", flat=True)
    shown = (orjson.loads(bytes(body)) for body in bodies)
    tools = (tool for body in shown for tool in (*body.get("tools", []), *body.get("found", [])))
    return frozenset(tool["name"] for tool in tools if "id" in tool or Reason.SESSION in tool.get("reasons", []))


def tools_found_in_snapshot(tenant: TenantRecord, exposure_id: UUID, hours: int) -> tuple[dict[str, Any], ...]:
    """The records of the tools that searches made in this snapshot found lately, latest search first."""
    searches = Exposure.objects.filter(
        tenant_id=tenant.id,
        snapshot_id=exposure_id,
        kind=Exposure.Kind.SEARCH,
        at__gt=Now() - timedelta(hours=hours),
    ).order_by("-at")
    hashes = [bytes(sha256) for sha256 in searches.values_list("snapshot_sha256", flat=True)]
    bodies = dict(ExposureContent.objects.filter(pk__in=hashes).values_list("sha256", "body")) if hashes else {}
    by_hash = {bytes(sha256): orjson.loads(bytes(body)) for sha256, body in bodies.items()}
    return tuple(tool for sha256 in hashes for tool in by_hash[sha256]["tools"])


_AGE = ExpressionWrapper(Now() - F("at"), output_field=DurationField())


def _find(tenant: TenantRecord, exposure_id: UUID) -> Any:
    exposure = Exposure.objects.filter(tenant_id=tenant.id, pk=exposure_id).annotate(age=_AGE).first()
    if exposure is None:
        raise InvalidInput.single("snapshot_id", "unknown_snapshot", "There is no such snapshot. Resolve again.")
    return exposure


def _context_of(exposure: Any) -> StoredContext:
    stored = read_content(exposure.context_sha256)
    context = ContextInput(
        account_id=exposure.account,
        conversation_id=exposure.conversation_id,
        bot_id=stored.get("bot_id"),
        turn_id=stored.get("turn_id"),
        model=exposure.model,
        attributes=stored.get("attributes") or {},
    )
    return StoredContext(exposure.age, exposure.profile_id, context, exposure.session_id)


def read_content(sha256: bytes | memoryview | None) -> dict[str, Any]:
    """A body by its hash, parsed; empty when there is none."""
    content = ExposureContent.objects.filter(pk=sha256).first() if sha256 is not None else None
    body: dict[str, Any] = {} if content is None else orjson.loads(bytes(content.body))
    return body
