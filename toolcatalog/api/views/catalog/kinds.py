"""What the views need to know of one kind of catalog object. The rules of saving are in `curation`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import django_filters
from django.db.models import F, Model, Q, QuerySet
from rest_framework.request import Request

from toolcatalog.contract.errors import Forbidden, InvalidInput
from toolcatalog.curation import Author, ToolWarning

from .ownership import OWNER, SHARED, Ownership, read_ownership

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Saved(Generic[Row]):
    """An object after a write. `warnings` never refused it."""

    row: Row
    created: bool
    warnings: tuple[ToolWarning, ...] = ()


class CatalogKind(ABC, Generic[Row]):
    """One kind of object: where it stands, how it is found, shown, saved and deleted.

    `key` is the field that addresses name, `route` the name of the address of one object, `ordered_by` what lists may
    be ordered by (never null), `order` how they are without being asked, `parameters` what queries may say beside,
    `nested` which fields have fields of their own, for patches.
    """

    noun: ClassVar[str]
    key: ClassVar[str] = "name"
    route: ClassVar[str]
    filters: ClassVar[type[django_filters.FilterSet]]
    searched: ClassVar[Sequence[str]]
    ordered_by: ClassVar[Sequence[str]]
    order: ClassVar[str] = "name"
    parameters: ClassVar[Sequence[str]] = (OWNER,)
    creates_by_address: ClassVar[bool] = True
    nested: ClassVar[Sequence[str]] = ()

    def ownership(self, request: Request, *, writing: bool) -> Ownership:
        """Whose objects the request is about. Raises Forbidden."""
        return read_ownership(request, writing=writing)

    @abstractmethod
    def rows(self) -> QuerySet[Row]:
        """Every object, with all that rendering needs, in a fixed number of queries."""

    @abstractmethod
    def shared(self, ownership: Ownership) -> Q:
        """The condition on shared objects that the tenant has."""

    def readable(self, ownership: Ownership) -> QuerySet[Row]:
        """What a request may read."""
        return self.rows().filter(ownership.select(self.shared(ownership)))

    def listed(self, ownership: Ownership) -> QuerySet[Row]:
        """What a list holds before it is filtered, with what only lists show."""
        return self.readable(ownership)

    def find(self, ownership: Ownership, address: str) -> Row | None:
        """The object that a request may read at this address: the tenant's own before a shared one."""
        found = self.readable(ownership).filter(**{self.key: address})
        return found.order_by(F("owner").asc(nulls_last=True)).first()

    def find_for_writing(self, ownership: Ownership, address: str) -> Row | None:
        """The object that a request may write at this address; None where there is none.

        Raises Forbidden for a shared object that the tenant has but may only read.
        """
        row = self.rows().filter(owner=ownership.owner, **{self.key: address}).first()
        if row is None and ownership.asked is None and self.find(ownership, address) is not None:
            message = (
                f"This {self.noun} is shared. Writing it takes the scope “manage” and ?{OWNER}={SHARED}; "
                f"?{OWNER}={ownership.tenant.slug} writes one of your own beside it."
            )
            raise Forbidden(message, code="shared_object")
        return row

    @abstractmethod
    def render(self, row: Row, ownership: Ownership) -> dict[str, Any]:
        """The object as it is shown, without what lists and writes add."""

    def render_listed(self, row: Row, ownership: Ownership) -> dict[str, Any]:
        """The object as lists show it."""
        return self.render(row, ownership)

    def document(self, row: Row, ownership: Ownership) -> dict[str, Any]:
        """The object as a patch finds it: what the curator left open stays open."""
        return self.render(row, ownership)

    @abstractmethod
    def save(self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: Row | None) -> Saved[Row]:
        """Create the object, or replace the one given. Raises InvalidInput."""

    @abstractmethod
    def delete(self, row: Row, author: Author) -> None:
        """Delete the object. Raises Conflict."""

    def check_address(self, address: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body of a PUT with the object's own name in it. Raises InvalidInput where the two differ."""
        if body.get(self.key, address) != address:
            message = f"The address says “{address}”. Write the same here, or leave it out; PATCH renames."
            raise InvalidInput.single(self.key, "not_the_address", message)
        return {**body, self.key: address}
