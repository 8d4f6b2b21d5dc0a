"""Pending revisions: what a source changed after a tool was approved, one for each tool, beside the live one."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max
from django.utils import timezone

from toolcatalog.models import Revision, Tool

from .merging import Merge
from .revisions import hash_tool
from .transactions import Author


class Proposals:
    """The pending revisions of some tools, inside an edit; `write` does what was asked for in four queries at most."""

    def __init__(self, author: Author, tools: Iterable[Tool]) -> None:
        ids = [tool.pk for tool in tools]
        revisions = Revision.objects.filter(kind=Revision.Kind.TOOL, object_id__in=ids)
        self._author = author
        self._pending = dict(revisions.filter(status=Revision.Status.PENDING).values_list("object_id", "pk"))
        self._numbers = dict(revisions.values_list("object_id").annotate(last=Max("number")))
        self._withdrawn: list[int] = []
        self._new: list[Revision] = []

    def __contains__(self, tool_id: int) -> bool:
        return tool_id in self._pending

    def add(self, tool: Tool, merge: Merge) -> None:
        """Propose this content, in place of what waits now."""
        self.withdraw(tool)
        reason = f"The source changed: {', '.join(merge.changed)}"
        self._new.append(
            Revision(
                kind=Revision.Kind.TOOL,
                object_id=tool.pk,
                owner_id=tool.owner_id,
                name=tool.name,
                number=self._numbers.get(tool.pk, 0) + 1,
                version=merge.content["version"],
                content=merge.content,
                sha256=hash_tool(merge.content),
                status=Revision.Status.PENDING,
                author=self._author.name,
                reason=": ".join(filter(None, [self._author.reason, reason])),
            )
        )

    def withdraw(self, tool: Tool) -> None:
        """What waits for this tool is out of date."""
        if tool.pk in self._pending:
            self._withdrawn.append(self._pending[tool.pk])

    def withdraw_all(self) -> None:
        """Nothing that waits is of use any more. Written at once."""
        self._withdrawn = list(self._pending.values())
        self.write()

    def write(self) -> None:
        """Write it all down."""
        if self._withdrawn:
            Revision.objects.filter(pk__in=self._withdrawn).update(
                status=Revision.Status.SUPERSEDED, reviewer=self._author.name, reviewed_at=timezone.now()
            )
        Revision.objects.bulk_create(self._new, batch_size=1000)
