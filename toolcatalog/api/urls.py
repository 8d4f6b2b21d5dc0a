"""The addresses of version 1. A tool name may hold slashes: T16 keeps it apart from what follows it."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path
from django.views.decorators.csrf import csrf_exempt

from . import schema_extensions as _schema_extensions  # noqa: F401  # registers itself with the schema generator
from .problems import not_found
from .views import catalog
from .views.calls import CallListView
from .views.execution import ExecuteView, ToolCallsView
from .views.exposures import ExposureListView, ExposureView, ReplayView
from .views.popular import PopularToolsView
from .views.resolving import AvailabilityView, ResolveView, SearchView, SessionToolsView, SessionView

urlpatterns: list[URLPattern | URLResolver] = [
    path("resolve", ResolveView.as_view(), name="resolve"),
    path("search", SearchView.as_view(), name="search"),
    re_path(r"^tools/(?P<name>.+)/availability$", AvailabilityView.as_view(), name="availability"),
    re_path(r"^tools/(?P<name>.+)/execute$", ExecuteView.as_view(), name="execute"),
    path("tool-calls", ToolCallsView.as_view(), name="tool-calls"),
    re_path(r"^sessions/(?P<session_id>.+)/tools$", SessionToolsView.as_view(), name="session-tools"),
    path("sessions/<path:session_id>", SessionView.as_view(), name="session"),
    path("tools/popular", PopularToolsView.as_view(), name="popular-tools"),
    path("tools", catalog.ToolListView.as_view(), name="tools"),
    path("tools/<path:name>", catalog.ToolView.as_view(), name="tool"),
    path("categories", catalog.CategoryListView.as_view(), name="categories"),
    path("categories/<path:slug>", catalog.CategoryView.as_view(), name="category"),
    path("tags", catalog.TagListView.as_view(), name="tags"),
    path("tags/<path:slug>", catalog.TagView.as_view(), name="tag"),
    path("tool-groups", catalog.GroupListView.as_view(), name="tool-groups"),
    path("tool-groups/<path:name>", catalog.GroupView.as_view(), name="tool-group"),
    path("profiles", catalog.ProfileListView.as_view(), name="profiles"),
    path("profiles/<path:slug>", catalog.ProfileView.as_view(), name="profile"),
    path("grants", catalog.GrantListView.as_view(), name="grants"),
    re_path(r"^grants/(?P<id>[0-9]{1,18})$", catalog.GrantView.as_view(), name="grant"),
    path("import", catalog.ImportView.as_view(), name="import"),
    path("export", catalog.ExportView.as_view(), name="export"),
    path("calls", CallListView.as_view(), name="calls"),
    path("exposures", ExposureListView.as_view(), name="exposures"),
    path("exposures/<uuid:exposure_id>", ExposureView.as_view(), name="exposure"),
    path("exposures/<uuid:exposure_id>/replay", ReplayView.as_view(), name="replay"),
    re_path(r"", csrf_exempt(not_found), name="unknown-address"),
]
