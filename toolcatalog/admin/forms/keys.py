"""The form that makes an API key."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.picking import KINDS
from toolcatalog.admin.words import SCOPES
from toolcatalog.curation import NewApiKey, create_api_key
from toolcatalog.models import ApiKey

from .document import DocumentForm
from .fields import PickField
from .widgets import CheckboxListWidget


class ApiKeyForm(DocumentForm):
    """A new key. `made` holds it, with the secret that is shown once."""

    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        widget=CheckboxListWidget,
        initial=["resolve", "execute"],
        label=_("scopes"),
        help_text=_("What the key may do."),
    )
    profiles = PickField(
        "profile",
        label=_("only profiles"),
        help_text=_("The agent profiles that the key may use. None chosen: all of the tenant’s."),
    )

    class Meta:
        model = ApiKey
        help_texts = {
            "tenant": _("The tenant that the key speaks for. It cannot be changed later."),
            "expires_at": _("From this moment (UTC) on the key is refused. Empty: never."),
        }
        fields = ("tenant", "name", "scopes", "profiles", "expires_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.made: NewApiKey | None = None
        if "profiles" in self.fields:  # a key that exists is only shown
            picker = self.fields["profiles"].widget
            picker.owner_field = "id_tenant"
            picker.find_choices = lambda names: KINDS["profile"].find(self._tenant_id(), names)

    def _tenant_id(self) -> int | None:
        value = str(self["tenant"].value() or "")
        return int(value) if value.isascii() and value.isdecimal() else None

    @classmethod
    def read_document(cls, thing: ApiKey) -> dict[str, Any]:  # noqa: ARG003 (others read it)
        """A key that exists is never edited."""
        return {}

    def save_document(self, thing: ApiKey | None) -> None:
        """Make the key."""
        self.made = create_api_key(
            self.cleaned_data["tenant"],
            self.cleaned_data["scopes"],
            name=self.cleaned_data["name"],
            profiles=self.cleaned_data["profiles"],
            expires_at=self.cleaned_data.get("expires_at"),
        )
        self.saved = self.made.key
