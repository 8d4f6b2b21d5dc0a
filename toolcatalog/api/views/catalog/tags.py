"""Tags, for curators."""

from __future__ import annotations

from typing import Any

from toolcatalog.api.schemas import TagAnswerSerializer, TagListedSerializer
from toolcatalog.curation import LabelDocument, TagSerializer, read_tag, render_tag
from toolcatalog.models import Tag

from .documentation import describe_list, describe_object
from .examples import TAG
from .labels import LabelKind
from .views import CatalogListView, CatalogObjectView


class TagKind(LabelKind[Tag]):
    """Tags."""

    noun = "tag"
    route = "tag"
    model = Tag
    on_tools = "tags"
    on_grants = "tag"

    def read(self, data: Any) -> LabelDocument:
        return read_tag(data)

    def show(self, row: Tag) -> dict[str, Any]:
        return render_tag(row)


KIND = TagKind()


@describe_list(KIND, TagSerializer, TagAnswerSerializer, listed=TagListedSerializer, example=TAG)
class TagListView(CatalogListView):
    """The tenant's tags, and the shared ones that its tools bear."""

    kind = KIND


@describe_object(KIND, TagSerializer, TagAnswerSerializer, example=TAG)
class TagView(CatalogObjectView):
    """One tag."""

    kind = KIND
