"""Who calls: the API key names the tenant. Nothing else does, and no other sign-in counts here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from toolcatalog.contract.errors import Forbidden, NotAuthenticated
from toolcatalog.contract.resolve import Caller
from toolcatalog.models import ApiKey
from toolcatalog.selectors import find_key

LONGEST_KEY = 200
LAST_USED_STEP = timedelta(minutes=1)


class ApiKeyAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer tc_<prefix>_<secret>`. Whatever is wrong with it is one and the same 401."""

    def authenticate(self, request: Request) -> tuple[Any, ApiKey]:
        """The caller and the key. Raises NotAuthenticated."""
        key = find_key(read_bearer(request.headers.get("Authorization", "")))
        note_use(key)
        request_id = getattr(request, "request_id", "")
        caller = Caller(key.tenant_id, key.pk, frozenset(key.scopes), tuple(key.profiles), request_id)
        return caller, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def read_bearer(header: str) -> str:
    """The token of a Bearer header. Raises NotAuthenticated."""
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if (
        scheme.lower() != "bearer"
        or not token
        or len(token) > LONGEST_KEY
        or not token.isascii()
        or not token.isprintable()
    ):
        raise NotAuthenticated("Send a valid key in the header `Authorization: Bearer <key>`.")
    return token


def note_use(key: ApiKey) -> None:
    """Remember that the key was used, at most once a minute."""
    now = timezone.now()
    if key.last_used_at is None or now - key.last_used_at > LAST_USED_STEP:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USED_STEP)
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)


class HasScope(BasePermission):
    """Lets in keys that have one of the view's `required_scopes`; None of them means any key."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """True, or raises Forbidden with the scope that is missing."""
        required: tuple[str, ...] = getattr(view, "required_scopes", ())
        caller: Any = request.user
        if not isinstance(caller, Caller):
            raise NotAuthenticated("Send a valid key in the header `Authorization: Bearer <key>`.")
        if required and caller.scopes.isdisjoint(required):
            raise Forbidden(f"This key lacks the scope “{' or '.join(required)}”.", code="missing_scope")
        return True
