"""The catalog documents of the demo: what the group shares, and what each of its companies owns."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.json import JsonObject

from .documents import read_document

SHARED_DOCUMENT = "shared"
"""Key of the document whose tools and groups belong to nobody. It holds the grants of every tenant."""


@dataclass(frozen=True, slots=True)
class DemoTenant:
    """One company of the imaginary Fenghe Group (枫鹤集团). `slug` is also the key of its catalog document."""

    slug: str
    title: str
    summary: str


DEMO_TENANTS = (
    DemoTenant(
        "maple-mart",
        "枫叶商城 Maple Mart",
        "An online shop. Its support bot talks to customers, its back office to staff. Has nearly all shared tools.",
    ),
    DemoTenant(
        "crane-freight",
        "仙鹤货运 Crane Freight",
        "A freight company. Weather, addresses, messages and its own waybills, trucks and customs papers.",
    ),
    DemoTenant(
        "sprout-labs",
        "新芽实验室 Sprout Labs",
        "A small start-up. Developer tools and a calendar; so few tools that all of them are sent at once.",
    ),
)
"""The tenants of the demo. The first is the one to start with."""


def load_demo_documents() -> dict[str, JsonObject]:
    """The catalog documents by key, in the order to import them: `shared` first, then one for each tenant's slug.

    A tenant's document refers to its own objects and to those of the shared one. Grants name the tenants by slug, so
    the tenants have to exist before the shared document is imported.
    """
    return {name: read_document(name) for name in (SHARED_DOCUMENT, *(tenant.slug for tenant in DEMO_TENANTS))}
