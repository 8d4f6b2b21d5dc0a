"""Whose objects a request is about, and which shared ones a tenant has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q
from django.db.models.expressions import RawSQL
from rest_framework.request import Request

from toolcatalog.api.views.base import caller_of, key_of
from toolcatalog.contract.catalog import HIDING_STATUSES, LIVE_STATUSES, SHARED_OWNER
from toolcatalog.contract.errors import Forbidden
from toolcatalog.models import Tenant
from toolcatalog.resolution import read_catalog

OWNER = "owner"
SHARED = SHARED_OWNER
SHOWN_STATUSES = HIDING_STATUSES
"""The statuses in which a shared object is shown to the tenants that have it; drafts are the catalog manager's."""


@dataclass(frozen=True)
class Ownership:
    """Whose objects a request is about.

    `asked` is the query parameter `owner`: None (the tenant's own, and for reading the shared ones that it has too),
    the tenant's slug (only its own) or "shared". `manages` means all shared objects, to read and to write.
    """

    tenant: Tenant
    asked: str | None = None
    manages: bool = False

    @property
    def owner(self) -> Tenant | None:
        """The owner of what this request writes; None: it is shared."""
        return None if self.asked == SHARED else self.tenant

    @property
    def owner_word(self) -> str:
        """The same, as answers and bodies say it."""
        return SHARED if self.owner is None else self.tenant.slug

    def select(self, shared: Q) -> Q:
        """The condition on what this request may read; `shared` is the condition on shared objects of the tenant."""
        everything = Q(owner=None) if self.manages else Q(owner=None) & shared
        if self.asked == SHARED:
            return everything
        own = Q(owner=self.tenant)
        return own if self.asked is not None else own | everything

    @cached_property
    def shown_tools(self) -> frozenset[int]:
        """The ids of the shared tools that grants give to the tenant, drafts and retired ones aside."""
        catalog = read_catalog(self.tenant.pk)
        return frozenset(tool_id for tool_id in catalog.granted if catalog.tools[tool_id].status in SHOWN_STATUSES)

    @cached_property
    def usable_tools(self) -> frozenset[int]:
        """The ids of the tools that the tenant may have now: live, its own or granted, not hidden by one of its own."""
        catalog = read_catalog(self.tenant.pk)
        return frozenset(
            tool.id
            for tool in catalog.tools.values()
            if tool.status in LIVE_STATUSES
            and (tool.owner_id is not None or tool.id in catalog.granted)
            and catalog.find(tool.name) is tool
        )


def read_ownership(request: Request, *, writing: bool) -> Ownership:
    """What the key and the parameter `owner` say. Raises Forbidden for another tenant, and for a missing scope."""
    tenant, scopes = key_of(request).tenant, caller_of(request).scopes
    asked = request.query_params.get(OWNER)
    if asked == SHARED and "manage" in scopes:
        return Ownership(tenant, SHARED, manages=True)
    if asked == SHARED and writing:
        raise Forbidden("Shared objects are the catalog manager's: this key lacks “manage”.", code="missing_scope")
    if "curate" not in scopes:
        raise Forbidden("This key lacks the scope “curate”. With “manage”, add ?owner=shared.", code="missing_scope")
    if asked not in {None, SHARED, tenant.slug}:
        raise Forbidden("The key names the tenant; `owner` names another.", code="other_tenant")
    return Ownership(tenant, asked)


def one_of(ids: Collection[int]) -> RawSQL:
    """A subquery for `__in` that sends any number of ids as one parameter."""
    return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])  # no text of a caller is in it
