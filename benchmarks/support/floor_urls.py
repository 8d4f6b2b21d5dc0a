"""The floor that resolve is measured against: what any audited, authenticated answer costs with these libraries."""

from __future__ import annotations

from django.db import connection, transaction
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from project.urls import urlpatterns as project_urls
from toolcatalog.api.views.base import CatalogView, caller_of
from toolcatalog.models.exposures import make_uuid7

TWENTY_TOOLS = "SELECT name, description, parameters FROM toolcatalog_tool WHERE owner_id = %s ORDER BY id LIMIT 20"
SLIM_ROW = """
INSERT INTO toolcatalog_exposure
    (id, kind, outcome, tenant_id, request_id, catalog_revision, resolver_version, snapshot_sha256)
VALUES (%s, 'resolve', 'floor', %s, '', 0, 0, '')
"""


class FloorView(CatalogView):
    """A DRF view, the key, one query of 20 rows, one slim durable insert."""

    def post(self, request: Request) -> Response:
        """Twenty tools as they stand in the table."""
        tenant_id = caller_of(request).tenant_id
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(TWENTY_TOOLS, [tenant_id])
            rows = cursor.fetchall()
            cursor.execute(SLIM_ROW, [make_uuid7(), tenant_id])
        tools = [{"name": name, "description": text, "parameters": schema} for name, text, schema in rows]
        return Response({"size": len(request.data), "tools": tools})


urlpatterns = [path("floor", FloorView.as_view()), *project_urls]
