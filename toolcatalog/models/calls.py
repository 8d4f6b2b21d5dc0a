"""The audit of tool calls. A call has one row when it starts and one when it ends; neither is ever changed.

The tables are made by SQL in a migration, partitioned by month like the exposures.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from .exposures import make_uuid7


class Call(models.Model):
    """A call that was asked for: what, by whom, on the strength of which exposure."""

    id = models.UUIDField(primary_key=True, default=make_uuid7)
    at = models.DateTimeField(_("time"))
    door = models.CharField(_("door"), max_length=16)
    tenant_id = models.BigIntegerField(_("tenant"))
    api_key_id = models.BigIntegerField(_("API key"), null=True)
    profile_id = models.BigIntegerField(_("profile"), null=True)
    exposure_id = models.UUIDField(_("exposure"), null=True)
    call_id = models.TextField(_("call"))
    tool_id = models.BigIntegerField(_("tool"), null=True)
    name = models.TextField(_("name"))
    exported_name = models.TextField(_("exported name"))
    revision = models.IntegerField(_("revision"), null=True)
    version = models.TextField(_("version"))
    reasons = ArrayField(models.TextField(), verbose_name=_("reasons"))
    groups = ArrayField(models.TextField(), verbose_name=_("groups"))
    account = models.TextField(_("account"), null=True)  # noqa: DJ001  # absent and empty differ
    model = models.TextField(_("model"), null=True)  # noqa: DJ001
    conversation_id = models.TextField(_("conversation"), null=True)  # noqa: DJ001
    session_id = models.TextField(_("session"), null=True)  # noqa: DJ001
    correlation_id = models.TextField(_("correlation"), null=True)  # noqa: DJ001
    request_id = models.TextField(_("request"))
    arguments_digest = models.BinaryField(_("arguments digest"), null=True)
    arguments = models.TextField(_("arguments"), null=True)  # noqa: DJ001

    class Meta:
        managed = False
        db_table = "toolcatalog_call"
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.call_id})"


class CallEnd(models.Model):
    """How a call ended. A call without one is unknown: it may have run."""

    id = models.UUIDField(primary_key=True)
    at = models.DateTimeField(_("time"))
    tenant_id = models.BigIntegerField(_("tenant"))
    outcome = models.CharField(_("outcome"), max_length=16)
    code = models.CharField(_("code"), max_length=64)
    duration_ms = models.IntegerField(_("milliseconds"))
    result_digest = models.BinaryField(_("result digest"), null=True)

    class Meta:
        managed = False
        db_table = "toolcatalog_call_end"
        verbose_name = _("end of a call")
        verbose_name_plural = _("ends of calls")

    def __str__(self) -> str:
        return f"{self.id} {self.outcome}"


class CallClaim(models.Model):
    """That a call was taken on, so that a repeat runs nothing twice (X10). Forgotten after ten minutes.

    `result` is null while the call runs, then the answer that a repeat is given.
    """

    pk = models.CompositePrimaryKey("tenant_id", "key")
    tenant_id = models.BigIntegerField()
    key = models.TextField(db_collation="C")
    claimed_at = models.DateTimeField()
    result = models.TextField(null=True)  # noqa: DJ001  # null means: still running

    class Meta:
        indexes = [models.Index(fields=["claimed_at"], name="call_claim_by_age")]
        verbose_name = _("claim of a call")
        verbose_name_plural = _("claims of calls")

    def __str__(self) -> str:
        return self.key


class ToolUsage(models.Model):
    """How often one tenant called one tool, and how often that went well (X7). Not part of the catalog: no revision."""

    pk = models.CompositePrimaryKey("tool_id", "tenant_id")
    tool_id = models.BigIntegerField()
    tenant_id = models.BigIntegerField()
    attempts = models.BigIntegerField(_("attempts"), default=0)
    successes = models.BigIntegerField(_("successes"), default=0)
    last_used_at = models.DateTimeField(_("last used"), null=True)

    class Meta:
        verbose_name = _("usage of a tool")
        verbose_name_plural = _("usage of tools")

    def __str__(self) -> str:
        return f"{self.tool_id}: {self.successes} of {self.attempts}"
