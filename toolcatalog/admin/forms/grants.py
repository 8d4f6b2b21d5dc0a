"""The form of a grant: who, allow or deny, and exactly one target."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.picking import KINDS
from toolcatalog.admin.words import EFFECTS, Words
from toolcatalog.curation import GrantDocument, render_grant, save_grant
from toolcatalog.models import Grant

from .document import DocumentForm, described
from .fields import PickField, WordField
from .widgets import LineWidget

TARGETS: Words = {
    "tool": _("One tool"),
    "category": _("Every shared tool of a category"),
    "tag": _("Every shared tool with a tag"),
    "source": _("Every shared tool of a source"),
    "everything": _("Every shared tool"),
}


class GrantForm(DocumentForm):
    """A grant. Only the chosen target counts; what was picked for the others is left aside."""

    effect = WordField(EFFECTS, **described(Grant, "effect"))
    target = WordField(TARGETS, label=_("what"), help_text=_("What this grant is about."))
    tool = PickField("shared-tool", many=False, label=_("tool"), help_text=_("Only shared tools need grants."))
    category = PickField(
        "shared-category", many=False, label=_("category"), help_text=_("Every shared tool that stands there.")
    )
    tag = PickField("shared-tag", many=False, label=_("tag"), help_text=_("Every shared tool that has it."))
    source = PickField(
        "shared-source", many=False, label=_("source"), help_text=_("Every shared tool that was imported from there.")
    )
    note = forms.CharField(widget=LineWidget, **described(Grant, "note"))

    class Meta:
        model = Grant
        help_texts = {"tenant": _("Who gets the shared tools, or is kept from them.")}
        fields = ("tenant", "effect", "tool", "category", "tag", "source", "note")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in TARGETS:
            if name != "everything":
                field = self.fields[name]
                field.widget.find_choices = _finder(field.widget.kind)
        if self.stored:
            self.initial["target"] = next(name for name in TARGETS if self.stored.get(name))
            self.initial["tenant"] = self.instance.tenant_id

    @classmethod
    def read_document(cls, thing: Grant) -> dict[str, Any]:
        """The stored grant."""
        return {**dict.fromkeys(TARGETS), **render_grant(thing)}

    def clean(self) -> dict[str, Any]:
        """The chosen target has to be picked."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        target = cleaned.get("target")
        if target and target != "everything" and not cleaned.get(target):
            self.add_error(target, gettext("Choose one."))
        return cleaned

    def typed_document(self) -> dict[str, Any]:
        """With the one target that was chosen, and the tenant by its slug."""
        left_out = dict.fromkeys(name for name in TARGETS if name != self.cleaned_data["target"])
        return {**super().typed_document(), **left_out, "tenant": self.cleaned_data["tenant"].slug}

    def save_document(self, thing: Grant | None) -> None:
        """Save the grant with its one target."""
        target = self.cleaned_data["target"]
        chosen: dict[str, Any] = {"everything": True} if target == "everything" else {target: self.cleaned_data[target]}
        tenant = self.cleaned_data["tenant"].slug
        document = GrantDocument(
            tenant=tenant, effect=self.cleaned_data["effect"], note=self.document_value("note"), **chosen
        )
        self.saved = save_grant(document, grant=thing)


def _finder(kind: str) -> Any:
    return lambda names: KINDS[kind].find(None, names)
