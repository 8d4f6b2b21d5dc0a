"""Pages of lists: cursors, so that a page stays where it is while rows are added."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog.contract.errors import InvalidInput


class CatalogPages(CursorPagination):
    """`results`, `next`, `previous`; `page_size` up to 200, 50 by default."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering: Any = "pk"

    def decode_cursor(self, request: Request) -> Any:
        """The cursor of the request. Raises InvalidInput for one that is not ours."""
        try:
            return super().decode_cursor(request)
        except (NotFound, UnicodeError) as error:
            message = "This cursor is not valid. Take it from `next` or `previous` of an answer."
            raise InvalidInput.single("cursor", "bad_cursor", message) from error

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.get_next_link(), "previous": self.get_previous_link()})


class ExposurePages(CatalogPages):
    """Pages of the audit, newest first."""

    ordering = ("-at", "-id")
