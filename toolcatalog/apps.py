"""The Django application."""

from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register
from django.db import connections
from django.utils.translation import gettext_lazy as _
from prometheus_client import REGISTRY

from toolcatalog.callbacks import run_after_each_call
from toolcatalog.callbacks.checks import check_callbacks, check_rule_plugins
from toolcatalog.callbacks.metrics import HungCalls


class ToolCatalogConfig(AppConfig):
    """Tool Catalog's tables, admin, API and commands."""

    name = "toolcatalog"
    verbose_name = _("Tool catalog")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch over callbacks; those that used the database in a thread of theirs give its connection back."""
        register(check_callbacks, "callbacks")
        register(check_rule_plugins, "matchers")
        REGISTRY.register(HungCalls())
        run_after_each_call(connections.close_all)
        _watch_search()


def _watch_search() -> None:
    """Check the embedder at the start and count what waits for it, where there is one."""
    from toolcatalog.search.checks import check_providers, check_search  # noqa: PLC0415 (it needs the models, which are there only now)
    from toolcatalog.search.embedding import is_switched_on  # noqa: PLC0415
    from toolcatalog.search.providers.semantic.metrics import EmbeddingQueue  # noqa: PLC0415

    register(check_search, "search")
    register(check_providers, "search")
    if is_switched_on():
        REGISTRY.register(EmbeddingQueue())
