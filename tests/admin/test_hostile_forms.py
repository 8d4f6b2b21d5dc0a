"""Whatever is sent to the admin, it answers: with the form and its errors, or with 400."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support import make_group, make_profile, make_tool, says
from toolcatalog.models import Tenant, Tool

from .pages import add_url, change_url, errors_of, fill, list_url

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


@pytest.mark.parametrize("value", ["9" * 20, "9" * 400, str(2**31), str(-(2**31) - 1)])
def rel_T24_number_beyond_the_column__an_error_beside_it(admin: Client, tenant: Tenant, value: str) -> None:
    for url in (add_url("toolgroup"), change_url(make_group(tenant, "g"))):
        response = fill(admin, url, "toolgroup", name="h", position=value)
        assert response.status_code == 200
        assert len(errors_of(response)["position"]) == 1
    profile = make_profile(tenant, "p")
    response = fill(admin, change_url(profile), "agentprofile", max_tools=value)
    assert "max_tools" in errors_of(response)


def rel_T24_name_that_no_column_holds__an_error_beside_the_list(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "a")
    response = fill(admin, change_url(make_group(tenant, "g", ["a"])), "toolgroup", tools=["a", "\x00"])
    assert "tools" in errors_of(response)


@pytest.mark.parametrize("value", ["9" * 20, "[1e999]", "[" * 5000, '"\\u0000"', '"\\ud800"'])
def rel_T24_stored_value_of_a_condition__replaced_by_what_is_typed(admin: Client, tenant: Tenant, value: str) -> None:
    group = make_group(tenant, "g", [], says("one"))
    response = fill(admin, change_url(group), "toolgroup", **{"matchers-0-original": value})
    assert response.status_code == 302
    assert [matcher.value for matcher in group.matchers.all()] == [["one"]]


@pytest.mark.parametrize(
    "value",
    [
        '{"a": 99999999999999999999}',
        '{"a": 1e999}',
        '{"a": "\\u0000"}',
        '{"a": "\\ud800"}',
        '{"a": ' * 300 + "1" + "}" * 300,
    ],
)
def rel_T24_json_that_cannot_be_stored__an_error_beside_it(admin: Client, tenant: Tenant, value: str) -> None:
    tool, group, profile = make_tool(tenant, "a"), make_group(tenant, "g"), make_profile(tenant, "p")
    for url, model, field in (
        (change_url(tool), "tool", "parameters"),
        (change_url(tool), "tool", "metadata"),
        (change_url(group), "toolgroup", "match_params"),
        (change_url(profile), "agentprofile", "versions"),
    ):
        response = fill(admin, url, model, **{field: value})
        assert response.status_code == 200
        assert f"{field}.a" in " ".join(errors_of(response)[field])
    page = admin.get("/admin/playground/", {"tenant": tenant.slug, "message": "x", "attributes": value})
    assert "attributes" in page.context["form"].errors


def test_owner__chosen__is_still_chosen_after_an_error(admin: Client, tenant: Tenant) -> None:
    response = fill(admin, add_url("tool"), "tool", owner=str(tenant.pk), name="a b")
    assert f'<option value="{tenant.pk}" selected' in response.content.decode()
    assert not Tool.objects.exists()
