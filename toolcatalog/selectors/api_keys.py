"""Finds the key that a caller sent."""

from __future__ import annotations

import hashlib
import hmac

from django.utils import timezone

from toolcatalog.contract.errors import NotAuthenticated
from toolcatalog.models import ApiKey


def hash_secret(secret: str) -> bytes:
    """SHA-256 of the whole key. A key has 256 random bits, so that a slow hash would add nothing."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


def find_key(token: str) -> ApiKey:
    """The live key of this secret, with its tenant. Raises NotAuthenticated, in the same words for every cause."""
    _, _, rest = token.partition("_")
    key = ApiKey.objects.select_related("tenant").filter(prefix=rest.partition("_")[0]).first()
    known = b"" if key is None else bytes(key.secret_sha256)
    if key is None or not hmac.compare_digest(hash_secret(token), known) or not is_live(key):
        raise NotAuthenticated("This key is not known, has expired, or was revoked.")
    return key


def is_live(key: ApiKey) -> bool:
    """Whether the key counts now: not revoked, not expired, its tenant active."""
    expired = key.expires_at is not None and key.expires_at <= timezone.now()
    return key.revoked_at is None and not expired and key.tenant.is_active
