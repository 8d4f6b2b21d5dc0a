"""The admin: where curators describe tools, write rules, try requests, and look at what was shown."""

from __future__ import annotations

from django.contrib import admin
from django.urls import path

from . import calls, exposures, grants, groups, keys, labels, profiles, revisions, sessions, tenants, tools, users
from .callback_page import show_callbacks
from .login import LoginForm
from .picking import pick
from .playground.view import playground
from .usage_report import show_usage

__all__ = [
    "calls",
    "exposures",
    "grants",
    "groups",
    "keys",
    "labels",
    "profiles",
    "revisions",
    "sessions",
    "tenants",
    "tools",
    "users",
]


def _extra_urls() -> list[object]:
    return [
        path("pick/<str:kind>/", admin.site.admin_view(pick), name="toolcatalog_pick"),
        path("callbacks/", admin.site.admin_view(show_callbacks), name="toolcatalog_callbacks"),
        path("usage/", admin.site.admin_view(show_usage), name="toolcatalog_usage"),
        path("playground/", admin.site.admin_view(playground), name="toolcatalog_playground"),
    ]


setattr(admin.site, "extra_urls", _extra_urls)  # noqa: B010  # the theme's site asks for it; Django's type knows no such thing
admin.site.login_form = LoginForm
