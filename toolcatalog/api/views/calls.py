"""The audit of calls, for auditors."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog import auditing
from toolcatalog.api.execution_schemas import CallPageSerializer
from toolcatalog.api.pages import read_page
from toolcatalog.api.schemas import filter_parameters
from toolcatalog.api.streams import stream_rows, wanted_stream
from toolcatalog.models import Call

from .base import CatalogView, caller_of
from .filters import TimeFilter, apply_filters

NEWEST_FIRST = ("-at", "-id")
CSV_COLUMNS = (
    "id", "at", "door", "outcome", "code", "duration_ms", "call_id", "tool_id", "name", "exported_name", "revision",
    "version", "reasons", "groups", "exposure_id", "api_key", "api_key_prefix", "account", "model", "conversation_id",
    "session_id", "correlation_id", "request_id", "arguments_digest", "arguments",
)  # fmt: skip


class CallFilter(django_filters.FilterSet):
    """What calls can be narrowed by."""

    since = TimeFilter("at", "gte", label="From this time on (ISO 8601)")
    until = TimeFilter("at", "lt", label="Before this time (ISO 8601)")
    tool = django_filters.CharFilter("name", label="Catalog name of the tool")
    group = django_filters.CharFilter(method="filter_group", label="Name of a group that had brought the tool")
    account = django_filters.CharFilter("account")
    account_id = django_filters.CharFilter("account", label="The same as `account`")
    conversation = django_filters.CharFilter("conversation_id", label="The same as `conversation_id`")
    conversation_id = django_filters.CharFilter("conversation_id")
    session_id = django_filters.CharFilter("session_id")
    correlation_id = django_filters.CharFilter("correlation_id")
    request_id = django_filters.CharFilter("request_id")
    model = django_filters.CharFilter("model")
    outcome = django_filters.CharFilter("outcome", label="ok, error, refused, timeout or unknown")

    class Meta:
        model = Call
        fields: list[str] = []

    def filter_group(self, calls: QuerySet[Call], _: str, name: str) -> QuerySet[Call]:
        return calls.filter(groups__contains=[name])


class CallListView(CatalogView):
    """What was called."""

    required_scopes = ("audit",)

    @extend_schema(operation_id="list_calls", parameters=filter_parameters(CallFilter), responses=CallPageSerializer)
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        """The tenant's calls, newest first. `Accept: text/csv` or `application/x-ndjson` streams all of them."""
        calls = apply_filters(CallFilter, auditing.calls_of(caller_of(request).tenant_id), request)
        media = wanted_stream(request)
        if media is not None:
            return stream_rows(calls, media, CSV_COLUMNS, auditing.render_calls)
        page = read_page(calls, request, NEWEST_FIRST)
        return Response(page.answer(auditing.render_calls(page.rows)))
