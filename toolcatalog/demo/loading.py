"""Loads the demo catalog into the database, and makes the people and keys that use it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.json import JsonObject
from toolcatalog.curation import (
    Author,
    ImportPlan,
    create_api_key,
    create_tenant,
    import_document,
    render_tool,
    revoke_api_key,
    sync_callbacks,
)
from toolcatalog.models import ApiKey, Tenant, Tool

from .catalog import DEMO_TENANTS, SHARED_DOCUMENT, load_demo_documents

AUTHOR = Author("demo", "Part of the demo catalog")
PLUGIN = "fenghe."
"""What the callbacks of the example plug-in package begin with."""
FREIGHT_TENANT = DEMO_TENANTS[1].slug
FREIGHT_CALLBACKS = (f"{PLUGIN}parcel_price", f"{PLUGIN}plan_stops")
ADMIN_USER = "admin"
KEYS: Mapping[str, tuple[str, ...]] = {
    "API_KEY": ("resolve", "execute"),
    "CURATOR_KEY": ("curate",),
    "AUDIT_KEY": ("audit",),
    "MANAGER_KEY": ("manage", "curate"),
}
"""The demo's keys, by the names that scripts know them by, with their scopes. All are of the first tenant."""


@dataclass(frozen=True, slots=True)
class DemoAccess:
    """What a newcomer needs to come in. Secrets are shown once: they are stored nowhere else."""

    admin_user: str
    admin_password: str
    keys: Mapping[str, str]


class DemoDoesNotFit(ToolCatalogError):
    """The demo catalog could not be loaded as it is: a fault of ours."""

    code = "demo_does_not_fit"


def is_loaded() -> bool:
    """Whether the demo's tenants are there."""
    return Tenant.objects.filter(slug__in=[tenant.slug for tenant in DEMO_TENANTS]).count() == len(DEMO_TENANTS)


def load_demo() -> None:
    """Create the tenants and import their documents; what is there is brought up to date. Raises DemoDoesNotFit."""
    documents = load_demo_documents()
    tenants = {tenant.slug: _tenant(tenant.slug, tenant.title) for tenant in DEMO_TENANTS}
    owners: list[tuple[str, Tenant | None]] = [(SHARED_DOCUMENT, None), *tenants.items()]
    for name, owner in owners:
        _check(name, import_document(owner, documents[name], AUTHOR, strict=True))
    load_callbacks()


def load_callbacks() -> None:
    """Make published shared tools of the example plug-in's functions, if it is installed: the server runs these.

    The first tenant has everything that is shared; the freight company is granted two of them.
    """
    sync_callbacks(None, AUTHOR)
    rows = Tool.objects.filter(owner=None, callback__startswith=PLUGIN).select_related("category", "replaced_by")
    drafts = rows.filter(status=ToolStatus.DRAFT).prefetch_related("tags").order_by("name")
    published = {"status": ToolStatus.PUBLISHED.value}
    note = "Prices and routes are worked out by the catalog itself."
    document: JsonObject = {
        "version": 1,
        "tools": [{**render_tool(tool), **published} for tool in drafts],
        "grants": [
            {"tenant": FREIGHT_TENANT, "tool": name, "note": note}
            for name in rows.filter(callback__in=FREIGHT_CALLBACKS).order_by("name").values_list("name", flat=True)
        ],
    }
    _check("callbacks", import_document(None, document, AUTHOR, strict=True))


def _tenant(slug: str, title: str) -> Tenant:
    return Tenant.objects.filter(slug=slug).first() or create_tenant(slug, title, with_profile=False)


def _check(name: str, plan: ImportPlan) -> None:
    faults = [f"{row.path} {row.name}: {error.path} {error.message}" for row in plan.rows for error in row.errors]
    if faults:
        raise DemoDoesNotFit(f"The demo document “{name}” does not fit. " + " ".join(faults))


def make_access() -> DemoAccess:
    """A fresh password for the demo's admin, and fresh keys; earlier demo keys stop working."""
    tenant = Tenant.objects.get(slug=DEMO_TENANTS[0].slug)
    for key in ApiKey.objects.filter(tenant=tenant, name__startswith="demo ", revoked_at=None):
        revoke_api_key(key)
    keys = {name: create_api_key(tenant, scopes, name=f"demo {name.lower()}").secret for name, scopes in KEYS.items()}
    password = secrets.token_urlsafe(12)
    users = get_user_model().objects
    user, _ = users.get_or_create(username=ADMIN_USER, defaults={"is_staff": True, "is_superuser": True})
    if not isinstance(user, AbstractUser):
        raise TypeError("the demo expects Django's own users")
    user.set_password(password)
    user.save()
    return DemoAccess(ADMIN_USER, password, keys)
