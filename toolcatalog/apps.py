"""The Django application."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ToolCatalogConfig(AppConfig):
    """Tool Catalog's tables, admin, API and commands."""

    name = "toolcatalog"
    verbose_name = _("Tool catalog")
    default_auto_field = "django.db.models.BigAutoField"
