"""What belongs to one tenant, or is shared."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tenants import Tenant


class Owned(models.Model):
    """Has an owner. No owner means shared: tenants see it by grant."""

    owner = models.ForeignKey(
        Tenant,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("owner"),
        help_text=_("The tenant that this belongs to. Empty: shared, and visible to tenants by grant."),
    )

    class Meta:
        abstract = True

    @property
    def is_shared(self) -> bool:
        return self.owner_id is None


def unique_per_owner(model: str, field: str, message: Any) -> models.UniqueConstraint:
    """The constraint "unique per owner", where all shared objects count as one owner's."""
    return models.UniqueConstraint(
        fields=["owner", field],
        name=f"{model}_{field}_unique_per_owner",
        nulls_distinct=False,
        violation_error_message=message,
    )
