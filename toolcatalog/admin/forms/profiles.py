"""The form of an agent profile."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.picking import KINDS
from toolcatalog.admin.words import DISCLOSURES, POLICIES, SEARCH_MODES, Words
from toolcatalog.contract.catalog import SearchMode
from toolcatalog.curation import ProfileDocument, SearchDocumentSettings, render_profile, save_profile
from toolcatalog.models import AgentProfile
from toolcatalog.search import provider_names

from .document import DocumentForm, described
from .fields import JsonField, PickField, TextField, WordField
from .widgets import SelectWidget, SwitchWidget

_MODES: dict[Any, str] = {True: SearchMode.ON, False: SearchMode.OFF, "groups": SearchMode.GROUPS}
_SEARCH_FIELDS = {
    "provider": "search_provider",
    "entry_tool": "entry_tool",
    "default_results": "default_results",
    "max_results": "max_results",
    "min_score": "min_score",
    "prefer_used": "prefer_used",
    "categories": "search_categories",
    "tags": "search_tags",
    "exclude_tools": "exclude_tools",
    "inline_below_tokens": "inline_below_tokens",
}
"""Parts of `search` in the document, and the form fields that stand for them."""

SUFFIXES: Words = {
    "built_in": _("The built-in words"),
    "own": _("These words:"),
    "none": _("Nothing: the model is not told how to search"),
}
GROUP_CHOICES: Words = {
    "all": _("Every group of the tenant, and every shared one that is for all tenants, by position"),
    "some": _("Only these, in this order:"),
}


class ProfileForm(DocumentForm):
    """A profile. Parts of the document that the form splits have a field for the choice and one for the value."""

    paths = {
        "search.enabled": "search_mode",
        "search.system_prompt_suffix": "suffix",
        **{f"search.{part}": field for part, field in _SEARCH_FIELDS.items()},
    }

    resident_tools = PickField(
        "tool", label=_("resident tools"), help_text=_("Always sent, in this order, whatever is asked.")
    )
    which_groups = WordField(
        GROUP_CHOICES, label=_("groups"), initial="all", help_text=_("Which groups may add tools and prompts.")
    )
    groups = PickField("group", label=_("these groups"), help_text=_("Taken in this order."))
    search_mode = WordField(SEARCH_MODES, **described(AgentProfile, "search_mode"))
    search_provider = forms.ChoiceField(widget=SelectWidget, **described(AgentProfile, "search_provider"))
    search_categories = PickField(
        "category",
        label=_("only categories"),
        help_text=_("The categories that a search may look in. None chosen: all."),
    )
    search_tags = PickField(
        "tag", label=_("only tags"), help_text=_("A search finds tools that have one of these tags. None chosen: all.")
    )
    exclude_tools = PickField(
        "tool", label=_("never found"), help_text=_("Tools that a search of this profile never finds.")
    )
    which_suffix = WordField(
        SUFFIXES, label=_("search instructions"), initial="built_in", help_text=_("What tells the model how to search.")
    )
    suffix = TextField(label=_("own words"), help_text=_("Sent as they stand, after the prompts of the groups."))
    exposure_policy = WordField(POLICIES, **described(AgentProfile, "exposure_policy"))
    disclosure = WordField(DISCLOSURES, **described(AgentProfile, "disclosure"))
    strict = forms.BooleanField(widget=SwitchWidget, **{**described(AgentProfile, "strict"), "required": False})
    versions = JsonField(empty={}, **described(AgentProfile, "versions"))

    class Meta:
        model = AgentProfile
        help_texts = {"tenant": _("Whose agent this is. It cannot be changed later.")}
        fields = (
            "tenant",
            "slug",
            "title",
            "is_default",
            "entry_tool",
            "default_results",
            "max_results",
            "min_score",
            "prefer_used",
            "inline_below_tokens",
            "default_model",
            "max_tools",
            "execute_gate",
            "gate_hours",
            "valid_for_seconds",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, PickField):
                self._bind_picker(field.widget)
        if "search_provider" in self.fields:
            self.fields["search_provider"].choices = [(name, name) for name in provider_names()]  # type: ignore[attr-defined]  # a choice field

    def _bind_picker(self, picker: Any) -> None:
        picker.owner, picker.owner_field = self.instance.tenant_id, "id_tenant"
        picker.find_choices = lambda names: KINDS[picker.kind].find(self._tenant_id(), names)

    def _tenant_id(self) -> int | None:
        if self.instance.pk is not None:
            return self.instance.tenant_id  # type: ignore[no-any-return]  # a key
        value = str(self["tenant"].value() or "") if "tenant" in self.fields else ""
        return int(value) if value.isascii() and value.isdecimal() else None

    @classmethod
    def read_document(cls, thing: AgentProfile) -> dict[str, Any]:
        """The stored profile, split as the form is."""
        document = render_profile(thing)
        search, groups = document.pop("search"), document.pop("groups")
        suffix = search["system_prompt_suffix"]
        return {
            **document,
            **{field: search[part] for part, field in _SEARCH_FIELDS.items()},
            "search_mode": _MODES[search["enabled"]],
            "which_suffix": "built_in" if suffix is None else "own" if suffix else "none",
            "suffix": suffix or "",
            "which_groups": "all" if groups is None else "some",
            "groups": groups or [],
            "strict": document["strict"] == "on",
        }

    def save_document(self, thing: AgentProfile | None) -> None:
        """Save the profile."""
        tenant = self.cleaned_data["tenant"] if thing is None else thing.tenant
        result = save_profile(tenant, self._make_document(), profile=thing)
        self.saved = result.profile

    def _make_document(self) -> ProfileDocument:
        split = {"search", "groups", "strict", "resident_tools", "default_model"}
        parts = {name: self.document_value(name) for name in ProfileDocument.__slots__ if name not in split}
        groups = tuple(self.document_value("groups"))
        return ProfileDocument(
            **parts,
            resident_tools=tuple(self.document_value("resident_tools")),
            groups=None if self.cleaned_data["which_groups"] == "all" else groups,
            default_model=self.document_value("default_model") or None,
            strict="on" if self.cleaned_data["strict"] else "off",
            search=self._make_search(),
        )

    def _make_search(self) -> SearchDocumentSettings:
        parts = {part: self.document_value(field) for part, field in _SEARCH_FIELDS.items()}
        suffixes = {"built_in": None, "none": ""}
        which = self.cleaned_data["which_suffix"]
        enabled = {mode: value for value, mode in _MODES.items()}
        return SearchDocumentSettings(
            **{
                **parts,
                "categories": _scope(parts["categories"]),
                "tags": _scope(parts["tags"]),
                "exclude_tools": tuple(parts["exclude_tools"]),
            },
            enabled=enabled[self.cleaned_data["search_mode"]],
            system_prompt_suffix=suffixes[which] if which in suffixes else self.document_value("suffix"),
        )


def _scope(value: Any) -> tuple[str, ...] | None:
    """Nothing picked is everything (None). A stored empty list means nothing at all; left alone, it is kept."""
    return tuple(value) if value or isinstance(value, list) else None
