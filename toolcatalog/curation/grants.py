"""Saves and deletes grants of shared tools to tenants."""

from __future__ import annotations

from django.db.models import QuerySet

from toolcatalog.contract.errors import FieldError
from toolcatalog.models import Category, Grant, Tag, Tenant, Tool, ToolSource

from .documents import GrantDocument
from .transactions import editing
from .validation import check_storable, clean_row, raise_if_any

CREATE = "Create it first, or mend the name."
_ADVICE = {
    "source": "Bring it in first: manage.py import_mcp, import_openapi or sync_callbacks, each with --shared.",
}
"""Sources are no part of catalog documents: what they run, they run with the operator's credentials."""


def save_grant(document: GrantDocument, *, grant: Grant | None = None) -> Grant:
    """Create the grant, or replace the one given. Targets are shared things. Raises InvalidInput."""
    with editing():
        raise_if_any(check_storable({name: getattr(document, name) for name in document.__slots__}))
        row = Grant() if grant is None else grant
        raise_if_any(_fill(row, document))
        raise_if_any(clean_row(row))
        same = _same_grants(row).first()
        if same is not None:
            message = f"This grant is there already, with the number {same.pk}. Change that one, or delete it."
            raise_if_any([FieldError("", "already_granted", message)])
        row.save()
    return row


def find_grant(document: GrantDocument) -> Grant | None:
    """The grant with this tenant, effect and target, whatever its note says."""
    row = Grant()
    return None if _fill(row, document) else _same_grants(row).first()


def _same_grants(row: Grant) -> QuerySet[Grant]:
    target = {name: getattr(row, name) for name in ("tenant", "effect", "tool", "category", "tag", "source")}
    return Grant.objects.filter(**target, everything=row.everything).exclude(pk=row.pk).order_by("pk")


def _fill(row: Grant, document: GrantDocument) -> list[FieldError]:
    tenant = Tenant.objects.filter(slug=document.tenant).first()
    row.tool = Tool.objects.filter(owner=None, name=document.tool).first() if document.tool else None
    row.category = Category.objects.filter(owner=None, slug=document.category).first() if document.category else None
    row.tag = Tag.objects.filter(owner=None, slug=document.tag).first() if document.tag else None
    row.source = ToolSource.objects.filter(owner=None, slug=document.source).first() if document.source else None
    row.everything, row.effect, row.note = document.everything, document.effect, document.note
    errors = [
        FieldError(name, f"unknown_{name}", f"There is no shared {name} “{wanted}”. {_ADVICE.get(name, CREATE)}")
        for name, wanted in (
            ("tool", document.tool), ("category", document.category), ("tag", document.tag), ("source", document.source)
        )
        if wanted and getattr(row, name) is None
    ]  # fmt: skip
    if tenant is None:
        errors.insert(0, FieldError("tenant", "unknown_tenant", f"There is no tenant “{document.tenant}”."))
    else:
        row.tenant = tenant
    return errors


def delete_grant(grant: Grant) -> None:
    """Delete the grant. What it denied may be allowed by another, and what it allowed is gone at once."""
    with editing():
        grant.delete()
