"""Creates tenants and their keys."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from toolcatalog.contract.catalog import SHARED_OWNER
from toolcatalog.contract.errors import FieldError
from toolcatalog.models import AgentProfile, ApiKey, Tenant
from toolcatalog.selectors import hash_secret

from .transactions import editing
from .validation import clean_row, raise_if_any

KEY_MARK = "tc"


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key just made. `secret` is the whole key; it is stored nowhere and shown once."""

    key: ApiKey
    secret: str


def create_tenant(slug: str, title: str = "", *, with_profile: bool = True) -> Tenant:
    """Create a tenant, with an empty default profile unless its profiles come from elsewhere. Raises InvalidInput."""
    with editing():
        tenant = Tenant(slug=slug, title=title)
        raise_if_any(clean_row(tenant))
        if slug == SHARED_OWNER:
            message = f"“{SHARED_OWNER}” stands for what belongs to no tenant. Choose another slug."
            raise_if_any([FieldError("slug", "reserved", message)])
        tenant.save()
        if with_profile:
            AgentProfile.objects.create(tenant=tenant, slug="default", title="Default", is_default=True)
    return tenant


def create_api_key(
    tenant: Tenant,
    scopes: Sequence[str],
    *,
    name: str,
    profiles: Sequence[str] = (),
    expires_at: datetime | None = None,
) -> NewApiKey:
    """Create a key: `tc_<prefix>_<secret>` with 256 random bits, of which only a SHA-256 is kept.

    Raises InvalidInput.
    """
    unknown = [scope for scope in scopes if scope not in ApiKey.SCOPES]
    if unknown or not scopes:
        message = f"Choose from {', '.join(ApiKey.SCOPES)}."
        raise_if_any([FieldError("scopes", "unknown_scope", f"There is no scope “{', '.join(unknown)}”. {message}")])
    prefix = secrets.token_hex(6)
    secret = f"{KEY_MARK}_{prefix}_{secrets.token_urlsafe(32)}"
    key = ApiKey(
        tenant=tenant,
        name=name,
        prefix=prefix,
        secret_sha256=hash_secret(secret),
        scopes=list(dict.fromkeys(scopes)),
        profiles=list(profiles),
        expires_at=expires_at,
    )
    raise_if_any(clean_row(key))
    key.save()
    return NewApiKey(key, secret)


def revoke_api_key(key: ApiKey) -> None:
    """Refuse the key from now on. It stays on record."""
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
