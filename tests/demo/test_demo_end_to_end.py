"""The demo catalog in a database: every sample request and search is answered as the demo promises."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.support import resolve, search, take_time
from toolcatalog.contract.reasons import Reason
from toolcatalog.demo import SampleRequest, SampleSearch, load_sample_requests, load_sample_searches
from toolcatalog.demo.loading import load_demo
from toolcatalog.models import Tenant

SUNDAY_NIGHT = datetime(2026, 3, 8, 15, 0, tzinfo=UTC)

REQUESTS = load_sample_requests()

SEARCHES = [
    pytest.param(sample, tenant, id=f"{tenant}:{sample.query}")
    for sample in load_sample_searches()
    for tenant in sample.first
]


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Tenant]]:
    """The demo's tenants by slug. Everything is loaded once, and taken back after the last test."""
    with django_db_blocker.unblock(), transaction.atomic():
        take_time()
        load_demo()
        yield {tenant.slug: tenant for tenant in Tenant.objects.all()}
        transaction.set_rollback(True)


def context_of(sample: SampleRequest | SampleSearch) -> dict[str, Any]:
    fields: dict[str, Any] = dict(sample.context)
    if sample.profile is not None:
        fields["profile"] = sample.profile
    return fields


@pytest.mark.parametrize("sample", REQUESTS, ids=lambda sample: sample.id)
def b_G19_sample_request__resolved__is_answered_as_promised(demo: dict[str, Tenant], sample: SampleRequest) -> None:
    with time_machine.travel(sample.at or SUNDAY_NIGHT, tick=False):
        answer = resolve(demo[sample.tenant], sample.message, groups=sample.groups, **context_of(sample))
    assert tuple(group.name for group in answer.groups if group.matched) == sample.matched
    assert set(sample.tools_in) <= set(answer.tool_names)
    assert set(sample.tools_out).isdisjoint(answer.tool_names)
    lost = {omission.name for omission in answer.omitted if omission.reason is Reason.NOT_EXPORTABLE}
    assert not lost


@pytest.mark.parametrize(("sample", "tenant"), SEARCHES)
def b_S1_sample_search__searched__is_answered_as_promised(
    demo: dict[str, Tenant], sample: SampleSearch, tenant: str
) -> None:
    answer = search(demo[tenant], sample.query, category=sample.category, **context_of(sample))
    assert set(sample.absent).isdisjoint(answer.names)
    promised = sample.first[tenant]
    if promised is not None:
        assert set(answer.names[: len(promised)]) == set(promised)
        assert answer.names or not promised
    if promised == ():
        assert (answer.names, answer.outcome) == ((), "no_match")
