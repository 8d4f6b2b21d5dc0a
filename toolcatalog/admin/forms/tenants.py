"""The form of a tenant."""

from __future__ import annotations

from typing import Any

from toolcatalog.admin.words import EVICTIONS, TEXT_POLICIES
from toolcatalog.curation import TenantDocument, render_tenant, save_tenant
from toolcatalog.models import Tenant

from .document import DocumentForm, described
from .fields import WordField


class TenantForm(DocumentForm):
    """A tenant's settings."""

    text_policy = WordField(TEXT_POLICIES, **described(Tenant, "text_policy"))
    eviction = WordField(EVICTIONS, **described(Tenant, "eviction"))

    class Meta:
        model = Tenant
        fields = ("slug", "title", "is_active", "text_policy", "eviction", "max_sessions", "session_ttl_seconds")

    @classmethod
    def read_document(cls, thing: Tenant) -> dict[str, Any]:
        """The stored settings."""
        return render_tenant(thing)

    def save_document(self, thing: Tenant | None) -> None:
        """Save the settings."""
        parts = {name: self.document_value(name) for name in TenantDocument.__slots__}
        self.saved = save_tenant(TenantDocument(**parts), tenant=thing)
