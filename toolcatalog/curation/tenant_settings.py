"""Saves what is set for a whole tenant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolcatalog.contract.catalog import Eviction, TextPolicy
from toolcatalog.models import Tenant

from .tenants import create_tenant
from .transactions import editing
from .validation import check_storable, clean_row, raise_if_any


@dataclass(frozen=True, slots=True)
class TenantDocument:
    """A tenant's settings. `session_ttl_seconds` counts from the last use."""

    slug: str
    title: str = ""
    is_active: bool = True
    text_policy: str = TextPolicy.DIGEST
    eviction: str = Eviction.LRU
    max_sessions: int = 1000
    session_ttl_seconds: int = 86_400


def render_tenant(tenant: Tenant) -> dict[str, Any]:
    """The tenant's settings as a document."""
    return {name: getattr(tenant, name) for name in TenantDocument.__slots__}


def save_tenant(document: TenantDocument, *, tenant: Tenant | None = None) -> Tenant:
    """Create the tenant with an empty default profile, or change the one given. Raises InvalidInput."""
    with editing():
        parts = {name: getattr(document, name) for name in TenantDocument.__slots__}
        raise_if_any(check_storable(parts))
        row = create_tenant(document.slug, document.title) if tenant is None else tenant
        for name, value in parts.items():
            setattr(row, name, value)
        raise_if_any(clean_row(row))
        row.save()
    return row
