"""How the admin looks: the settings of its theme."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

BLUE = {
    "50": "oklch(97% .014 254.604)",
    "100": "oklch(93.2% .032 255.585)",
    "200": "oklch(88.2% .059 254.128)",
    "300": "oklch(80.9% .105 251.813)",
    "400": "oklch(70.7% .165 254.624)",
    "500": "oklch(62.3% .214 259.815)",
    "600": "oklch(54.6% .245 262.881)",
    "700": "oklch(48.8% .243 264.376)",
    "800": "oklch(42.4% .199 265.638)",
    "900": "oklch(37.9% .146 265.522)",
    "950": "oklch(28.2% .091 267.935)",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Tool Catalog",
    "SITE_HEADER": "Tool Catalog",
    "SITE_SUBHEADER": _("Which tools may this model see?"),
    "SITE_SYMBOL": "inventory_2",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "toolcatalog.admin.sidebar.find_icon"}],
    "SHOW_HISTORY": False,  # revisions say more than Django's log
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "SHOW_LANGUAGES": True,
    "COLORS": {"primary": BLUE},
    "DASHBOARD_CALLBACK": "toolcatalog.admin.dashboard.show_dashboard",
    "SIDEBAR": {"navigation": "toolcatalog.admin.sidebar.navigation"},
}
"""Read by the theme; dotted names are called for each request."""
