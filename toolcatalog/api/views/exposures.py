"""The audit, for auditors."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog import auditing, resolution
from toolcatalog.api.pages import read_page
from toolcatalog.api.replay_schemas import ReplayAnswerSerializer
from toolcatalog.api.schemas import ExposureDetailSerializer, ExposurePageSerializer, filter_parameters
from toolcatalog.api.streams import stream_rows, wanted_stream
from toolcatalog.contract.errors import NotFound
from toolcatalog.models import Exposure

from .base import CatalogView, caller_of
from .filters import TimeFilter, apply_filters

NEWEST_FIRST = ("-at", "-id")
CSV_COLUMNS = (
    "id", "at", "kind", "outcome", "profile", "api_key", "api_key_prefix", "account", "model", "conversation_id",
    "session_id", "correlation_id", "request_id", "catalog_revision", "digest", "tool_names", "groups", "text_digest",
    "text",
)  # fmt: skip


class ExposureFilter(django_filters.FilterSet):
    """What exposures can be narrowed by."""

    since = TimeFilter("at", "gte", label="From this time on (ISO 8601)")
    until = TimeFilter("at", "lt", label="Before this time (ISO 8601)")
    kind = django_filters.ChoiceFilter(choices=Exposure.Kind.choices)
    tool = django_filters.CharFilter(method="filter_tool", label="Name of a tool that was shown")
    group = django_filters.CharFilter(method="filter_group", label="Name of a group that matched")
    account = django_filters.CharFilter("account")
    account_id = django_filters.CharFilter("account", label="The same as `account`")
    conversation = django_filters.CharFilter("conversation_id", label="The same as `conversation_id`")
    conversation_id = django_filters.CharFilter("conversation_id")
    session_id = django_filters.CharFilter("session_id")
    correlation_id = django_filters.CharFilter("correlation_id")
    request_id = django_filters.CharFilter("request_id")
    model = django_filters.CharFilter("model")
    outcome = django_filters.CharFilter("outcome")

    class Meta:
        model = Exposure
        fields: list[str] = []

    @property
    def tenant_id(self) -> int:
        request: Any = self.request
        return caller_of(request).tenant_id

    def filter_tool(self, exposures: QuerySet[Exposure], _: str, name: str) -> QuerySet[Exposure]:
        return auditing.showing_tool(exposures, self.tenant_id, name)

    def filter_group(self, exposures: QuerySet[Exposure], _: str, name: str) -> QuerySet[Exposure]:
        return auditing.matching_group(exposures, self.tenant_id, name)


class ExposureListView(CatalogView):
    """Who was shown what."""

    required_scopes = ("audit",)

    @extend_schema(
        operation_id="list_exposures", parameters=filter_parameters(ExposureFilter), responses=ExposurePageSerializer
    )
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        """The tenant's exposures, newest first. `Accept: text/csv` or `application/x-ndjson` streams all of them."""
        exposures = apply_filters(ExposureFilter, auditing.exposures_of(caller_of(request).tenant_id), request)
        media = wanted_stream(request)
        if media is not None:
            return stream_rows(exposures, media, CSV_COLUMNS, auditing.render_exposures)
        page = read_page(exposures, request, NEWEST_FIRST)
        return Response(page.answer(auditing.render_exposures(page.rows)))


class ExposureView(CatalogView):
    """One exposure."""

    required_scopes = ("audit",)

    @extend_schema(operation_id="get_exposure", responses=ExposureDetailSerializer)
    def get(self, request: Request, exposure_id: UUID) -> Response:
        """One exposure with the exact snapshot that was shown, and the context that the rules saw."""
        exposure = auditing.exposures_of(caller_of(request).tenant_id).filter(pk=exposure_id).first()
        if exposure is None:
            raise NotFound("There is no such exposure.")
        return Response(auditing.render_exposures([exposure], whole=True)[0])


class ReplayView(CatalogView):
    """What an earlier request would be answered today."""

    required_scopes = ("audit",)

    @extend_schema(operation_id="replay_exposure", request=None, responses=ReplayAnswerSerializer)
    def post(self, request: Request, exposure_id: UUID) -> Response:
        """Resolve the stored context again today, and say what differs. Nothing is recorded, no session changes."""
        answer: Any = resolution.replay_exposure(exposure_id, caller_of(request))
        return Response(answer)
