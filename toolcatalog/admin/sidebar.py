"""The sidebar, in the order in which a curator works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _


def find_icon(request: HttpRequest) -> str:  # noqa: ARG001 (the theme hands it over)
    """The address of the icon that browsers show in their tabs."""
    return static("toolcatalog/admin/icon.svg")


def _may_view(permission: str) -> Callable[[HttpRequest], bool]:
    return lambda request: bool(request.user.has_perm(permission))


def may_view_usage(request: HttpRequest) -> bool:
    """Whether the request's user may see counts of what was shown and called: who sees both may."""
    return bool(request.user.has_perms(("toolcatalog.view_exposure", "toolcatalog.view_call")))


def _item(title: Any, icon: str, model: str, app: str = "toolcatalog") -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{app}_{model}_changelist"),
        "permission": _may_view(f"{app}.view_{model}"),
    }


def navigation(request: HttpRequest) -> list[dict[str, Any]]:  # noqa: ARG001 (the theme hands it over)
    """Groups of links. A link shows only to those who may use it."""
    return [
        {"items": [{"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}]},
        {
            "title": _("Catalog"),
            "items": [
                _item(_("Tools"), "build", "tool"),
                _item(_("Tool groups"), "rule", "toolgroup"),
                _item(_("Categories"), "shelves", "category"),
                _item(_("Tags"), "sell", "tag"),
                _item(_("Sources"), "input", "toolsource"),
                {
                    "title": _("Callbacks"),
                    "icon": "function",
                    "link": reverse_lazy("admin:toolcatalog_callbacks"),
                    "permission": _may_view("toolcatalog.view_tool"),
                },
            ],
        },
        {
            "title": _("Agents"),
            "items": [
                _item(_("Agent profiles"), "smart_toy", "agentprofile"),
                {
                    "title": _("Playground"),
                    "icon": "science",
                    "link": reverse_lazy("admin:toolcatalog_playground"),
                    "permission": _may_view("toolcatalog.view_agentprofile"),
                },
            ],
        },
        {
            "title": _("Access"),
            "items": [
                _item(_("Tenants"), "apartment", "tenant"),
                _item(_("API keys"), "key", "apikey"),
                _item(_("Grants"), "handshake", "grant"),
            ],
        },
        {
            "title": _("Audit"),
            "items": [
                _item(_("Exposures"), "receipt_long", "exposure"),
                _item(_("Calls"), "bolt", "call"),
                {
                    "title": _("Usage"),
                    "icon": "bar_chart",
                    "link": reverse_lazy("admin:toolcatalog_usage"),
                    "permission": may_view_usage,
                },
                _item(_("Revisions"), "history", "revision"),
                _item(_("Sessions"), "forum", "session"),
            ],
        },
        {
            "title": _("People"),
            "items": [_item(_("Users"), "person", "user", "auth"), _item(_("Roles"), "groups", "group", "auth")],
        },
    ]
