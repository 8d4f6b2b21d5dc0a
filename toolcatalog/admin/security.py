"""The content security policy of the admin: no script that is not one of our files."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

POLICY = "; ".join(
    (
        "default-src 'self'",
        # The theme's Alpine reads expressions from attributes, which takes eval; scripts in the page are refused.
        "script-src 'self' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


class AdminContentSecurityPolicy:
    """Sends the policy with every page of the admin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.root = reverse("admin:index")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(self.root):
            response.headers.setdefault("Content-Security-Policy", POLICY)
        return response
