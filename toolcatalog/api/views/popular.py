"""The tools that are called most."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog import auditing
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.resolution import read_catalog

from .base import CatalogView, caller_of
from .filters import check_query

MOST = 100


class PopularToolSerializer(serializers.Serializer[Any]):
    """How often one tool was called."""

    name = serializers.CharField()
    attempts = serializers.IntegerField()
    successes = serializers.IntegerField()
    last_used_at = serializers.DateTimeField(allow_null=True)


class PopularToolsSerializer(serializers.Serializer[Any]):
    """Tools by successful calls."""

    results = PopularToolSerializer(many=True)


class PopularToolsView(CatalogView):
    """The tools that the tenant calls most."""

    required_scopes = ("curate", "resolve")

    @extend_schema(
        operation_id="popular_tools",
        parameters=[OpenApiParameter("limit", int, OpenApiParameter.QUERY, required=False)],
        responses=PopularToolsSerializer,
    )
    def get(self, request: Request) -> Response:
        """Of the tools that the tenant has, those with most successful calls, best first."""
        check_query(request, ["limit"])
        catalog = read_catalog(caller_of(request).tenant_id)
        visible = {tool.id: tool.name for name in catalog.visible_names() if (tool := catalog.find(name)) is not None}
        popular = auditing.popular_tools(catalog.tenant.id, visible, read_limit(request))
        return Response(
            {
                "results": [
                    {
                        "name": visible[tool.tool_id],
                        "attempts": tool.attempts,
                        "successes": tool.successes,
                        "last_used_at": tool.last_used_at,
                    }
                    for tool in popular
                ]
            }
        )


def read_limit(request: Request) -> int:
    """How many tools. Raises InvalidInput."""
    text = request.query_params.get("limit", "10")
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST and len(text) <= 6):
        raise InvalidInput.single("limit", "bad_limit", f"Give a whole number from 1 to {MOST}.")
    return int(text)
