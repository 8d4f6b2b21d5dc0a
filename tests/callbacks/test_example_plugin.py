"""The example package, as a newcomer installs it: what it offers is found, works, and makes tools."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support import make_group, make_profile, make_tenant, make_tool, resolve
from toolcatalog.callbacks import CallbackResult, CallContext, callback_problems, registered_callbacks, run_callback
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.curation import Author, lint_tool, sync_callbacks
from toolcatalog.matchers import apply_enrichers, plugin_problems
from toolcatalog.models import Tool

CONTEXT = CallContext(tenant="crane-freight", account_id="a-1", attributes={"city": "Hangzhou"})
NAMES = {"add_working_days", "convert_amount", "parcel_price", "pickup_slots", "plan_stops"}


def run(name: str, **arguments: Any) -> CallbackResult:
    return run_callback(f"fenghe.{name}", arguments, CONTEXT)


def test_example__installed__is_found_without_problems() -> None:
    assert {f"fenghe.{name}" for name in NAMES} <= set(registered_callbacks())
    assert [problem for problem in callback_problems() if "fenghe" in problem] == []
    assert plugin_problems() == ()


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("convert_amount", {"amount": 10.5, "currency": "USD", "to": "JPY"},
         {"amount": "1575", "currency": "JPY", "rate": "150.000000"}),
        ("convert_amount", {"amount": 1, "currency": "EUR"}, {"amount": "7.80", "currency": "CNY", "rate": "7.800000"}),
        ("add_working_days", {"start": "2026-09-30", "days": 1}, "2026-10-08"),
        ("add_working_days", {"start": "2026-03-06", "days": 2, "extra_holidays": ["2026-03-09"]}, "2026-03-11"),
        ("parcel_price", {"weight_kg": 2.5, "zone": "province"}, {"yuan": 16, "charged_kg": 3, "is_bulky": False}),
        ("parcel_price", {"weight_kg": 1, "zone": "city", "size": {"length": 60, "width": 40, "height": 30}},
         {"yuan": 19, "charged_kg": 12, "is_bulky": True}),
        ("pickup_slots", {}, {"city": "hangzhou", "slots": ["10:00", "16:00"], "account": "a-1"}),
        ("plan_stops", {"stops": [{"name": "far", "east": 0, "north": 9}, {"name": "near", "east": 0, "north": 1}]},
         {"order": ["far", "near"], "km": 18.0}),
    ],
)  # fmt: skip
def test_example_callback__called__answers(name: str, arguments: dict[str, Any], value: object) -> None:
    result = run(name, **arguments)
    assert (result.status, result.error_text, result.value) == ("ok", "", value)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add_working_days", {"start": "2026-09-30", "days": 0}),
        ("parcel_price", {"weight_kg": 31, "zone": "city"}),
        ("pickup_slots", {"city": "Atlantis"}),
        ("plan_stops", {"stops": []}),
    ],
)
def test_example_callback__asked_for_what_it_cannot__says_what_to_do(name: str, arguments: dict[str, Any]) -> None:
    result = run(name, **arguments)
    assert (result.status, result.code) == ("error", "tool_error")
    assert result.error_text


@pytest.mark.django_db
def test_example__synced__makes_drafts_without_weaknesses() -> None:
    tenant = make_tenant()
    sync_callbacks(tenant, Author("tests"))
    tools = Tool.objects.filter(owner=tenant, name__in=NAMES)
    assert {tool.name for tool in tools} == NAMES
    assert {warning.code for tool in tools for warning in lint_tool(tool)} == set()


def b_G13_example_enricher__adds_the_level_of_loyal_customers_only() -> None:
    def enrich(account: str | None) -> Any:
        context = EvaluationContext(tenant="maple-mart", now=datetime(2026, 1, 2, tzinfo=UTC), account_id=account)
        enriched, problems = apply_enrichers(context)
        assert problems == ()
        return enriched.attributes

    assert [enrich(account) for account in ("vip-g7", "vip-7", "user-1", None)] == [
        {"loyalty": {"level": "gold"}},
        {"loyalty": {"level": "silver"}},
        {},
        {},
    ]


@pytest.mark.django_db
def b_G13_example_matcher__in_a_group__decides_on_the_message() -> None:
    tenant = make_tenant()
    make_tool(tenant, "track_parcel", "Says where a parcel is.")
    make_group(tenant, "tracking", ["track_parcel"], match="mentions_parcel_number")
    make_profile(tenant, search={"enabled": False})

    assert resolve(tenant, "Where is CF123456784?").tool_names == ("track_parcel",)
    assert resolve(tenant, "包裹cf123456784到哪了").tool_names == ("track_parcel",)
    for message in ("Where is CF123456780?", "Where is my parcel?", "CF1234567840"):
        assert resolve(tenant, message).tool_names == ()
