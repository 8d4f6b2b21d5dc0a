"""Tenants and the keys that speak for them."""

from __future__ import annotations

import secrets

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.catalog import Eviction, TextPolicy

from .choices import choices_of
from .validators import validate_slug


def make_text_salt() -> bytes:
    """32 random bytes: the key of a tenant's text digests."""
    return secrets.token_bytes(32)


class Tenant(models.Model):
    """A customer or business unit. Everything that a request may see hangs on the tenant of its API key."""

    slug = models.CharField(
        _("slug"),
        max_length=64,
        unique=True,
        validators=[validate_slug],
        help_text=_("Short name for programs: small letters, digits and hyphens."),
    )
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Name for people."))
    is_active = models.BooleanField(
        _("active"), default=True, help_text=_("Switched off, every key of this tenant is refused at once.")
    )
    text_policy = models.CharField(
        _("message texts"),
        max_length=16,
        choices=choices_of(TextPolicy),
        default=TextPolicy.DIGEST,
        help_text=_("What the audit keeps of message texts: only a digest, or the full text."),
    )
    text_salt = models.BinaryField(default=make_text_salt, editable=False)
    eviction = models.CharField(
        _("forget sessions"),
        max_length=16,
        choices=choices_of(Eviction),
        default=Eviction.LRU,
        help_text=_("When the server forgets what a conversation found: by number, by age, both, never or always."),
    )
    max_sessions = models.PositiveIntegerField(
        _("sessions kept"), default=1000, help_text=_("With “by number”: how many sessions are kept.")
    )
    session_ttl_seconds = models.PositiveIntegerField(
        _("session age"), default=86_400, help_text=_("With “by age”: seconds after the last use.")
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("tenant")
        verbose_name_plural = _("tenants")
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                name="tenant_max_sessions_positive",
                condition=Q(max_sessions__gte=1),
                violation_error_message=_("Keep at least one session, or choose “always” to keep none."),
            )
        ]

    def __str__(self) -> str:
        return self.title or self.slug


class ApiKey(models.Model):
    """A key of a tenant. Only its prefix and a hash are stored; it is shown once, when it is made."""

    SCOPES = ("resolve", "execute", "curate", "audit", "manage")

    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="api_keys", verbose_name=_("tenant"))
    name = models.CharField(
        _("name"), max_length=100, help_text=_("Who uses this key, for example “support bot, live”.")
    )
    prefix = models.CharField(_("prefix"), max_length=16, unique=True, editable=False)
    secret_sha256 = models.BinaryField(max_length=32, editable=False)
    scopes = ArrayField(
        models.CharField(max_length=16),
        verbose_name=_("scopes"),
        help_text=_("What the key may do: resolve, execute, curate, audit, manage."),
    )
    profiles = ArrayField(
        models.CharField(max_length=64),
        verbose_name=_("profiles"),
        default=list,
        blank=True,
        help_text=_("Slugs of the agent profiles that the key may use. Empty: all of the tenant’s."),
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(
        _("expires"), null=True, blank=True, help_text=_("From this moment on the key is refused. Empty: never.")
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["tenant__slug", "name", "pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
