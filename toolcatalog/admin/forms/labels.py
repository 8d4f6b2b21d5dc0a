"""Forms of categories and tags."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Model

from toolcatalog.curation import LabelDocument, render_category, render_tag, save_label
from toolcatalog.models import Category, Tag

from .document import DocumentForm, described
from .fields import TextField


class LabelForm(DocumentForm):
    """A named thing with a slug."""

    model: ClassVar[type[Model]]

    def save_document(self, thing: Any) -> None:
        """Save the label with the parts that its form has."""
        parts = {name: self.document_value(name) for name in ("slug", "title", "description") if name in self.fields}
        owner = self.cleaned_data.get("owner") if thing is None else thing.owner
        self.saved = save_label(self._meta.model, owner, LabelDocument(**parts), label=thing)


class CategoryForm(LabelForm):
    """A category."""

    description = TextField(**described(Category, "description"))

    class Meta:
        model = Category
        fields = ("owner", "slug", "title", "description")

    @classmethod
    def read_document(cls, thing: Category) -> dict[str, Any]:
        """The stored category."""
        return render_category(thing)


class TagForm(LabelForm):
    """A tag."""

    class Meta:
        model = Tag
        fields = ("owner", "slug", "title")

    @classmethod
    def read_document(cls, thing: Tag) -> dict[str, Any]:
        """The stored tag."""
        return render_tag(thing)
