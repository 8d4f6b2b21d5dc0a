"""Where requests go."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path


def live(_request: HttpRequest) -> HttpResponse:
    """Say that this process answers. Touches nothing: not the database, no session."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


urlpatterns = [
    path("livez", live, name="livez"),
    path("admin/", admin.site.urls),
]
