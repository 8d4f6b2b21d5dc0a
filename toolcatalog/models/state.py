"""The catalog revision, and what changed in it.

Written by database triggers only, so that no way of editing is missed.
"""

from __future__ import annotations

from django.db import models


class CatalogState(models.Model):
    """One row: the revision of the whole catalog, and the transaction that made it.

    Two states are the same only if both are: a revision number can come again after a restore or a rollback.
    """

    revision = models.BigIntegerField(default=0)
    transaction = models.BigIntegerField(default=0)

    class Meta:
        db_table = "toolcatalog_state"

    def __str__(self) -> str:
        return str(self.revision)


class CatalogChange(models.Model):
    """One object that changed in one revision. `kind` is the short name of the table."""

    revision = models.BigIntegerField(db_index=True)
    kind = models.CharField(max_length=16)
    object_id = models.BigIntegerField()

    class Meta:
        db_table = "toolcatalog_change"

    def __str__(self) -> str:
        return f"{self.revision}: {self.kind} {self.object_id}"
