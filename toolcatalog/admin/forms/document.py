"""The form behind every page that edits: it makes a document, and the service checks and saves it in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.addresses import model_field, model_fields, model_name
from toolcatalog.admin.differences import Change, compare_documents
from toolcatalog.admin.translating import translate_sentence
from toolcatalog.contract.errors import FieldError, InvalidInput, ToolCatalogError
from toolcatalog.contract.json import JsonValue, dump_json, hash_json
from toolcatalog.curation import Author, ToolWarning, editing
from toolcatalog.models import Revision

from .fields import JsonField, PickField, TextField
from .widgets import LineWidget

LATEST_REVISIONS = 20


def described(model: type[Model], name: str) -> dict[str, Any]:
    """Label and help text of a model field, for a form field that stands in for it."""
    field = model_field(model, name)
    return {"label": field.verbose_name, "help_text": field.help_text, "required": not field.blank}


class StaleDocument(ToolCatalogError):
    """Somebody else changed the object while the form was open."""

    code = "stale"


class DocumentForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Fields have the names of the document's parts. `author_name` is set by the admin, for the request's user.

    `stored` is the document as it stands in the database ({} for a new object); `changes` says what differs from it
    when somebody else was faster; `saved` is the object, and `warnings` what the service would rather have otherwise.
    """

    paths: ClassVar[Mapping[str, str]] = {}
    """Form fields for JSON paths, where the names differ. The longest path that fits counts."""

    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    author_name = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        instance = kwargs.get("instance")
        self.stored: dict[str, Any] = {} if instance is None or instance.pk is None else self.read_document(instance)
        initial = {**self.stored, "stamp": stamp_of(self.stored), **(kwargs.pop("initial", None) or {})}
        super().__init__(*args, **{**kwargs, "initial": initial})
        self.saved: Model | None = None
        self.warnings: tuple[ToolWarning, ...] = ()
        self.changes: tuple[Change, ...] = ()
        self.changed_by: Revision | None = None
        for name, field in self.fields.items():
            field.label = capfirst(field.label)
            if isinstance(field, JsonField):
                field.place = name
        self._add_limits()

    def _add_limits(self) -> None:
        """What the columns can hold. Django checks that with the row, which is the service's here: too late to read
        the number.
        """
        for column in model_fields(self._meta.model):
            field = self.fields.get(column.name)
            if field is not None and (column.name not in self.declared_fields or isinstance(field, forms.IntegerField)):
                field.validators += [limit for limit in column.validators if limit not in field.validators]

    # What each form says for itself

    @classmethod
    def read_document(cls, thing: Any) -> dict[str, Any]:
        """The stored object as a document."""
        raise NotImplementedError

    def save_document(self, thing: Any) -> None:
        """Give the document to the service. `thing` is None for a new object. Sets `saved`. Raises InvalidInput."""
        raise NotImplementedError

    # Reading

    @property
    def author(self) -> Author:
        """Who saves, and why."""
        return Author(self.author_name, self.cleaned_data.get("reason", ""))

    def document_value(self, name: str) -> Any:
        """What the curator typed; where it was left alone, exactly what is stored.

        A text box cannot give back everything that an API can store (line ends, blanks at the ends), so that a part
        that nobody touched is not read from it.
        """
        cleaned = self.cleaned_data[name]
        if name not in self.stored:
            return cleaned
        field = self.fields[name]
        try:
            untouched = field.clean(field.prepare_value(self.stored[name]))
        except ValidationError:
            return cleaned
        return self.stored[name] if dump_json(untouched) == dump_json(cleaned) else cleaned

    # Saving

    def _post_clean(self) -> None:
        """Save as the last step of cleaning: what the service finds wrong becomes errors of the form."""
        if self.errors:
            return
        try:
            with editing():
                self.save_document(self._find_current())
        except StaleDocument as error:
            self.add_error(None, error.detail)
        except InvalidInput as invalid:
            self.add_field_errors(invalid.errors)
        except ToolCatalogError as error:
            self.add_error(None, translate_sentence(error.detail))

    def _find_current(self) -> Any:
        """The object as it is now, with the catalog locked. Raises StaleDocument when it is not what was edited."""
        if self.instance.pk is None:
            return None
        current = type(self.instance).objects.filter(pk=self.instance.pk).first()
        if current is None:
            raise StaleDocument(gettext("Somebody deleted this in the meantime. Copy what you need from the form."))
        document = self.read_document(current)
        if self.cleaned_data["stamp"] != stamp_of(document):
            self._show_conflict(current, document)
            raise StaleDocument(
                gettext(
                    "Somebody else saved this while you were editing, so nothing was saved. Your version is still in "
                    "the form: compare it with what is stored now, take over what you want, and save again."
                )
            )
        return current

    def _show_conflict(self, current: Model, document: dict[str, Any]) -> None:
        self.stored = document
        self.changes = compare_documents(document, self.typed_document())
        self.changed_by = latest_revision(current)
        typed: Any = self.data
        self.data = typed.copy()
        self.data["stamp"] = stamp_of(document)  # type: ignore[index]  # a copy can be changed

    def typed_document(self) -> dict[str, Any]:
        """What the curator typed, part by part, for a comparison with what is stored."""
        return {name: self.document_value(name) for name in self.stored if name in self.cleaned_data}

    # Errors

    def add_field_errors(self, errors: Iterable[FieldError]) -> None:
        """Put each finding of a service beside the field that its path leads to."""
        for error in errors:
            self.place_error(error.path, translate_sentence(error.message))

    def place_error(self, path: str, message: str) -> None:
        """Show one sentence beside the right field; above the form where there is none."""
        field, rest = self.find_field(path)
        if field is None:
            self.add_error(None, f"{path}: {message}" if path else message)
            return
        widget = self.fields[field].widget
        index = _index_of(rest)
        if index is not None and isinstance(self.fields[field], PickField):
            widget.errors[index] = message
        self.add_error(field, f"{path}: {message}" if rest and index is None else message)

    def find_field(self, path: str) -> tuple[str | None, str]:
        """The form field of a JSON path, and the rest of the path inside it."""
        for known, field in sorted(self.paths.items(), key=lambda pair: -len(pair[0])):
            if path == known or path.startswith((f"{known}.", f"{known}[")):
                return field, path[len(known) :]
        name = path.split(".", maxsplit=1)[0].split("[", maxsplit=1)[0]
        return (name, path[len(name) :]) if name in self.fields else (None, path)


class ReasonedForm(DocumentForm):
    """A form of something that has revisions: the reason goes with the new one."""

    reason = TextField(
        label=_("reason for the change"),
        help_text=_("Kept with the revision, for those who ask later. May be empty."),
        max_length=1000,
        widget=LineWidget,
    )


def stamp_of(document: Mapping[str, JsonValue]) -> str:
    """A short text that is the same only for the same document."""
    return hash_json(document).hex()


def latest_revision(thing: Model) -> Revision | None:
    """The newest revision of a tool or group: who made it, and why."""
    kind = {"tool": Revision.Kind.TOOL, "toolgroup": Revision.Kind.GROUP}.get(model_name(thing))
    if kind is None:
        return None
    return Revision.objects.filter(kind=kind, object_id=thing.pk).order_by("-number").first()


def _index_of(rest: str) -> int | None:
    digits = rest.removeprefix("[").removesuffix("]")
    return int(digits) if rest.startswith("[") and digits.isdecimal() else None
