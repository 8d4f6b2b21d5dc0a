"""The catalog document: import and export of everything that one owner has."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog.api.schemas import CatalogDocumentSerializer, ImportPlanSerializer
from toolcatalog.api.views.base import CatalogView
from toolcatalog.api.views.filters import check_query, read_truth
from toolcatalog.curation import ImportPlan, export_document, import_document

from .bodies import REASON, read_author
from .documentation import OWNER_PARAMETER, REASON_PARAMETER
from .examples import DOCUMENT
from .ownership import OWNER, read_ownership

ACTIONS = ("create", "update", "unchanged", "invalid")
FLAGS = {
    "dry_run": "Answer what would happen, and keep nothing.",
    "strict": "All or nothing: with one invalid row nothing is kept.",
}


class ImportView(CatalogView):
    """Takes a catalog document."""

    required_scopes = ("curate", "manage")

    @extend_schema(
        operation_id="import_catalog",
        request=CatalogDocumentSerializer,
        responses=ImportPlanSerializer,
        parameters=[
            OWNER_PARAMETER,
            REASON_PARAMETER,
            *(OpenApiParameter(name, bool, description=words) for name, words in FLAGS.items()),
        ],
        examples=[DOCUMENT],
    )
    def post(self, request: Request) -> Response:
        """Create or update what the document holds; objects that it does not name stay as they are.

        Valid rows are applied in one transaction, invalid ones are listed with their place and reason. A tool or group
        without a status becomes a draft. A tool name that is not legal is mended, and a note says so (with `strict`
        it is invalid).
        """
        check_query(request, (OWNER, REASON, *FLAGS))
        owner = read_ownership(request, writing=True).owner
        dry_run, strict = read_truth(request, "dry_run"), read_truth(request, "strict")
        plan = import_document(owner, request.data, read_author(request), dry_run=dry_run, strict=strict)
        return Response(render_plan(plan))


class ExportView(CatalogView):
    """Gives the catalog document."""

    required_scopes = ("curate", "manage")

    @extend_schema(operation_id="export_catalog", responses=CatalogDocumentSerializer, parameters=[OWNER_PARAMETER])
    def get(self, request: Request) -> Response:
        """Everything that the tenant owns, in a fixed order; with `owner=shared` the shared objects and all grants.

        Imported into an empty database and exported again it is the same.
        """
        check_query(request, (OWNER,))
        return Response(export_document(read_ownership(request, writing=True).owner))


def render_plan(plan: ImportPlan) -> dict[str, Any]:
    """The plan as JSON. The `errors` of a row have paths within that row."""
    return {
        "applied": plan.applied,
        "counts": {action: plan.count(action) for action in ACTIONS},
        "rows": [asdict(row) for row in plan.rows],
    }
