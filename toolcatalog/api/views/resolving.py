"""The calls that agent services make around each model call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog import resolution
from toolcatalog.api.answer_schemas import AvailabilityAnswerSerializer, ResolveAnswerSerializer, SearchAnswerSerializer
from toolcatalog.api.answers import render_resolve, render_search
from toolcatalog.api.requests import ResolveSerializer, SearchSerializer, read_resolve, read_search
from toolcatalog.api.session_requests import (
    SessionToolsAnswerSerializer,
    SessionToolsSerializer,
    read_session_tools,
)

from .base import LARGE_BODY, CatalogView, caller_of, correlation_of, key_of


class ResolveView(CatalogView):
    """Which tools and which system prompt this model call gets."""

    required_scopes = ("resolve",)
    body_limit = LARGE_BODY
    refuse_duplicate_keys = False

    @extend_schema(operation_id="resolve", request=ResolveSerializer, responses=ResolveAnswerSerializer)
    def post(self, request: Request) -> Response:
        """Before each model call: the tools that this call may see, ready to pass on."""
        wanted, notices = read_resolve(request.data, key_of(request).tenant.slug, correlation_of(request))
        answer = resolution.resolve(wanted, caller_of(request))
        return Response(render_resolve(replace(answer, notices=(*notices, *answer.notices))))


class SearchView(CatalogView):
    """Which tools fit a need."""

    required_scopes = ("resolve",)

    @extend_schema(operation_id="search", request=SearchSerializer, responses=SearchAnswerSerializer)
    def post(self, request: Request) -> Response:
        """Tools that answer a need, best first; "nothing fits" and "search failed" are different answers."""
        wanted, notices = read_search(request.data, key_of(request).tenant.slug, correlation_of(request))
        answer = resolution.search(wanted, caller_of(request))
        return Response(render_search(replace(answer, notices=(*notices, *answer.notices))))


class AvailabilityView(CatalogView):
    """Whether one tool would be there."""

    required_scopes = ("resolve",)
    body_limit = LARGE_BODY
    refuse_duplicate_keys = False

    @extend_schema(operation_id="availability", request=ResolveSerializer, responses=AvailabilityAnswerSerializer)
    def post(self, request: Request, name: str) -> Response:
        """Whether this tool would be in the answer of resolve for the same body, and why."""
        wanted, notices = read_resolve(request.data, key_of(request).tenant.slug, correlation_of(request))
        answer: Any = resolution.check_availability(name, wanted, caller_of(request))
        return Response(replace(answer, notices=(*notices, *answer.notices)))


class SessionView(CatalogView):
    """What a conversation found."""

    required_scopes = ("resolve",)

    @extend_schema(operation_id="forget_session", responses={204: None})
    def delete(self, request: Request, session_id: str) -> Response:
        """Forget the session. One that is not there is forgotten already."""
        resolution.forget_session(caller_of(request).tenant_id, session_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SessionToolsView(CatalogView):
    """The tools that one session brings along."""

    required_scopes = ("resolve",)

    @extend_schema(
        operation_id="put_session_tools", request=SessionToolsSerializer, responses=SessionToolsAnswerSerializer
    )
    def put(self, request: Request, session_id: str) -> Response:
        """Give the session searchable tools of its own, in place of those it had. The caller runs them; no other
        session ever sees them.
        """
        wanted, notices = read_session_tools(session_id, request.data, key_of(request).tenant.slug)
        answer: Any = resolution.set_session_tools(wanted, caller_of(request))
        return Response(replace(answer, notices=(*notices, *answer.notices)))

    @extend_schema(exclude=True)
    def delete(self, request: Request, session_id: str) -> Response:
        """Forget the session whose id itself ends with “/tools”: ids may be any text."""
        resolution.forget_session(caller_of(request).tenant_id, f"{session_id}/tools")
        return Response(status=status.HTTP_204_NO_CONTENT)
