"""Categories, tags and sources: what tools are sorted by."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .owned import Owned, unique_per_owner


class Label(Owned):
    """A named thing with a slug of its owner. The slug keeps letters of any script."""

    slug = models.CharField(
        _("slug"), max_length=100, help_text=_("Short name for programs, for example “mail-order”.")
    )
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Name for people."))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title or self.slug


class Category(Label):
    """A shelf of the catalog. A tool stands on one at most."""

    description = models.TextField(_("description"), blank=True, help_text=_("What belongs here, for other curators."))

    class Meta:
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering = ["slug", "pk"]
        constraints = [unique_per_owner("category", "slug", _("This owner already has a category of that slug."))]


class Tag(Label):
    """A word that tools share. A tool may have many."""

    class Meta:
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
        ordering = ["slug", "pk"]
        constraints = [unique_per_owner("tag", "slug", _("This owner already has a tag of that slug."))]


class ToolSource(Label):
    """Where definitions come from other than by hand: callbacks, an MCP server, an OpenAPI document."""

    class Kind(models.TextChoices):
        CALLBACK = "callback", _("Python callbacks")
        MCP = "mcp", _("MCP server")
        OPENAPI = "openapi", _("OpenAPI document")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind, help_text=_("What kind of source this is."))
    problem = models.TextField(
        _("problem"),
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text=_("What was wrong when the source was last asked."),
    )

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["slug", "pk"]
        constraints = [unique_per_owner("source", "slug", _("This owner already has a source of that slug."))]
