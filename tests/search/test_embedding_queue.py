"""Tools that are saved or removed while an embedder works on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from threading import Thread

import pytest
from django.db import connections
from django.test import override_settings

from tests.search.builders import tool
from tests.search.immediate import need_vectors
from tests.search.test_semantic import Words
from tests.support.waiting import wait_until
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.models.search import EmbeddingJob
from toolcatalog.search.embedding import describe_tool
from toolcatalog.search.providers.semantic import HybridProvider, work_off
from toolcatalog.search.providers.semantic.vectors import read_digests
from toolcatalog.search.providers.semantic.worker import BACKGROUND

VERSION = "words-1/text-1"


class Interrupted(Words):
    """An embedder during whose first work something else happens, as another process would do it."""

    def __init__(self, event: Callable[[], object]) -> None:
        self._events = [event]
        self.failures: list[Exception] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors, once the other one is done."""
        while self._events:
            other = Thread(target=self._run, args=(self._events.pop(),))
            other.start()
            other.join()
        return super().embed(texts)

    def _run(self, event: Callable[[], object]) -> None:
        try:
            event()
        except Exception as error:
            self.failures.append(error)
        finally:
            connections.close_all()


@pytest.fixture(autouse=True)
def no_thread_of_our_own(transactional_db: None) -> Iterator[None]:
    """The queue is worked off by the tests alone: there is no embedder for the thread that saving wakes."""
    with override_settings(SEMANTIC_EMBEDDER=""):
        yield
        wait_until(lambda: not BACKGROUND.is_busy)


@pytest.fixture
def lamp() -> SearchDocument:
    need_vectors()
    document = tool("lamp", "Lights a lamp")
    HybridProvider().save(document)
    return document


def digest(document: SearchDocument) -> bytes:
    return sha256(describe_tool(document).encode()).digest()


@pytest.mark.django_db(transaction=True)
def case_S28_a_tool_saved_while_it_is_embedded__the_save_goes_through_and_the_newer_text_wins(
    lamp: SearchDocument,
) -> None:
    newer = replace(lamp, description="Puts a lamp out")
    embedder = Interrupted(lambda: HybridProvider().save(newer))
    assert work_off(embedder) == 1
    assert embedder.failures == []
    assert read_digests(VERSION, [lamp.tool_id]) == {lamp.tool_id: digest(newer)}
    assert not EmbeddingJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def case_S28_a_tool_removed_while_it_is_embedded__no_vector_stays(lamp: SearchDocument) -> None:
    embedder = Interrupted(lambda: HybridProvider().remove(lamp.tool_id))
    assert work_off(embedder) == 0
    assert embedder.failures == []
    assert read_digests(VERSION, [lamp.tool_id]) == {}
    assert not EmbeddingJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def case_S28_what_one_process_embeds_no_other_takes(lamp: SearchDocument) -> None:
    made: list[int] = []
    embedder = Interrupted(lambda: made.append(work_off(Words())))
    assert work_off(embedder) == 1
    assert (made, embedder.failures) == ([0], [])
    assert read_digests(VERSION, [lamp.tool_id]) == {lamp.tool_id: digest(lamp)}
