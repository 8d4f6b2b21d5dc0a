"""The form of a tenant."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.words import EVICTIONS, TEXT_POLICIES
from toolcatalog.curation import TenantDocument, render_tenant, save_tenant
from toolcatalog.models import Tenant

from .document import DocumentForm, described
from .fields import WordField


class TenantForm(DocumentForm):
    """A tenant's settings."""

    text_policy = WordField(
        TEXT_POLICIES,
        **{
            **described(Tenant, "text_policy"),
            "help_text": _(
                "What the audit keeps of message texts: only a digest, or the full text. With a digest, nobody can "
                "read which searches found nothing, or resolve a request of the past again."
            ),
        },
    )
    eviction = WordField(EVICTIONS, **described(Tenant, "eviction"))

    class Meta:
        model = Tenant
        help_texts = {"session_ttl_seconds": _("With “by age”: seconds after the last use. 86400 is a day.")}
        fields = ("slug", "title", "is_active", "text_policy", "eviction", "max_sessions", "session_ttl_seconds")

    @classmethod
    def read_document(cls, thing: Tenant) -> dict[str, Any]:
        """The stored settings."""
        return render_tenant(thing)

    def save_document(self, thing: Tenant | None) -> None:
        """Save the settings."""
        parts = {name: self.document_value(name) for name in TenantDocument.__slots__}
        self.saved = save_tenant(TenantDocument(**parts), tenant=thing)
