"""The calls that agent services make after each model call."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog import execution
from toolcatalog.api.execution_requests import ExecuteSerializer, ToolCallsSerializer, read_execute, read_tool_calls
from toolcatalog.api.execution_schemas import ExecuteAnswerSerializer, ToolCallsAnswerSerializer
from toolcatalog.callers import is_plain_id
from toolcatalog.contract.errors import InvalidInput

from .base import LARGE_BODY, CatalogView, caller_of, correlation_of, key_of


class RunningView(CatalogView):
    """A view that runs something. What it refuses to a valid key is on record, like what it runs.

    `door` is the way in, as the audit calls it.
    """

    door = ""

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Note when the request came."""
        self.began = time.monotonic()
        return super().initialize_request(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """The problem, after it was written down where nothing else did."""
        response: Response = super().handle_exception(exc)
        is_refused = response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        is_of_a_key = response.status_code != HTTPStatus.UNAUTHORIZED
        if is_refused and is_of_a_key and self.request.method == "POST" and not getattr(exc, "on_record", False):
            self._record(str(response.data["code"]))
        return response

    def _record(self, code: str) -> None:
        elapsed = round((time.monotonic() - self.began) * 1000)
        refused = execution.RefusedRequest(
            self.door, self.kwargs.get("name"), code, elapsed, correlation_of(self.request)
        )
        execution.record_refusal(refused, caller_of(self.request))


class ToolCallsView(RunningView):
    """Runs the calls of one assistant message."""

    door = "tool_calls"

    required_scopes = ("execute", "resolve")
    body_limit = LARGE_BODY
    refuse_duplicate_keys = False

    @extend_schema(operation_id="tool_calls", request=ToolCallsSerializer, responses=ToolCallsAnswerSerializer)
    def post(self, request: Request) -> Response:
        """After each model call: the assistant's message in, tool messages out. Every call is answered or unhandled."""
        wanted, notices = read_tool_calls(request.data, key_of(request).tenant.slug, correlation_of(request))
        answer = execution.run_tool_calls(wanted, caller_of(request))
        return Response(asdict(replace(answer, notices=(*notices, *answer.notices))))


class ExecuteView(RunningView):
    """Runs one tool."""

    door = "execute"

    required_scopes = ("execute",)

    @extend_schema(
        operation_id="execute_tool",
        parameters=[OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, required=False)],
        request=ExecuteSerializer,
        responses=ExecuteAnswerSerializer,
    )
    def post(self, request: Request, name: str) -> Response:
        """Run a tool that this server runs. A repeat with the same Idempotency-Key runs nothing twice."""
        key = request.headers.get("Idempotency-Key")
        if key is not None and not is_plain_id(key):
            message = "Write up to 128 plain characters without blanks."
            raise InvalidInput.single("Idempotency-Key", "bad_key", message)
        wanted, notices = read_execute(name, request.data, key_of(request).tenant.slug, correlation_of(request), key)
        answer = execution.execute_tool(wanted, caller_of(request))
        return Response(asdict(replace(answer, notices=(*notices, *answer.notices))))
