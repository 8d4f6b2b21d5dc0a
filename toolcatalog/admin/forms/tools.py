"""The form of a tool."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.picking import KINDS
from toolcatalog.admin.words import EXECUTIONS, STATUSES
from toolcatalog.callbacks import registered_callbacks
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.tools import NO_PARAMETERS
from toolcatalog.curation import ToolDocument, lint_rename, render_tool, save_tool
from toolcatalog.models import Tool

from .document import ReasonedForm, described
from .fields import JsonField, KeywordsField, PickField, TextField, WordField
from .widgets import JsonWidget, SelectWidget, TextWidget

PREVIEW = "admin:toolcatalog_tool_parameters"


class ToolForm(ReasonedForm):
    """A tool."""

    description = TextField(**described(Tool, "description"), widget=TextWidget({"rows": 4}))
    category = PickField("category", many=False, may_create=True, **described(Tool, "category"))
    tags = PickField("tag", may_create=True, **described(Tool, "tags"))
    keywords = KeywordsField(
        label=_("keywords"),
        help_text=_("Other words that people use for this, one a line. Search reads them; models never do."),
    )
    parameters = JsonField(
        empty=dict(NO_PARAMETERS),
        **{**described(Tool, "parameters"), "required": False},
        widget=JsonWidget({"rows": 12}, preview_url=PREVIEW),
    )
    output_schema = JsonField(**described(Tool, "output_schema"))
    annotations = JsonField(empty={}, **described(Tool, "annotations"))
    metadata = JsonField(empty={}, **described(Tool, "metadata"))
    replaced_by = PickField("tool", many=False, **described(Tool, "replaced_by"))
    execution = WordField(EXECUTIONS, **described(Tool, "execution"))
    callback = forms.ChoiceField(widget=SelectWidget, **described(Tool, "callback"))
    status = WordField(STATUSES, initial=ToolStatus.DRAFT, **described(Tool, "status"))

    class Meta:
        model = Tool
        fields = ("owner", "name", "title", "version", "searchable")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("category", "tags", "replaced_by"):
            if name in self.fields:
                self._bind_picker(self.fields[name].widget)
        if "callback" in self.fields:
            names = sorted({*registered_callbacks(), *filter(None, [self.stored.get("callback")])})
            self.fields["callback"].choices = [("", "—"), *((name, name) for name in names)]  # type: ignore[attr-defined]  # a choice field

    def _bind_picker(self, picker: Any) -> None:
        picker.owner = self.instance.owner_id
        picker.find_choices = lambda names: KINDS[picker.kind].find(self._owner_id(), names)

    def _owner_id(self) -> int | None:
        if self.instance.pk is not None:
            return self.instance.owner_id  # type: ignore[no-any-return]  # a key
        value = str(self["owner"].value() or "") if "owner" in self.fields else ""
        return int(value) if value.isascii() and value.isdecimal() else None

    @classmethod
    def read_document(cls, thing: Tool) -> dict[str, Any]:
        """The stored tool."""
        return render_tool(thing)

    def save_document(self, thing: Tool | None) -> None:
        """Save the tool; a new name is looked for in the prompts that speak of the old one."""
        parts = {name: self.document_value(name) for name in ToolDocument.__slots__}
        document = ToolDocument(**{**parts, "tags": tuple(parts["tags"]), "callback": parts["callback"] or None})
        owner = self.cleaned_data.get("owner") if thing is None else thing.owner
        left_behind = lint_rename(thing, document.name) if thing is not None else []
        result = save_tool(owner, document, self.author, tool=thing)
        self.saved, self.warnings = result.tool, (*left_behind, *result.warnings)
