"""B3: what an answer costs in queries does not grow with the catalog."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support import (
    OPENAI_CHAT,
    edit_profile,
    fact,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    resolve,
    row,
    says,
    search,
)
from toolcatalog.models import AgentProfile, Tenant

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 6
CONVERSATION = [OPENAI_CHAT.user("?"), *OPENAI_CHAT.search("image_0001", "image_0002")]
REQUESTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "matching": {"message": "image", "attributes": {"staff": True}},
    "session": {"session_id": "s"},
    "search in messages": {"messages": CONVERSATION},
    "active tools": {"active_tools": tuple(f"image_{number:04}" for number in range(9))},
    "explained": {"message": "image", "explain": True},
    "unchanged": {"if_digest": "sha256:0"},
}


def count_queries(ask: Any) -> int:
    """The queries of one warm call, those that begin and end a transaction among them."""
    ask()
    with CaptureQueriesContext(connection) as captured:
        ask()
    return len(captured)


def fill(tools: int) -> Tenant:
    tenant = make_tenant()
    make_many_tools(tenant, [f"image_{number:04}" for number in range(tools)])
    make_group(tenant, "g", ["image_0000", "image_0001"], says("image"), row("message", "matches_regex", "im.ge"))
    make_group(tenant, "staff", ["image_0002"], fact("staff", "is_true"))
    make_profile(tenant, resident_tools=("image_0003",))
    search(tenant, "image", session_id="s")
    return tenant


def count_all(tenant: Tenant) -> dict[str, int]:
    counts = {name: count_queries(lambda fields=fields: resolve(tenant, **fields)) for name, fields in REQUESTS.items()}
    counts["search"] = count_queries(lambda: search(tenant, "image"))
    counts["search in a session"] = count_queries(lambda: search(tenant, "image", session_id="s"))
    edit_profile(AgentProfile.objects.get(tenant=tenant), search={"prefer_used": True})
    counts["search that prefers used tools"] = count_queries(lambda: search(tenant, "image"))
    return counts


def rel_B3_queries__are_few_and_the_same_at_10_and_at_1000_tools() -> None:
    few, many = (count_all(fill(tools)) for tools in (10, 1000))
    assert few == many
    resolves = {name: count for name, count in few.items() if name in REQUESTS}
    assert max(resolves.values()) <= MOST
    assert few["plain"] < few["session"]
    assert few["search that prefers used tools"] == few["search"] + 1


@pytest.mark.slow
def rel_B3_queries__are_the_same_at_10000_tools() -> None:
    assert count_all(fill(10)) == count_all(fill(10_000))
