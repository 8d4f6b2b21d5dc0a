"""Tools, and the immutable states that they went through."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.catalog import Execution, ToolStatus
from toolcatalog.contract.tools import NO_PARAMETERS

from .choices import choices_of
from .fields import OrderedJsonField
from .owned import Owned, unique_per_owner
from .taxonomy import Category, Tag, ToolSource


def no_parameters() -> dict[str, object]:
    """The schema of a tool that takes nothing."""
    return dict(NO_PARAMETERS)


class Tool(Owned):
    """A tool as it stands. What models read of it is pinned by its live revision."""

    name = models.CharField(
        _("name"),
        max_length=128,
        db_collation="C",
        help_text=_("The name that models call, for example get_order. Letters, digits, _ . / and -."),
    )
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Name for people."))
    description = models.TextField(
        _("description"),
        blank=True,
        max_length=4096,
        help_text=_("What the tool does and when to use it. Models choose by this text, and search reads it."),
    )
    parameters = OrderedJsonField(
        _("parameters"),
        default=no_parameters,
        help_text=_("JSON Schema of the arguments. The root is an object; give every property a description."),
    )
    output_schema = OrderedJsonField(
        _("output schema"), null=True, blank=True, help_text=_("JSON Schema of the result, if it is known.")
    )
    annotations = OrderedJsonField(
        _("annotations"), default=dict, blank=True, help_text=_('Hints such as {"readOnlyHint": true}.')
    )
    metadata = OrderedJsonField(
        _("metadata"),
        default=dict,
        blank=True,
        help_text=_("Your own notes as JSON. Never searched, never sent to a model."),
    )
    category = models.ForeignKey(
        Category,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="tools",
        verbose_name=_("category"),
        help_text=_("The shelf on which the tool stands. A search can be narrowed to one."),
    )
    tags = models.ManyToManyField(
        Tag, blank=True, related_name="tools", verbose_name=_("tags"), help_text=_("Words that tools share.")
    )
    keywords = OrderedJsonField(
        _("keywords"),
        default=dict,
        blank=True,
        help_text=_(
            'Other words that people use for this, by language: {"en": ["parcel"], "zh": ["快递"]}. Searched, not sent.'
        ),
    )
    version = models.CharField(
        _("version"), max_length=64, default="1.0", help_text=_("A label that callers can pin, for example 2.1.")
    )
    execution = models.CharField(
        _("run by"),
        max_length=16,
        choices=choices_of(Execution),
        default=Execution.CLIENT,
        help_text=_("Who runs the tool: the calling service, a callback here, an MCP server, or an HTTP API."),
    )
    callback = models.CharField(
        _("callback"), max_length=200, blank=True, help_text=_("With “callback”: the registered name of the function.")
    )
    searchable = models.BooleanField(
        _("searchable"),
        default=True,
        help_text=_("Whether tool search may find it. Off: only groups and profiles send it."),
    )
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=choices_of(ToolStatus),
        default=ToolStatus.DRAFT,
        db_index=True,
        help_text=_("Only published and deprecated tools reach a model."),
    )
    replaced_by = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("replaced by"),
        help_text=_("For a deprecated tool: the one to use instead. Models are told."),
    )
    source = models.ForeignKey(
        ToolSource,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="tools",
        verbose_name=_("source"),
    )
    # What the source says of the tool, and what it said when that was last accepted. Between the two lies what waits
    # for review; where the tool differs from `accepted_import`, a curator wrote it.
    imported = OrderedJsonField(null=True, editable=False)
    accepted_import = OrderedJsonField(null=True, editable=False)
    gone_at = models.DateTimeField(
        _("gone since"),
        null=True,
        editable=False,
        help_text=_("When the source stopped listing the tool. It is not shown to anybody until it is back."),
    )
    tokens = models.PositiveIntegerField(_("tokens"), default=0, editable=False)
    revision = models.PositiveIntegerField(_("revision"), default=0, editable=False)
    sha256 = models.BinaryField(max_length=32, default=b"", editable=False)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    updated_at = models.DateTimeField(_("changed"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("tool")
        verbose_name_plural = _("tools")
        ordering = ["name", "pk"]
        constraints = [unique_per_owner("tool", "name", _("This owner already has a tool of that name."))]

    def __str__(self) -> str:
        return self.name


class Revision(models.Model):
    """One immutable, hashed state of a tool or a group, with author and reason. Outlives what it speaks of.

    `content` is the full state as in the catalog document; `sha256` is over its canonical form. `status` says whether
    it was live (approved), is a change of the source that waits for review, or what became of such a change: accepted
    (the revision that followed is the approved one), turned down, or overtaken by the source's next one (superseded).
    """

    class Kind(models.TextChoices):
        TOOL = "tool", _("tool")
        GROUP = "group", _("tool group")

    class Status(models.TextChoices):
        APPROVED = "approved", _("approved")
        PENDING = "pending", _("waits for review")
        REJECTED = "rejected", _("turned down")
        DELETED = "deleted", _("deleted")
        ACCEPTED = "accepted", _("accepted")
        SUPERSEDED = "superseded", _("superseded")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    object_id = models.BigIntegerField(_("object"))
    owner_id = models.BigIntegerField(_("owner"), null=True)
    name = models.CharField(_("name"), max_length=128)
    number = models.PositiveIntegerField(_("number"))
    version = models.CharField(_("version"), max_length=64, blank=True)
    content = OrderedJsonField(_("content"))
    sha256 = models.BinaryField(max_length=32)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.APPROVED)
    author = models.CharField(_("author"), max_length=200)
    reason = models.TextField(_("reason"), blank=True)
    reviewer = models.CharField(_("reviewed by"), max_length=200, blank=True, default="", db_default="")
    review_reason = models.TextField(_("reason of the review"), blank=True, default="", db_default="")
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), db_default=Now())

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "object_id", "number"], name="revision_number_unique"),
            models.UniqueConstraint(
                fields=["kind", "object_id"], condition=models.Q(status="pending"), name="revision_one_pending"
            ),
        ]
        indexes = [models.Index(fields=["kind", "object_id", "version", "-number"], name="revision_by_version")]

    def __str__(self) -> str:
        return f"{self.name} #{self.number}"
