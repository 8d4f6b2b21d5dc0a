"""Categories, for curators."""

from __future__ import annotations

from typing import Any

from toolcatalog.api.schemas import CategoryAnswerSerializer, CategoryListedSerializer
from toolcatalog.curation import CategorySerializer, LabelDocument, read_category, render_category
from toolcatalog.models import Category

from .documentation import describe_list, describe_object
from .examples import CATEGORY
from .labels import LabelKind
from .views import CatalogListView, CatalogObjectView


class CategoryKind(LabelKind[Category]):
    """Categories."""

    noun = "category"
    route = "category"
    searched = ("slug", "title", "description")
    model = Category
    on_tools = "category"
    on_grants = "category"

    def read(self, data: Any) -> LabelDocument:
        return read_category(data)

    def show(self, row: Category) -> dict[str, Any]:
        return render_category(row)


KIND = CategoryKind()


@describe_list(KIND, CategorySerializer, CategoryAnswerSerializer, listed=CategoryListedSerializer, example=CATEGORY)
class CategoryListView(CatalogListView):
    """The tenant's categories, and the shared ones that its tools stand in."""

    kind = KIND


@describe_object(KIND, CategorySerializer, CategoryAnswerSerializer, example=CATEGORY)
class CategoryView(CatalogObjectView):
    """One category."""

    kind = KIND
