"""Two editors of one thing: the second is told, loses nothing, and sees what differs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import (
    edit_group,
    edit_profile,
    edit_tool,
    grant,
    make_group,
    make_profile,
    make_tool,
    says,
    set_tenant,
)
from toolcatalog.curation import LabelDocument, save_label
from toolcatalog.models import Category, Grant, Tag, Tenant, Tool, ToolGroup

from .pages import change_fields, change_url, errors_of, read_form, send


def test_conflict__somebody_saved_first__told_and_nothing_lost(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "As it was at first.", tags=("a", "b"))
    fields = read_form(admin.get(change_url(tool)), "tool")
    edit_tool(tool, description="As the first editor left it.", tags=("a",))
    mine = change_fields(fields, description="As the second editor wants it.")
    response = send(admin, change_url(tool), mine)
    assert "Somebody else saved this" in errors_of(response)["__all__"][0]
    assert Tool.objects.get().description == "As the first editor left it."
    assert dict(read_form(response, "tool"))["description"] == "As the second editor wants it."
    page = response.content.decode()
    assert "Last saved by tests" in page
    assert "<del>As the first editor left it.</del>" in page
    assert "<ins>As the second editor wants it.</ins>" in page
    assert "<ins>b</ins>" in page, "what the other took away is shown too"


def test_conflict__saved_again_knowingly__is_taken(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "First.")
    fields = read_form(admin.get(change_url(tool)), "tool")
    edit_tool(tool, description="Theirs.")
    refused = send(admin, change_url(tool), change_fields(fields, description="Mine."))
    assert send(admin, change_url(tool), read_form(refused, "tool")).status_code == 302
    assert Tool.objects.get().description == "Mine."


def test_conflict__in_the_rows_of_a_group__shown_as_sentences(admin: Client, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("订单"))
    fields = read_form(admin.get(change_url(group)), "toolgroup")
    edit_group(group, matchers=(says("订单"), says("物流")))
    response = send(admin, change_url(group), change_fields(fields, matchers__0__text="快递"))
    page = response.content.decode()
    assert "<del>Set 1: the last user message contains any of 物流</del>" in page
    assert "<ins>Set 1: the last user message contains any of 快递</ins>" in page
    assert ToolGroup.objects.get().matchers.count() == 2


def test_conflict__profile_without_revisions__told_too(admin: Client, tenant: Tenant) -> None:
    profile = make_profile(tenant, "bot", max_tools=10)
    fields = read_form(admin.get(change_url(profile)), "agentprofile")
    edit_profile(profile, max_tools=20)
    response = send(admin, change_url(profile), change_fields(fields, max_tools="30"))
    assert "Somebody else saved this" in errors_of(response)["__all__"][0]


def test_conflict__over_a_grant__told_and_then_taken(admin: Client, tenant: Tenant) -> None:
    make_tool(None, "clock", category="time")
    given = grant(tenant, "clock", note="As it was.")
    fields = read_form(admin.get(change_url(given)), "grant")
    Grant.objects.update(note="Theirs.")
    refused = send(admin, change_url(given), change_fields(fields, target="category", category=["time"], note="Mine."))
    assert "Somebody else saved this" in errors_of(refused)["__all__"][0]
    page = refused.content.decode()
    assert "<del>Theirs.</del>" in page
    assert "<ins>Mine.</ins>" in page
    assert send(admin, change_url(given), read_form(refused, "grant")).status_code == 302
    taken = Grant.objects.get()
    assert (taken.note, taken.tool, taken.category and taken.category.slug) == ("Mine.", None, "time")


@pytest.mark.parametrize(("model", "kind"), [(Category, "category"), (Tag, "tag")])
def test_conflict__over_a_label__told(admin: Client, tenant: Tenant, model: Any, kind: str) -> None:
    label = save_label(model, tenant, LabelDocument("orders", "Orders"))
    fields = read_form(admin.get(change_url(label)), kind)
    model.objects.update(title="Theirs")
    refused = send(admin, change_url(label), change_fields(fields, title="Mine"))
    assert "Somebody else saved this" in errors_of(refused)["__all__"][0]
    assert model.objects.get().title == "Theirs"


def test_conflict__over_a_tenants_settings__told(admin: Client, tenant: Tenant) -> None:
    fields = read_form(admin.get(change_url(tenant)), "tenant")
    set_tenant(tenant, text_policy="full")
    refused = send(admin, change_url(tenant), change_fields(fields, title="Mine"))
    assert "Somebody else saved this" in errors_of(refused)["__all__"][0]
    assert Tenant.objects.get().title != "Mine"


def test_conflict__deleted_in_the_meantime__is_not_made_again(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order")
    fields = read_form(admin.get(change_url(tool)), "tool")
    Tool.objects.all().delete()
    assert send(admin, change_url(tool), fields).status_code == 302
    assert not Tool.objects.exists()


def test_save__without_a_stamp__is_refused(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "First.")
    fields = read_form(admin.get(change_url(tool)), "tool")
    assert "__all__" in errors_of(send(admin, change_url(tool), change_fields(fields, stamp=None)))
