"""What a conversation has found, for callers that do not replay their messages."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .fields import OrderedJsonField
from .profiles import AgentProfile
from .tenants import Tenant


class Session(models.Model):
    """The searches of one conversation: `turns` is a list of turns, a turn a list of calls, a call a list of tool
    names.
    """

    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+", verbose_name=_("tenant"))
    profile = models.ForeignKey(AgentProfile, models.CASCADE, related_name="+", verbose_name=_("profile"))
    session_id = models.CharField(_("session"), max_length=200)
    turns = models.JSONField(_("turns"), default=list)
    tools = OrderedJsonField(_("own tools"), default=list)
    created_at = models.DateTimeField(_("created"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), db_default=Now())

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [
            models.UniqueConstraint(fields=["tenant", "profile", "session_id"], name="session_unique_per_profile")
        ]
        indexes = [models.Index(fields=["tenant", "last_used_at"], name="session_by_last_use")]

    def __str__(self) -> str:
        return self.session_id
