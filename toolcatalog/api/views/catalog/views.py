"""The two views that every kind of catalog object has: the list, and one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar
from urllib.parse import quote

from django.urls import reverse
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from toolcatalog.api.bodies import JsonParser, MergePatchParser
from toolcatalog.api.etags import check_preconditions, is_known, make_etag
from toolcatalog.api.pages import read_page
from toolcatalog.api.views.base import CatalogView
from toolcatalog.api.views.filters import apply_filters, check_query, read_ordering, search_rows
from toolcatalog.contract.errors import NotFound
from toolcatalog.curation import editing

from .bodies import REASON, merge_patch, read_author, read_object, set_fields
from .kinds import CatalogKind, Saved
from .ownership import OWNER, Ownership

LISTING = ("search", "ordering")


class KindView(CatalogView):
    """A view of one kind. Which scope a request needs depends on its `owner` too, so the kind looks again."""

    required_scopes = ("curate", "manage")
    kind: ClassVar[CatalogKind[Any]]

    def answer(self, saved: Saved[Any], ownership: Ownership) -> Response:
        """The answer of a write: the object as it is now, its tag, its address, and what could be better."""
        body = self.kind.render(self.kind.rows().get(pk=saved.row.pk), ownership)
        headers = {"ETag": make_etag(body)}
        if saved.created:
            headers["Location"] = self.locate(saved.row, ownership)
        answer = {**body, "warnings": [asdict(warning) for warning in saved.warnings]}
        return Response(answer, status=201 if saved.created else 200, headers=headers)

    def locate(self, row: Any, ownership: Ownership) -> str:
        """The address of one object."""
        address = reverse(self.kind.route, kwargs={self.kind.key: getattr(row, self.kind.key)})
        if ownership.asked is None or OWNER not in self.kind.parameters:
            return address
        return f"{address}?{OWNER}={quote(ownership.asked)}"


class CatalogListView(KindView):
    """All objects of a kind that the key may read, and a way to create one."""

    def get(self, request: Request) -> Response:
        """One page."""
        kind = self.kind
        ownership = kind.ownership(request, writing=False)
        rows = apply_filters(kind.filters, kind.listed(ownership), request, beside=(*kind.parameters, *LISTING))
        ordering = read_ordering(request, kind.ordered_by, kind.order)
        page = read_page(search_rows(rows, request, kind.searched), request, ordering)
        return Response(page.answer([kind.render_listed(row, ownership) for row in page.rows]))

    def post(self, request: Request) -> Response:
        """Create one. One that is there already is an error."""
        check_query(request, (*self.kind.parameters, REASON))
        ownership = self.kind.ownership(request, writing=True)
        body = read_object(request, ownership)
        with editing():
            saved = self.kind.save(ownership, body, read_author(request), None)
        return self.answer(saved, ownership)


class CatalogObjectView(KindView):
    """One object. The part of the address that names it is the only keyword argument of each method."""

    parser_classes = (JsonParser, MergePatchParser)

    def get(self, request: Request, **address: str) -> Response:
        """The object, or 304 where the caller has it already."""
        check_query(request, self.kind.parameters)
        name = address[self.kind.key]
        ownership = self.kind.ownership(request, writing=False)
        row = self.kind.find(ownership, name)
        if row is None:
            raise self.missing()
        body = self.kind.render(row, ownership)
        etag = make_etag(body)
        if is_known(request, etag):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": etag})
        return Response(body, headers={"ETag": etag})

    def put(self, request: Request, **address: str) -> Response:
        """Create or replace."""
        name = address[self.kind.key]
        ownership, body = self.read_write(request)
        document = self.kind.check_address(name, body)
        with editing():
            row = self.find_unchanged(request, ownership, name)
            if row is None and not self.kind.creates_by_address:
                raise self.missing()
            saved = self.kind.save(ownership, document, read_author(request), row)
        return self.answer(saved, ownership)

    def patch(self, request: Request, **address: str) -> Response:
        """Change a part of it."""
        name = address[self.kind.key]
        ownership, patch = self.read_write(request)
        with editing():
            row = self.find_unchanged(request, ownership, name)
            if row is None:
                raise self.missing()
            document = self.apply(request, self.kind.document(row, ownership), patch)
            saved = self.kind.save(ownership, document, read_author(request), row)
        return self.answer(saved, ownership)

    def apply(self, request: Request, document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
        """The document after a patch: of fields, or what says that it is a JSON merge patch."""
        if request.content_type.partition(";")[0].strip().lower() == MergePatchParser.media_type:
            merged: dict[str, Any] = merge_patch(document, patch)
            return merged
        return set_fields(document, patch, self.kind.nested)

    def delete(self, request: Request, **address: str) -> Response:
        """Delete it."""
        name = address[self.kind.key]
        check_query(request, (*self.kind.parameters, REASON))
        ownership = self.kind.ownership(request, writing=True)
        with editing():
            row = self.find_unchanged(request, ownership, name)
            if row is None:
                raise self.missing()
            self.kind.delete(row, read_author(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def read_write(self, request: Request) -> tuple[Ownership, dict[str, Any]]:
        """Whose object is written, and the body. Raises Forbidden, InvalidInput."""
        check_query(request, (*self.kind.parameters, REASON))
        ownership = self.kind.ownership(request, writing=True)
        return ownership, read_object(request, ownership)

    def find_unchanged(self, request: Request, ownership: Ownership, name: str) -> Any:
        """The object to write, None where there is none. Within `editing()`, so that nobody writes in between.

        Raises PreconditionFailed where it is not what the caller thinks it is.
        """
        row = self.kind.find_for_writing(ownership, name)
        check_preconditions(request, None if row is None else make_etag(self.kind.render(row, ownership)))
        return row

    def missing(self) -> NotFound:
        """The one answer for what does not exist, is another tenant's, or is not granted."""
        return NotFound(f"There is no such {self.kind.noun}.")
