"""The form of a tool group with its conditions."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.picking import KINDS
from toolcatalog.admin.words import STATUSES, Words
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules
from toolcatalog.curation import GroupDocument, render_group, save_group
from toolcatalog.matchers import has_access_conditions, installed_plugins
from toolcatalog.models import ToolGroup
from toolcatalog.selectors import make_matcher_row
from toolcatalog.text import ENTRY_TOOL_NAME

from .document import ReasonedForm, described
from .fields import JsonField, PickField, SwitchField, TextField, WordField
from .rows import BaseRowSet, RowForm, make_row_set, row_initial
from .widgets import SelectWidget, TextWidget

_ROW_PATH = re.compile(r"matchers\[(\d+)\](?:\.(\w+))?")

MATCHES: Words = {
    ALWAYS: _("Always: whatever is asked"),
    RULES: _("By its conditions, below"),
}


class GroupForm(ReasonedForm):
    """A group. `rows` are its conditions; they are part of this form, so that all of it is saved or nothing.

    `rows_problems` are sentences about the conditions as a whole.
    """

    description = TextField(**described(ToolGroup, "description"))
    system_prompt = TextField(**described(ToolGroup, "system_prompt"), widget=TextWidget({"rows": 4}))
    tools = PickField(
        "tool", label=_("tools"), help_text=_("Added to every request that the group matches, in this order.")
    )
    status = WordField(
        STATUSES, leave_out=[ToolStatus.DEPRECATED], initial=ToolStatus.DRAFT, **described(ToolGroup, "status")
    )
    match = forms.ChoiceField(
        widget=SelectWidget,
        initial=ALWAYS,
        label=_("applies"),
        help_text=_("A new group applies always. Choose conditions to narrow it."),
    )
    match_params = JsonField(empty={}, **described(ToolGroup, "match_params"))
    restricts_access = SwitchField(
        open_words=_("Automatic"),
        label=_("restricts access"),
        help_text=_(
            "Yes: the tools of this group can be shown, found, called and run only where its conditions on account, "
            "model, attributes and the like hold. Conditions on the message never restrict; they only decide whether "
            "the tools are sent up front. A tool in several such groups needs one of them. Automatic: yes as soon as "
            "there is a condition on anything but the message."
        ),
    )

    class Meta:
        model = ToolGroup
        fields = ("owner", "name", "title", "position", "offers_search", "for_all_tenants")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows_problems: list[str] = []
        rows = [row_initial(make_matcher_row(row)) for row in self.instance.matchers.all()] if self.instance.pk else []
        self.rows = make_row_set(self.data if self.is_bound else None, rows)
        if "tools" in self.fields:
            picker: Any = self.fields["tools"].widget
            picker.owner = self.instance.owner_id
            picker.find_choices = lambda names: KINDS["tool"].find(self._owner_id(), names)
        if "match" in self.fields:
            plugins = [(name, gettext("By the matcher “%(name)s”") % {"name": name}) for name in self._plugin_names()]
            self.fields["match"].choices = [*MATCHES.items(), *plugins]  # type: ignore[attr-defined]  # a choice field

    def _plugin_names(self) -> list[str]:
        stored = self.stored.get("match")
        return sorted({*installed_plugins().matcher_names(), *([stored] if stored and stored not in MATCHES else [])})

    def _owner_id(self) -> int | None:
        if self.instance.pk is not None:
            return self.instance.owner_id  # type: ignore[no-any-return]  # a key
        value = str(self["owner"].value() or "") if "owner" in self.fields else ""
        return int(value) if value.isascii() and value.isdecimal() else None

    @classmethod
    def read_document(cls, thing: ToolGroup) -> dict[str, Any]:
        """The stored group. The switch is shown as it was set, not as it works out."""
        document = render_group(thing)
        tools = [name for name in document["tools"] if name != ENTRY_TOOL_NAME]
        return {
            **document,
            "tools": tools,
            "offers_search": thing.offers_search,
            "restricts_access": thing.restricts_access,
        }

    def clean(self) -> dict[str, Any]:
        """The rows are checked with the form."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.rows.is_valid():
            self.add_error(None, gettext("Mend the conditions that are marked below."))
        return cleaned

    def save_document(self, thing: ToolGroup | None) -> None:
        """Save the group with its conditions."""
        owner = self.cleaned_data.get("owner") if thing is None else thing.owner
        result = save_group(owner, self.make_document(), self.author, group=thing)
        self.saved, self.warnings = result.group, result.warnings

    def make_document(self) -> GroupDocument:
        """The document that was typed."""
        split = {"matchers", "tools"}
        parts = {name: self.document_value(name) for name in GroupDocument.__slots__ if name not in split}
        tools = tuple(self.document_value("tools"))
        offered = (ENTRY_TOOL_NAME,) if self.cleaned_data.get("offers_search") else ()
        return GroupDocument(**parts, tools=(*tools, *offered), matchers=self.rows.make_rows())

    def typed_document(self) -> dict[str, Any]:
        """With the conditions, which are no fields."""
        rows = [{name: getattr(row, name) for name in row.__slots__} for row in self.rows.make_rows()]
        return {
            **super().typed_document(),
            "matchers": [{**row, "attribute": row["attribute"] or None} for row in rows],
        }

    def place_error(self, path: str, message: str) -> None:
        """Findings about conditions go beside their row."""
        found = _ROW_PATH.fullmatch(path)
        rows: list[RowForm] = self.rows.kept_forms()
        if found is not None and int(found[1]) < len(rows):
            rows[int(found[1])].place_error(found[2] or "", message)
        elif path == "matchers":
            self.rows_problems.append(message)
        else:
            super().place_error(path, message)
            return
        if not self.non_field_errors():
            self.add_error(None, gettext("Mend the conditions that are marked below."))


class RuleForm(forms.Form):
    """The parts of a group form that make its rule: read while they are typed, to say the rule in words."""

    name = forms.CharField(required=False, strip=False)
    match = forms.CharField(required=False)
    restricts_access = SwitchField(open_words="")

    def make_rules(self, rows: BaseRowSet) -> GroupRules:
        """The rules as typed; `restricts_access` as it works out. Only for valid parts."""
        data = self.cleaned_data
        rules = GroupRules(data["name"], data["match"] or ALWAYS, rows.make_rows())
        restricts = data["restricts_access"]
        works_out = has_access_conditions(rules) if restricts is None else restricts
        return GroupRules(rules.name, rules.match, rules.rows, rules.params, works_out)
