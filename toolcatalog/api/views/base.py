"""What all views of the API share."""

from __future__ import annotations

from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError
from rest_framework.request import Request
from rest_framework.views import APIView

from toolcatalog.api.authentication import ApiKeyAuthentication, HasScope
from toolcatalog.api.bodies import MEGABYTE, JsonParser, JsonRenderer
from toolcatalog.api.problems import make_problem
from toolcatalog.callers import read_correlation_id
from toolcatalog.contract.errors import NotAuthenticated, NotFound, Unavailable
from toolcatalog.contract.json import describe_bad_text
from toolcatalog.contract.resolve import Caller
from toolcatalog.models import ApiKey

log = structlog.get_logger(__name__)

LARGE_BODY = 32 * MEGABYTE


class CatalogView(APIView):
    """A view that a key opens. `required_scopes`: one of these is enough. `body_limit` is in bytes."""

    authentication_classes = (ApiKeyAuthentication,)
    permission_classes = (HasScope,)
    parser_classes: tuple[type[JsonParser], ...] = (JsonParser,)
    renderer_classes = (JsonRenderer,)
    required_scopes: tuple[str, ...] = ()
    body_limit = MEGABYTE
    refuse_duplicate_keys = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the key first, then the address: a text that cannot be stored names nothing. Raises NotFound."""
        super().initial(request, *args, **kwargs)
        if any(isinstance(part, str) and describe_bad_text(part) for part in kwargs.values()):
            raise NotFound("There is nothing at this address.")

    def perform_authentication(self, request: Request) -> None:
        """Read the key. Whatever goes wrong while it is judged lets nobody in: 503 for the database, else 401."""
        try:
            super().perform_authentication(request)
        except Exception as error:  # the door stays shut whatever happens behind it
            if make_problem(error, "") is not None:
                raise
            log.exception("authentication_failed")
            if isinstance(error, DatabaseError | InterfaceError):
                raise Unavailable("The key could not be checked. Try again shortly.") from error
            raise NotAuthenticated("The key could not be checked.") from error

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """There is one form of answers; what a caller says it accepts does not matter."""
        renderer = self.get_renderers()[0]
        return renderer, renderer.media_type


def caller_of(request: Request) -> Caller:
    """Who calls."""
    caller: Any = request.user
    if not isinstance(caller, Caller):
        raise TypeError("the view was reached without authentication")
    return caller


def key_of(request: Request) -> ApiKey:
    """The key that was used, with its tenant."""
    key: Any = request.auth
    if not isinstance(key, ApiKey):
        raise TypeError("the view was reached without authentication")
    return key


def correlation_of(request: Request) -> str | None:
    """The caller's X-Correlation-ID where it is a plain word."""
    return read_correlation_id(request.headers.get("X-Correlation-ID"))
