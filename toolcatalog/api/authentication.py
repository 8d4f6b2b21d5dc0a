"""Who calls: the API key names the tenant. Nothing else does, and no other sign-in counts here."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from toolcatalog.callers import authenticate
from toolcatalog.contract.errors import Forbidden, NotAuthenticated
from toolcatalog.contract.resolve import Caller
from toolcatalog.models import ApiKey


class ApiKeyAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer tc_<prefix>_<secret>`. Whatever is wrong with it is one and the same 401."""

    def authenticate(self, request: Request) -> tuple[Any, ApiKey]:
        """The caller and the key. Raises NotAuthenticated."""
        return authenticate(request.headers.get("Authorization", ""), getattr(request, "request_id", ""))

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


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
