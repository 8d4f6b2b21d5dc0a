"""What can be chosen in the search boxes of forms: tools, groups, categories, tags, profiles and sources by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import F, Model, Q, QuerySet
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext

from toolcatalog.contract.json import describe_bad_text
from toolcatalog.models import AgentProfile, Category, Tag, Tool, ToolGroup, ToolSource

from .addresses import change_url, model_name
from .words import STATUS_COLOURS, STATUSES, say

MOST_CHOICES = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen: `value` is its name, `badge` a word about it with a colour of the theme."""

    value: str
    label: str = ""
    detail: str = ""
    badge: str = ""
    colour: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class PickKind:
    """A kind of thing: the model, the field that names it, those that are searched, and whose things are offered."""

    model: type[Model]
    value: str
    searched: tuple[str, ...]
    describe: Callable[[Any], Choice]
    owner: str = "owner"
    shared_only: bool = False

    @property
    def permission(self) -> str:
        """The right that a person needs to see the list."""
        return f"toolcatalog.view_{model_name(self.model)}"

    def visible(self, owner_id: int | None) -> QuerySet[Any]:
        """What the owner can name: its own things and shared ones, or only shared ones where there is no owner."""
        things = self.model._default_manager.all()  # noqa: SLF001  # Django's documented way
        if self.shared_only or (owner_id is None and self.owner == "owner"):
            return things.filter(**{f"{self.owner}__isnull": True})
        if self.owner != "owner":
            return things.filter(**{self.owner: owner_id})
        return things.filter(Q(owner=owner_id) | Q(owner=None))

    def search(self, owner_id: int | None, text: str) -> list[Choice]:
        """The first things that hold every word of the text, own ones before shared ones; each name once."""
        things = self.visible(owner_id)
        for word in text.split():
            held = Q()
            for field in self.searched:
                held |= Q(**{f"{field}__icontains": word})
            things = things.filter(held)
        ordered = things.order_by(self.value, *self._own_first())[: 2 * MOST_CHOICES]
        return list({choice.value: choice for choice in map(self.describe, reversed(ordered))}.values())[::-1]

    def find(self, owner_id: int | None, names: Sequence[str]) -> list[Choice]:
        """What to show for names that were chosen, own things before shared ones."""
        possible = [name for name in names if not describe_bad_text(name)]
        if not possible:
            return []
        things = self.visible(owner_id).filter(**{f"{self.value}__in": possible}).order_by(*self._own_first())
        return list({choice.value: choice for choice in map(self.describe, reversed(things))}.values())

    def _own_first(self) -> tuple[Any, ...]:
        return (F("owner").asc(nulls_last=True),) if self.owner == "owner" else ()


def _owner_words(thing: Any) -> str:
    return gettext("shared") if thing.owner_id is None else ""


def _describe_tool(tool: Tool) -> Choice:
    detail = " · ".join(part for part in (tool.title, _owner_words(tool)) if part)
    return Choice(tool.name, tool.name, detail, *_status(tool.status), url=change_url(tool))


def _describe_group(group: ToolGroup) -> Choice:
    detail = " · ".join(part for part in (group.title, _owner_words(group)) if part)
    return Choice(group.name, group.name, detail, *_status(group.status), url=change_url(group))


def _status(status: str) -> tuple[str, str]:
    return ("", "") if status == "published" else (say(STATUSES, status), STATUS_COLOURS.get(status, ""))


def _describe_label(label: Category | Tag | ToolSource) -> Choice:
    detail = " · ".join(part for part in (label.title and label.slug, _owner_words(label)) if part)
    return Choice(label.slug, label.title or label.slug, detail, url=change_url(label))


def _describe_profile(profile: AgentProfile) -> Choice:
    return Choice(profile.slug, profile.title or profile.slug, profile.slug, url=change_url(profile))


_LABEL_FIELDS = ("slug", "title")
KINDS = {
    "tool": PickKind(Tool, "name", ("name", "title", "description"), _describe_tool),
    "group": PickKind(ToolGroup, "name", ("name", "title"), _describe_group),
    "category": PickKind(Category, "slug", _LABEL_FIELDS, _describe_label),
    "tag": PickKind(Tag, "slug", _LABEL_FIELDS, _describe_label),
    "profile": PickKind(AgentProfile, "slug", _LABEL_FIELDS, _describe_profile, owner="tenant"),
    "shared-tool": PickKind(Tool, "name", ("name", "title", "description"), _describe_tool, shared_only=True),
    "shared-category": PickKind(Category, "slug", _LABEL_FIELDS, _describe_label, shared_only=True),
    "shared-tag": PickKind(Tag, "slug", _LABEL_FIELDS, _describe_label, shared_only=True),
    "shared-source": PickKind(ToolSource, "slug", _LABEL_FIELDS, _describe_label, shared_only=True),
}


def pick(request: HttpRequest, kind: str) -> JsonResponse:
    """What can be chosen for the text `q` and the owner `owner` (empty: shared): `{"choices": […], "more": bool}`."""
    known = KINDS.get(kind)
    if known is None:
        raise Http404
    if not request.user.has_perm(known.permission):
        raise PermissionDenied
    owner = request.GET.get("owner", "")
    owner_id = int(owner) if owner.isascii() and owner.isdecimal() and len(owner) < 19 else None
    found = known.search(owner_id, request.GET.get("q", "").replace("\x00", ""))
    shown = [asdict(choice) for choice in found[:MOST_CHOICES]]
    return JsonResponse({"choices": shown, "more": len(found) > MOST_CHOICES})
