"""What auditors ask: what is active in a conversation (X06), and what was shown on one day, among many rows (A03)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from tests.support import make_group, make_profile, make_tenant, make_tool, resolve, search, take_time
from toolcatalog.auditing import exposures_of
from toolcatalog.models import Exposure, Tenant

from .conftest import Api, MakeApi

pytestmark = pytest.mark.django_db

ROWS = 60_000
TENANTS = 20
FIRST_ID = 900_000_000
FILL = """
INSERT INTO toolcatalog_exposure_content (sha256, tenant_id, body)
SELECT sha256(body), %(tenant)s, body FROM (SELECT convert_to(%(body)s, 'UTF8') AS body) AS made
ON CONFLICT DO NOTHING;
INSERT INTO toolcatalog_exposure
       (id, at, kind, outcome, tenant_id, request_id, catalog_revision, resolver_version, snapshot_sha256)
SELECT gen_random_uuid(),
       timestamptz '2026-01-01 00:00:00+00' + number * (interval '181 days' / %(rows)s),
       'resolve', 'resolved', CASE WHEN number %% %(tenants)s = 0 THEN %(tenant)s ELSE %(first)s + number %% %(tenants)s END,
       'r', 1, 1, sha256(convert_to(%(body)s, 'UTF8'))
  FROM generate_series(0, %(rows)s - 1) AS number
"""  # noqa: E501  # one statement as it is read


def read(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


# X06


def case_X06_current_snapshot_of_a_conversation__lists_its_tools_with_where_they_came_from(make_api: MakeApi) -> None:
    tenant = make_tenant()
    for name in ("clock", "get_order", "weather", "ferry"):
        make_tool(tenant, name, f"Does {name}")
    make_profile(tenant, resident_tools=("clock",))
    make_group(tenant, "orders", ["get_order"])
    agent, auditor = make_api(tenant, "resolve"), make_api(tenant, "audit")
    own = {"name": "boat", "description": "Books a boat"}
    assert agent.put("/sessions/s/tools", {"tools": [own]}).status_code == 200
    resolve(tenant, conversation_id="c-1")
    search(tenant, "boat weather", session_id="s", max_results=2)
    caller = {"name": "callers", "parameters": {"type": "object", "properties": {}}}
    resolve(tenant, conversation_id="c-1", session_id="s", tools=[caller])
    resolve(tenant, conversation_id="c-2")

    (row,) = read(auditor.get("/exposures?conversation_id=c-1&kind=resolve&page_size=1"))["results"]
    shown = read(auditor.get(f"/exposures/{row['id']}"))["snapshot"]["tools"]
    assert {tool["name"]: (tool["reasons"], tool["groups"]) for tool in shown} == {
        "callers": (["CALLER"], []),
        "clock": (["RESIDENT"], []),
        "get_order": (["TARGETING_MATCH"], ["orders"]),
        "toolSearch": (["ENTRY"], []),
        "boat": (["SESSION", "SEARCH_HIT"], []),
        "weather": (["SEARCH_HIT"], []),
    }
    assert all(tool["definition"] for tool in shown)


# A03


def write_row(tenant: Tenant, at: str, request_id: str) -> None:
    """An exposure at a moment that the test chooses."""
    original = Exposure.objects.get(pk=resolve(tenant).snapshot.id)
    Exposure.objects.create(
        at=datetime.fromisoformat(at),
        kind="resolve",
        outcome="resolved",
        tenant_id=tenant.pk,
        request_id=request_id,
        catalog_revision=1,
        resolver_version=1,
        snapshot_sha256=original.snapshot_sha256,
    )


BOUNDARIES = {
    "14th, last moment": "2026-06-14T23:59:59.999999+08:00",
    "15th, first moment": "2026-06-15T00:00:00+08:00",
    "15th, noon": "2026-06-15T12:00:00+08:00",
    "15th, last moment": "2026-06-15T23:59:59.999999+08:00",
    "16th, first moment": "2026-06-16T00:00:00+08:00",
}
THE_15TH = ["15th, last moment", "15th, noon", "15th, first moment"]


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "UTC"])
def case_A03_one_day__has_its_boundaries_where_the_offset_says(make_api: MakeApi, zone: str) -> None:
    """Whatever the server's own zone is; a time without an offset is of the server's zone."""
    tenant = make_tenant()
    for name, at in BOUNDARIES.items():
        write_row(tenant, at, name)
    auditor = make_api(tenant, "audit")
    with override_settings(TIME_ZONE=zone), timezone.override(zone):
        queries = ["since=2026-06-15T00:00:00%2B08:00&until=2026-06-16T00:00:00%2B08:00"]
        queries += ["since=2026-06-15T00:00:00+08:00&until=2026-06-16T00:00:00.000+0800"]
        queries += ["since=2026-06-14T16:00:00Z&until=2026-06-15T16:00:00Z"]
        if zone == "Asia/Shanghai":
            queries += ["since=2026-06-15T00:00:00&until=2026-06-16T00:00:00", "since=2026-06-15&until=2026-06-16"]
        for query in queries:
            rows = read(auditor.get(f"/exposures?{query}"))["results"]
            assert [row["request_id"] for row in rows] == THE_15TH, query
            assert rows[0]["at"] == "2026-06-15T15:59:59.999999Z"


def fill(tenant: Tenant, rows: int) -> None:
    """Half a year of exposures, spread evenly; every twentieth is the tenant's."""
    body = json.dumps({"kind": "resolve", "tenant": tenant.slug, "tools": [], "groups": []})
    values: dict[str, Any] = {"tenant": tenant.pk, "body": body, "rows": rows, "tenants": TENANTS, "first": FIRST_ID}
    with connection.cursor() as cursor:
        for statement in FILL.split(";"):
            cursor.execute(statement, values)


def case_A03_half_a_year_of_rows__one_tenants_day_is_read_by_the_index(make_api: MakeApi) -> None:
    """No more rows are read than are shown, however many there are."""
    tenant = make_tenant()
    take_time()
    fill(tenant, ROWS)
    day = exposures_of(tenant.pk).filter(at__gte="2026-03-10T16:00:00Z", at__lt="2026-03-11T16:00:00Z")
    expected = ROWS // 181 // TENANTS
    assert abs(day.count() - expected) <= 1
    plan = json.loads(day[:51].explain(format="json", analyze=True))
    nodes = list(walk(plan[0]["Plan"]))
    scans = [node for node in nodes if "Relation Name" in node]
    assert scans
    for node in scans:
        assert node["Node Type"] in ("Index Scan", "Index Only Scan", "Bitmap Heap Scan"), node
        assert node["Actual Rows"] <= 51
        assert node.get("Rows Removed by Filter", 0) == 0
    answer = make_api(tenant, "audit").get("/exposures?since=2026-03-10T16:00:00Z&until=2026-03-11T16:00:00Z")
    assert len(read(answer)["results"]) == day.count()


def walk(node: dict[str, Any]) -> Any:
    """A plan's nodes, each before those below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def case_A03_pages_of_one_day__hold_each_row_once(make_api: MakeApi) -> None:
    tenant = make_tenant()
    take_time()
    fill(tenant, 181 * TENANTS * 12)
    seen = _read_all(make_api(tenant, "audit"), "/exposures?since=2026-03-10&until=2026-03-11&page_size=5")
    assert len(seen) == len(set(seen)) == 12


def _read_all(auditor: Api, path: str | None) -> list[str]:
    seen: list[str] = []
    while path is not None:
        page = read(auditor.get(path))
        seen += [row["id"] for row in page["results"]]
        path = page["next"] and page["next"].partition("/api/v1")[2]
    return seen
