"""The audit record of what was shown. The tables are made by SQL in a migration; nothing here is ever updated."""

from __future__ import annotations

import os
import time
import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


def make_uuid7() -> uuid.UUID:
    """A UUID whose first 48 bits are the Unix time in milliseconds (RFC 9562, version 7): ids sort by time."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10))
    value = (milliseconds & (1 << 48) - 1) << 80 | random
    value = value & ~(0xF << 76) | 0x7 << 76
    return uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62)


class ExposureContent(models.Model):
    """A body under its own SHA-256: a snapshot, or the attributes of a request. The database checks the hash.

    `body` is canonical JSON as bytes and names its tenant, so that two tenants never share a row.
    """

    sha256 = models.BinaryField(_("hash"), max_length=32, primary_key=True)
    tenant_id = models.BigIntegerField()
    body = models.BinaryField(_("body"))
    tool_ids = ArrayField(models.BigIntegerField(), default=list)
    group_ids = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        managed = False
        db_table = "toolcatalog_exposure_content"
        verbose_name = _("exposure content")
        verbose_name_plural = _("exposure contents")

    def __str__(self) -> str:
        return bytes(self.sha256).hex()


class Exposure(models.Model):
    """One resolve or search: who was shown what, when, in which revision. Partitioned by month of `at`.

    `snapshot_id` is the exposure that the model searched in, of a search that says so.
    """

    class Kind(models.TextChoices):
        RESOLVE = "resolve", _("resolve")
        SEARCH = "search", _("search")

    id = models.UUIDField(primary_key=True, default=make_uuid7)
    at = models.DateTimeField(_("time"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    outcome = models.CharField(_("outcome"), max_length=16)
    tenant_id = models.BigIntegerField(_("tenant"))
    api_key_id = models.BigIntegerField(_("API key"), null=True)
    profile_id = models.BigIntegerField(_("profile"), null=True)
    account = models.TextField(_("account"), null=True)  # noqa: DJ001  # absent and empty differ
    model = models.TextField(_("model"), null=True)  # noqa: DJ001
    conversation_id = models.TextField(_("conversation"), null=True)  # noqa: DJ001
    session_id = models.TextField(_("session"), null=True)  # noqa: DJ001
    correlation_id = models.TextField(_("correlation"), null=True)  # noqa: DJ001
    request_id = models.TextField(_("request"))
    catalog_revision = models.BigIntegerField(_("catalog revision"))
    resolver_version = models.SmallIntegerField(_("resolver version"))
    text_digest = models.BinaryField(_("text digest"), null=True)
    text = models.TextField(_("text"), null=True)  # noqa: DJ001
    context_sha256 = models.BinaryField(_("context"), null=True)
    snapshot_sha256 = models.BinaryField(_("snapshot"))
    snapshot_id = models.UUIDField(_("made in the snapshot"), null=True)

    class Meta:
        managed = False
        db_table = "toolcatalog_exposure"
        verbose_name = _("exposure")
        verbose_name_plural = _("exposures")
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return str(self.id)
