"""The page of callbacks, and what is said of tools that nobody can run."""

from __future__ import annotations

from django.test import Client

from tests.support import make_tool
from toolcatalog.models import Tenant, Tool

from .conftest import log_in
from .pages import change_url

CALLBACKS = "/admin/callbacks/"


def _strand(tool: Tool) -> Tool:
    Tool.objects.filter(pk=tool.pk).update(execution="callback", callback="gone.function")
    tool.refresh_from_db()
    return tool


def test_callbacks__function_that_is_gone__is_told_on_every_page(admin: Client, tenant: Tenant) -> None:
    tool = _strand(make_tool(tenant, "get_order", "Says where an order is."))
    (line,) = [line for line in admin.get(CALLBACKS).context["lines"] if line.name == "gone.function"]
    assert (line.state, line.colour, line.tools) == ("Not installed here", "danger", (tool,))
    assert "cannot: 1." in admin.get("/admin/").content.decode()
    assert "the function for that is not installed" in admin.get(change_url(tool)).content.decode()


def test_callbacks__tool_that_its_caller_runs__is_no_concern(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    assert "the function for that is not installed" not in admin.get(change_url(tool)).content.decode()
    assert "should run and cannot" not in admin.get("/admin/").content.decode()


def test_callbacks__draft__waits_for_nobody(admin: Client, tenant: Tenant) -> None:
    _strand(make_tool(tenant, "get_order", "Says where an order is.", status="draft"))
    assert "should run and cannot" not in admin.get("/admin/").content.decode()


def test_callbacks__need_the_right_to_see_tools(tenant: Tenant) -> None:
    assert log_in("view_grant").get(CALLBACKS).status_code == 403
