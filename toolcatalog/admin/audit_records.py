"""What the lists of the audit share: records of many tenants, millions of them, in tables without foreign keys."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from toolcatalog.models import Tenant

from .base import ReadOnlyAdmin, say_time


class AuditRecordAdmin(ReadOnlyAdmin):
    """Lists the newest first, by indexes, and reads what the rows of a page name in one go each."""

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """By the index that serves: ids sort by time, and the tenant's index holds the time."""
        return ("-at", "-id") if request.GET.get("tenant") else ("-id",)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list, with what its rows name."""
        changes = super().get_changelist_instance(request)
        rows = list(changes.result_list)
        self.add_names(rows)
        changes.result_list = rows
        return changes

    def add_names(self, rows: list[Any]) -> None:
        """Give each row its `tenant_row`, None where the tenant is gone."""
        tenants = Tenant.objects.in_bulk({row.tenant_id for row in rows})
        for row in rows:
            row.tenant_row = tenants.get(row.tenant_id)

    @admin.display(description=_("time"))
    def at_words(self, record: Any) -> str:
        """When, to the second."""
        return say_time(record.at, seconds=True)

    @admin.display(description=_("tenant"))
    def tenant_name(self, record: Any) -> str:
        """Whose record it is."""
        return str(record.tenant_row or f"#{record.tenant_id}")
