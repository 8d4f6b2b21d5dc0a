"""Whatever is sent to the admin, it answers: with the form and its errors, or with 400."""

from __future__ import annotations

import pytest
from django.test import Client

from toolcatalog.models import Tenant, Tool

from .pages import add_url, errors_of, fill, list_url

HOSTILE = ("\x00", "9" * 400, "-1", "x" * 70_000, "{", "[]", "<script>alert(1)</script>", "\u202e", "٣", "[" * 5000)
OWNED = (("tool", "owner"), ("toolgroup", "owner"), ("category", "owner"), ("tag", "owner"))
OF_A_TENANT = (("agentprofile", "tenant"), ("apikey", "tenant"), ("grant", "tenant"))


@pytest.mark.parametrize(("model", "field"), [*OWNED, *OF_A_TENANT])
@pytest.mark.parametrize("value", HOSTILE)
def rel_T24_no_row_of_that_number__an_error_beside_the_field(
    admin: Client, tenant: Tenant, model: str, field: str, value: str
) -> None:
    response = fill(admin, add_url(model), model, **{field: value})
    assert response.status_code == 200
    assert field in errors_of(response)
    assert "<script>alert(1)" not in response.content.decode()


@pytest.mark.parametrize("model", ["exposure", "call", "tool", "toolgroup", "apikey", "session"])
@pytest.mark.parametrize("parameter", ["tenant", "account", "tool", "group", "model", "name", "q", "period", "\x00"])
def rel_T24_nul_in_the_address_of_a_list__400(admin: Client, tenant: Tenant, model: str, parameter: str) -> None:
    assert admin.get(list_url(model), {parameter: "a\x00"}).status_code == 400


def rel_T24_nul_in_a_search_box__finds_nothing(admin: Client, tenant: Tenant) -> None:
    asked = {"app_label": "toolcatalog", "model_name": "tool", "field_name": "owner"}
    assert admin.get("/admin/autocomplete/", {**asked, "term": "\x00"}).json()["results"] == []
    assert admin.get("/admin/autocomplete/", {**asked, "term": tenant.slug}).json()["results"]


def test_owner__chosen__is_still_chosen_after_an_error(admin: Client, tenant: Tenant) -> None:
    response = fill(admin, add_url("tool"), "tool", owner=str(tenant.pk), name="a b")
    assert f'<option value="{tenant.pk}" selected' in response.content.decode()
    assert not Tool.objects.exists()
