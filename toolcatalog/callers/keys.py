"""The caller that a key stands for. The key names the tenant; nothing else does."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from toolcatalog.contract.resolve import Caller
from toolcatalog.models import ApiKey
from toolcatalog.selectors import find_key

from .headers import read_bearer

LAST_USED_STEP = timedelta(minutes=1)


def authenticate(authorization: str, request_id: str) -> tuple[Caller, ApiKey]:
    """The caller and the key of an `Authorization` header. Raises NotAuthenticated, whatever is wrong with it."""
    key = find_key(read_bearer(authorization))
    note_use(key)
    return Caller(key.tenant_id, key.pk, frozenset(key.scopes), tuple(key.profiles), request_id), key


def note_use(key: ApiKey) -> None:
    """Remember that the key was used, at most once a minute."""
    now = timezone.now()
    if key.last_used_at is None or now - key.last_used_at > LAST_USED_STEP:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USED_STEP)
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
