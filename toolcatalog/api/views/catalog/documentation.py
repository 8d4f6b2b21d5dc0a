"""What the published schema says of the catalog's operations: one wording for every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers

from toolcatalog.api.schemas import filter_parameters, make_page, with_warnings
from toolcatalog.api.views.base import CatalogView

from .bodies import REASON
from .kinds import CatalogKind
from .ownership import OWNER, SHARED

View = TypeVar("View", bound=type[CatalogView])
Shape = type[serializers.Serializer[Any]]

OWNER_PARAMETER = OpenApiParameter(
    OWNER,
    description=(
        f"`{SHARED}`: shared objects, to write them with the scope `manage`. The tenant's own slug: only its own. "
        "Absent: its own, and for reading also the shared ones that it has."
    ),
)
REASON_PARAMETER = OpenApiParameter(REASON, description="Why, for the history of the object.")
IF_MATCH = OpenApiParameter(
    "If-Match", location=OpenApiParameter.HEADER, description="An `ETag`: write only if the object is still that one."
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", location=OpenApiParameter.HEADER, description="An `ETag` that is known: 304 if it still holds."
)
ONLY_NEW = OpenApiParameter(
    "If-None-Match", location=OpenApiParameter.HEADER, description="`*`: create, and never replace."
)
ETAG = OpenApiParameter(
    "ETag", location=OpenApiParameter.HEADER, response=True, description="Names this state, for `If-Match`."
)
LOCATION = OpenApiParameter(
    "Location", location=OpenApiParameter.HEADER, response=[201], description="The address of what was created."
)


def describe_list(
    kind: CatalogKind[Any], body: Shape, shown: Shape, *, example: OpenApiExample, listed: Shape | None = None
) -> Callable[[View], View]:
    """Describe the list of a kind: `body` is what is written, `shown` and `listed` what is answered."""
    plural = _plural(kind)
    asked = _asked(kind)
    ordering = OpenApiParameter(
        "ordering", description=f"{', '.join(kind.ordered_by)}; “-” before a name that falls. Usual: {kind.order}."
    )
    search = OpenApiParameter("search", description=f"Text that {', '.join(kind.searched)} holds, in any letter case.")
    return extend_schema_view(
        get=extend_schema(
            operation_id=f"list_{plural}",
            summary=f"List {plural.replace('_', ' ')}",
            parameters=[*filter_parameters(kind.filters), *asked, search, ordering],
            responses=make_page(listed or shown),
        ),
        post=extend_schema(
            operation_id=f"create_{_name(kind)}",
            summary=f"Create a {kind.noun}",
            description=f"An existing {kind.noun} is never touched: 422 `name_taken`.",
            parameters=[*asked, REASON_PARAMETER, ETAG, LOCATION],
            request=body,
            responses={201: with_warnings(shown)},
            examples=[example],
        ),
    )


def describe_object(
    kind: CatalogKind[Any], body: Shape, shown: Shape, *, example: OpenApiExample
) -> Callable[[View], View]:
    """Describe the operations on one object of a kind."""
    name = _name(kind)
    part = OpenApiParameter(kind.key, location=OpenApiParameter.PATH, description=f"The {kind.key} of the {kind.noun}.")
    writing = [part, *_asked(kind), REASON_PARAMETER, IF_MATCH]
    written = with_warnings(shown)
    creates = {201: written} if kind.creates_by_address else {}
    return extend_schema_view(
        get=extend_schema(
            operation_id=f"get_{name}",
            summary=f"Read a {kind.noun}",
            parameters=[part, *_asked(kind), IF_NONE_MATCH, ETAG],
            responses={200: shown, 304: OpenApiResponse(description="Still what `If-None-Match` says.")},
        ),
        put=extend_schema(
            operation_id=f"put_{name}",
            summary=f"Create or replace a {kind.noun}" if creates else f"Replace a {kind.noun}",
            description="What the body leaves out gets its default.",
            parameters=[*writing, ONLY_NEW, ETAG, *([LOCATION] if creates else [])],
            request=body,
            responses={200: written, **creates},
            examples=[example],
        ),
        patch=extend_schema(
            operation_id=f"patch_{name}",
            summary=f"Change a part of a {kind.noun}",
            description="Sets the fields that are named; null gives one its default again. As "
            "`application/merge-patch+json` it is a JSON merge patch (RFC 7396), which goes into objects.",
            parameters=[*writing, ETAG],
            request={media: {"type": "object"} for media in ("application/json", "application/merge-patch+json")},
            responses=written,
        ),
        delete=extend_schema(
            operation_id=f"delete_{name}", summary=f"Delete a {kind.noun}", parameters=writing, responses={204: None}
        ),
    )


def _asked(kind: CatalogKind[Any]) -> list[OpenApiParameter]:
    return [OWNER_PARAMETER] if OWNER in kind.parameters else []


def _name(kind: CatalogKind[Any]) -> str:
    return kind.noun.replace(" ", "_")


def _plural(kind: CatalogKind[Any]) -> str:
    name = _name(kind)
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
