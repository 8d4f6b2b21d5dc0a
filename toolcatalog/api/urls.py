"""The addresses of version 1. A tool name may hold slashes: T16 keeps it apart from what follows it."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path

from .views.exposures import ExposureListView, ExposureView
from .views.resolving import AvailabilityView, ResolveView, SearchView, SessionView

urlpatterns: list[URLPattern | URLResolver] = [
    path("resolve", ResolveView.as_view(), name="resolve"),
    path("search", SearchView.as_view(), name="search"),
    re_path(r"^tools/(?P<name>.+)/availability$", AvailabilityView.as_view(), name="availability"),
    path("sessions/<path:session_id>", SessionView.as_view(), name="session"),
    path("exposures", ExposureListView.as_view(), name="exposures"),
    path("exposures/<uuid:exposure_id>", ExposureView.as_view(), name="exposure"),
]
