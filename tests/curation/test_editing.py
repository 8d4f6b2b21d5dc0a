"""Edits queue up: the second waits for the end of the first, however short the time budget of requests is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.http import HttpResponse
from django.test.client import RequestFactory

from toolcatalog.api.middleware import RequestIdMiddleware
from toolcatalog.curation import editing

LONGER_THAN_A_REQUEST_MAY_WAIT = 0.8  # seconds


def _hold(held: Event, seconds: float) -> None:
    try:
        with editing():
            held.set()
            sleep(seconds)
    finally:
        connections.close_all()


def _limit(milliseconds: int) -> None:
    """The budget of requests, for this transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{milliseconds}ms"])
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{2 * milliseconds}ms"])


@pytest.mark.django_db(transaction=True)
def test_editing__another_edit_takes_its_time__is_waited_for() -> None:
    held = Event()
    with ThreadPoolExecutor(1) as other, transaction.atomic():
        first = other.submit(_hold, held, LONGER_THAN_A_REQUEST_MAY_WAIT)
        assert held.wait(60)
        _limit(200)
        with editing():
            pass
        first.result()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("limit", "wanted"), [("200ms", "3s"), ("1min", "1min"), ("0", "0"), ("3500ms", "3500ms")])
def test_editing__limit_that_is_longer__stays(limit: str, wanted: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [limit])
        with editing():
            cursor.execute("SELECT current_setting('lock_timeout')")
            assert cursor.fetchone() == (wanted,)


def _take_too_long() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '1ms'")
        cursor.execute("SELECT pg_sleep(5)")


@pytest.mark.django_db(transaction=True)
def test_page__database_is_too_busy__503_in_words() -> None:
    middleware = RequestIdMiddleware(lambda _request: HttpResponse())
    with pytest.raises(OperationalError) as busy:
        _take_too_long()
    answer = middleware.process_exception(RequestFactory().get("/admin/"), busy.value)
    assert answer is not None
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert "too busy" in answer.content.decode()
    assert middleware.process_exception(RequestFactory().get("/admin/"), ValueError("ours")) is None
