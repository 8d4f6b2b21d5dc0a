"""Examples in the published schema."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

TOOL = OpenApiExample(
    "A tool",
    request_only=True,
    value={
        "name": "track_parcel",
        "title": "Track a parcel",
        "description": "Says where a parcel is and when it will arrive, by its tracking number.",
        "category": "shipping",
        "tags": ["parcel", "delivery"],
        "keywords": {"en": ["shipment"], "zh": ["快递"]},
        "parameters": {
            "type": "object",
            "properties": {"tracking_number": {"type": "string", "description": "As printed on the label."}},
            "required": ["tracking_number"],
        },
    },
)
CATEGORY = OpenApiExample(
    "A category",
    request_only=True,
    value={"slug": "shipping", "title": "Shipping", "description": "Parcels on their way."},
)
TAG = OpenApiExample("A tag", request_only=True, value={"slug": "parcel", "title": "Parcel"})
GROUP = OpenApiExample(
    "A tool group",
    request_only=True,
    value={
        "name": "parcels",
        "title": "Parcels",
        "system_prompt": "Quote tracking numbers exactly as the customer wrote them.",
        "tools": ["track_parcel"],
        "matchers": [
            {"source": "message", "operator": "contains_any", "value": ["parcel", "快递"]},
            {"source": "account_id", "operator": "exists"},
        ],
    },
)
PROFILE = OpenApiExample(
    "An agent profile",
    request_only=True,
    value={
        "slug": "parcel-desk",
        "title": "Parcel desk",
        "resident_tools": ["track_parcel"],
        "groups": ["parcels"],
        "search": {"default_results": 3},
    },
)
GRANT = OpenApiExample(
    "A grant", request_only=True, value={"tenant": "maple-mart", "effect": "allow", "category": "weather"}
)
DOCUMENT = OpenApiExample(
    "A catalog document",
    request_only=True,
    value={
        "version": 1,
        "categories": [{"slug": "shipping", "title": "Shipping"}],
        "tools": [{"name": "track_parcel", "description": "Says where a parcel is.", "category": "shipping"}],
    },
)
