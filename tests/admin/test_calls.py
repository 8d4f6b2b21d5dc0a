"""The pages of calls and of usage: what was called, how it ended, and what searches did not find."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support import make_group, make_profile, make_tenant, make_tool, resolve, says, search, set_tenant
from toolcatalog.auditing import CallEntry, CallOutcome, end_calls, start_calls
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.models import Call, Exposure, Tenant, Tool
from toolcatalog.selectors import read_tenant

from .conftest import log_in
from .pages import change_url, list_url

USAGE = "/admin/usage/"


def _call(tenant: Tenant, tool: Tool | None, end: CallOutcome | None = None, **parts: Any) -> Call:
    name = parts.pop("name", tool.name if tool else "made_up")
    entry = CallEntry(
        door="tool_calls",
        tenant=read_tenant(tenant.pk),
        api_key_id=None,
        profile_id=None,
        request_id="r",
        context=EvaluationContext(tenant.slug, timezone.now(), account_id=parts.pop("account", "user-1001")),
        call_id="c1",
        name=name,
        exported_name=name,
        is_known=tool is not None,
        tool_id=tool.pk if tool else None,
        revision=1 if tool else None,
        **parts,
    )
    (call_id,) = start_calls([entry])
    if end is not None:
        end_calls(entry.tenant, [(call_id, end)])
    return Call.objects.get(pk=call_id)


def _names_in(response: Any) -> list[str]:
    return [row.name for row in response.context["cl"].result_list]


@pytest.fixture
def tool(tenant: Tenant) -> Tool:
    return make_tool(tenant, "get_order", "Says where an order is.")


def test_calls__list__says_what_was_called_and_how_it_ended(admin: Client, tenant: Tenant, tool: Tool) -> None:
    _call(tenant, tool, CallOutcome("ok", 12))
    _call(tenant, tool, CallOutcome("timeout", 30_000, "timeout"))
    _call(tenant, None, CallOutcome("refused", 0, "not_exposed"), name="drop_tables")
    _call(tenant, tool)
    page = admin.get(list_url("call")).content.decode()
    for words in ("Went well", "12 ms", "Took too long", "30.0 s", "Refused", "No end on record", "acme", "user-1001"):
        assert words in page, words
    assert "drop_tables" not in page, "a name that a model made up is kept as a digest"
    assert "a name that is not in the catalog" in page


def test_calls__filters__by_outcome_tool_tenant_account_and_time(admin: Client, tenant: Tenant, tool: Tool) -> None:
    other = make_tenant("globex")
    weather = make_tool(other, "get_weather")
    first = _call(tenant, tool, CallOutcome("ok", 1)).at.date().isoformat()
    last = _call(other, weather, CallOutcome("error", 1, "tool_error"), account="user-2").at.date().isoformat()
    both = ["get_weather", "get_order"]
    for query, names in (
        ({"outcome": "error"}, ["get_weather"]),
        ({"outcome": "unknown"}, []),
        ({"tool": "get_order"}, ["get_order"]),
        ({"tenant": "globex"}, ["get_weather"]),
        ({"tenant": "nobody"}, []),
        ({"account": "user-2"}, ["get_weather"]),
        ({"period": "hour"}, both),
        ({"at_from_0": "2001-01-01", "at_to_0": "2001-01-02"}, []),
        ({"at_from_0": first, "at_from_1": "00:00", "at_to_0": last, "at_to_1": "23:59:59.999999"}, both),
        ({"at_to_0": last}, both),
        ({"at_to_0": "9999-12-31"}, both),
        ({"at_from_0": "yesterday", "at_to_0": "9999-99-99", "at_to_1": "x"}, both),
    ):
        assert _names_in(admin.get(list_url("call"), query)) == names, query


def test_calls__filter_by_group(admin: Client, tenant: Tenant, tool: Tool) -> None:
    _call(tenant, tool, groups=["order"])
    _call(tenant, tool, name="x")
    assert _names_in(admin.get(list_url("call"), {"group": "order"})) == ["get_order"]


def test_calls__more_rows__as_many_queries(admin: Client, tenant: Tenant, tool: Tool) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            admin.get(list_url("call"))
        return len(queries)

    _call(tenant, tool)
    admin.get(list_url("call"))
    few = count()
    for _ in range(20):
        _call(tenant, tool, CallOutcome("ok", 1))
    assert count() == few


def test_call__detail__redacted_arguments_end_and_the_exposure_behind_it(
    admin: Client, tenant: Tenant, tool: Tool
) -> None:
    set_tenant(tenant, text_policy="full")
    make_group(tenant, "order", ["get_order"], says("订单"))
    make_profile(tenant)
    snapshot = resolve(tenant, "订单").snapshot
    call = _call(
        tenant,
        tool,
        CallOutcome("error", 1500, "tool_error"),
        exposure_id=UUID(str(snapshot.id)),
        reasons=("TARGETING_MATCH",),
        groups=("order",),
        arguments={"order": "AF20260001", "password": "hunter2"},
    )
    page = admin.get(change_url(call)).content.decode()
    for words in ("Failed", "1.5 s", "The tool answered with an error.", "AF20260001", "[redacted]", "Group matched"):
        assert words in page, words
    assert "hunter2" not in page
    exposure = Exposure.objects.get()
    assert change_url(exposure) in page
    assert change_url(tool) in page
    behind = admin.get(change_url(exposure)).content.decode()
    assert change_url(call) in behind, "the exposure leads to its calls"


def test_call__arguments_not_kept__says_so(admin: Client, tenant: Tenant, tool: Tool) -> None:
    call = _call(tenant, tool, CallOutcome("ok", 1), arguments={"order": "AF20260001"})
    page = admin.get(change_url(call)).content.decode()
    assert "AF20260001" not in page
    assert "keeps only a digest" in page


def test_calls__nobody_changes_them(admin: Client, tenant: Tenant, tool: Tool) -> None:
    call = _call(tenant, tool)
    assert admin.post(change_url(call), {"name": "x"}).status_code == 200
    assert Call.objects.get().name == "get_order"
    assert admin.get(list_url("call") + "add/").status_code in {302, 403, 404}


def test_usage__counts_shown_found_called_and_failed(admin: Client, tenant: Tenant, tool: Tool) -> None:
    make_group(tenant, "order", ["get_order"], says("订单"))
    make_tool(tenant, "send_email", "Sends an e-mail.")
    make_profile(tenant)
    resolve(tenant, "订单")
    resolve(tenant, "订单")
    resolve(tenant, "hello")
    search(tenant, "send email")
    for end in (CallOutcome("ok", 10), CallOutcome("ok", 20), CallOutcome("error", 30, "tool_error")):
        _call(tenant, tool, end)
    _call(tenant, tool, CallOutcome("refused", 0, "not_exposed"))
    lines = {line.tool.name: line for line in admin.get(USAGE).context["page"].object_list if line.tool}
    order = lines["get_order"].use
    assert (order.shown, order.found, order.called, order.failed, order.refused) == (2, 0, 4, 1, 1)
    assert order.average_ms == 20
    assert (lines["send_email"].use.shown, lines["send_email"].use.found) == (0, 1)


def test_usage__other_tenants_and_earlier_times__are_not_counted(admin: Client, tenant: Tenant, tool: Tool) -> None:
    _call(tenant, tool, CallOutcome("ok", 1))
    make_tenant("globex")
    assert admin.get(USAGE, {"tenant": "acme"}).context["page"].object_list
    assert not admin.get(USAGE, {"tenant": "globex"}).context["page"].object_list
    assert admin.get(USAGE, {"period": "hour", "q": "ORDER"}).context["page"].object_list
    assert not admin.get(USAGE, {"q": "weather"}).context["page"].object_list


def test_usage__searches_that_found_nothing__the_most_frequent_first(admin: Client, tenant: Tenant, tool: Tool) -> None:
    set_tenant(tenant, text_policy="full")
    make_profile(tenant)
    for query in ("quantum teleport", "unicorn breeding", "quantum teleport"):
        search(tenant, query)
    response = admin.get(USAGE)
    said = [(line.search.text, line.search.times, line.search.outcome) for line in response.context["searches"]]
    assert said == [("quantum teleport", 2, "no_match"), ("unicorn breeding", 1, "no_match")]
    assert "query=quantum+teleport" in response.content.decode(), "it can be tried again"


def test_usage__wrong_choices__are_said_beside_the_field(admin: Client, tenant: Tenant) -> None:
    response = admin.get(USAGE, {"period": "century", "page": "x"})
    assert response.status_code == 200
    assert "century" in response.content.decode()
    assert "page" not in response.context or not response.context["page"]
    assert admin.get(USAGE, {"page": "999"}).status_code == 200


def test_usage_and_calls__need_their_rights(tenant: Tenant, tool: Tool) -> None:
    browser = log_in("view_exposure")
    assert browser.get(USAGE).status_code == 403
    assert browser.get(list_url("call")).status_code == 403
    assert "/admin/usage/" not in browser.get(list_url("exposure")).content.decode()
