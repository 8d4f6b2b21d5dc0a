"""Reads exposures back: for auditors, and for calls that refer to an earlier snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from toolcatalog.contract.catalog import TenantRecord
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.resolve import ContextInput
from toolcatalog.models import Exposure, ExposureContent


@dataclass(frozen=True, slots=True)
class StoredContext:
    """The context of an earlier exposure, and whose it was."""

    at: datetime
    profile_id: int | None
    context: ContextInput


def find_context(tenant: TenantRecord, exposure_id: UUID) -> StoredContext:
    """The context of one of the tenant's exposures. Raises InvalidInput `unknown_snapshot`."""
    exposure = Exposure.objects.filter(tenant_id=tenant.id, pk=exposure_id).first()
    if exposure is None:
        raise InvalidInput.single("snapshot_id", "unknown_snapshot", "There is no such snapshot. Resolve again.")
    stored = read_content(exposure.context_sha256)
    context = ContextInput(
        account_id=exposure.account,
        conversation_id=exposure.conversation_id,
        bot_id=stored.get("bot_id"),
        turn_id=stored.get("turn_id"),
        model=exposure.model,
        attributes=stored.get("attributes") or {},
    )
    return StoredContext(exposure.at, exposure.profile_id, context)


def read_content(sha256: bytes | memoryview | None) -> dict[str, Any]:
    """A body by its hash, parsed; empty when there is none."""
    content = ExposureContent.objects.filter(pk=sha256).first() if sha256 is not None else None
    body: dict[str, Any] = {} if content is None else orjson.loads(bytes(content.body))
    return body
