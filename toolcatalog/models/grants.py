"""Grants: which shared tools a tenant may have."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.catalog import Effect

from .choices import choices_of
from .taxonomy import Category, Tag, ToolSource
from .tenants import Tenant
from .tools import Tool


def _exactly_one(*targets: str) -> Q:
    """Exactly one of the foreign keys is set, or else `everything` is."""
    none = {f"{target}__isnull": True for target in targets}
    condition = Q(everything=True, **none)
    for target in targets:
        condition |= Q(everything=False, **{**none, f"{target}__isnull": False})
    return condition


class Grant(models.Model):
    """Gives a tenant shared tools, or takes them away: a deny beats an allow. Has exactly one target."""

    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="grants", verbose_name=_("tenant"))
    effect = models.CharField(
        _("effect"),
        max_length=8,
        choices=choices_of(Effect),
        default=Effect.ALLOW,
        help_text=_("A deny beats an allow."),
    )
    tool = models.ForeignKey(
        Tool,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="grants",
        verbose_name=_("tool"),
        help_text=_("One tool."),
    )
    category = models.ForeignKey(
        Category,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="grants",
        verbose_name=_("category"),
        help_text=_("Every shared tool of this category."),
    )
    tag = models.ForeignKey(
        Tag,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="grants",
        verbose_name=_("tag"),
        help_text=_("Every shared tool with this tag."),
    )
    source = models.ForeignKey(
        ToolSource,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="grants",
        verbose_name=_("source"),
        help_text=_("Every shared tool of this source."),
    )
    everything = models.BooleanField(_("everything"), default=False, help_text=_("Every shared tool."))
    note = models.CharField(_("note"), max_length=300, blank=True, help_text=_("Why, for other curators."))
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("grant")
        verbose_name_plural = _("grants")
        ordering = ["tenant__slug", "pk"]
        constraints = [
            models.CheckConstraint(
                name="grant_has_one_target",
                condition=_exactly_one("tool", "category", "tag", "source"),
                violation_error_message=_("Choose exactly one: a tool, a category, a tag, a source, or everything."),
            )
        ]

    def __str__(self) -> str:
        target = self.tool or self.category or self.tag or self.source or _("everything")
        return f"{self.effect} {target}"
