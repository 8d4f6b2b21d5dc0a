"""Schemas that are meant to hurt, through the form: saved with a clear verdict for each vendor, or refused in words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.formats.support import obj
from tests.formats.test_hostile import BOMB, nest
from toolcatalog.formats import FORMATS
from toolcatalog.models import Tenant, Tool

from .pages import add_url, change_url, errors_of, fill

RECURSIVE: Any = {**obj(tree={"$ref": "#/$defs/N"}), "$defs": {"N": obj(next={"$ref": "#/$defs/N"})}}
MUTUAL: Any = {
    **obj(x={"$ref": "#/$defs/N0"}),
    "$defs": {f"N{one}": obj(**{f"c{two}": {"$ref": f"#/$defs/N{two}"} for two in range(8)}) for one in range(8)},
}
WIDE: Any = obj(**{f"p{number}": {"type": "string"} for number in range(500)})
LARGEST = 400_000


def save(admin: Client, tenant: Tenant, parameters: Any) -> Any:
    return fill(
        admin,
        add_url("tool"),
        "tool",
        owner=str(tenant.pk),
        name="get_order",
        description="Says where an order is.",
        parameters=json.dumps(parameters),
        reason="first one",
    )


@pytest.mark.parametrize(
    ("parameters", "told"),
    [(RECURSIVE, "is recursive or too big"), (MUTUAL, "is recursive or too big"), (BOMB, "is recursive or too big")],
    ids=["recursive", "mutual", "bomb"],
)
def test_hostile_schema__saved__each_vendor_has_a_verdict(
    admin: Client, tenant: Tenant, parameters: Any, told: str
) -> None:
    assert save(admin, tenant, parameters).status_code == 302
    page = admin.get(change_url(Tool.objects.get())).content.decode()
    assert told in page
    assert len(page) < LARGEST
    assert all(format_.label in page for format_ in FORMATS.values())


def test_widest_and_deepest_schema__saved_and_shown(admin: Client, tenant: Tenant) -> None:
    assert save(admin, tenant, WIDE).status_code == 302
    assert admin.get(change_url(Tool.objects.get())).status_code == 200


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        (obj(**{f"p{number}": {} for number in range(501)}), "more than 500"),
        (nest("properties", 40), "levels deep"),
        (nest("items", 400), "levels deep"),
        (obj(x={"$ref": "#/$defs/nothing"}), "leads nowhere"),
        (obj(x={"$ref": "https://example.org/x"}), "points outside this schema"),
        (obj(x={"enum": [f"v{number}" * 4 for number in range(5_000)]}), "is the most"),
    ],
    ids=["wide", "deep", "deeper", "unknown", "remote", "large"],
)
def test_hostile_schema__beyond_the_limits__refused_in_words(
    admin: Client, tenant: Tenant, parameters: Any, told: str
) -> None:
    response = save(admin, tenant, parameters)
    assert response.status_code == 200
    assert told in " ".join(errors_of(response)["parameters"])
    assert not Tool.objects.exists()
