"""Working off the queue: by the command `embed_tools`, and by a thread of each process that saves tools."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from threading import Event, Lock, Thread
from time import monotonic

import orjson
import structlog
from django.db import DatabaseError, InterfaceError, connection, connections, transaction

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.documents import load_document
from toolcatalog.search.embedding import (
    Embedder,
    EmbeddingFailed,
    active_embedder,
    describe_tool,
    embed_texts,
    vector_version,
)
from toolcatalog.search.providers.postgres.owners import owner_key, read_owner

from .jobs import TakenJobs, finish_jobs, next_due_seconds, put_off, take_jobs
from .vectors import ToolVector, has_vectors, read_digests, read_length, save_vectors

BATCH_SIZE = 16
QUIET_SECONDS = 0.5
"""So long no tool may have been saved before embedding begins, since it would take the processor from the next save."""

LONGEST_WAIT_SECONDS = 5.0
"""So long embedding waits for that at most."""

_READ = "SELECT tool_id, owner_key, name, document FROM toolcatalog_searchentry WHERE tool_id = ANY(%s)"
_log = structlog.get_logger(__name__)


def work_off(embedder: Embedder, among: Collection[int] | None = None) -> int:
    """Embed tools until none is due; answers how many got a vector. Several processes may do so at once.

    `among` narrows it to some tools. No transaction is open while the embedder works; where one text of a batch makes
    it fail, each is tried alone.
    """
    done = 0
    while True:
        taken = take_jobs(BATCH_SIZE, among)
        if not taken.tool_ids:
            return done
        documents = _read_documents(taken.tool_ids)
        with transaction.atomic():
            finish_jobs(taken, set(taken.tool_ids) - {document.tool_id for document in documents})
        done += _embed(embedder, taken, documents)


def _embed(embedder: Embedder, taken: TakenJobs, documents: Sequence[SearchDocument]) -> int:
    version = vector_version(embedder)
    kept = read_digests(version, [document.tool_id for document in documents])
    texts = {document.tool_id: describe_tool(document) for document in documents}
    stale = [each for each in documents if kept.get(each.tool_id) != _digest(texts[each.tool_id])]
    try:
        vectors = embed_texts(embedder, [texts[each.tool_id] for each in stale], length=read_length(version))
    except EmbeddingFailed as error:
        if len(stale) > 1:
            return sum(_embed(embedder, taken, [document]) for document in documents)
        _log.warning("embedding_failed", tools=[each.tool_id for each in stale], detail=error.detail)
        put_off(taken, [each.tool_id for each in stale], error.detail)
        return 0
    made = [
        ToolVector(each.tool_id, owner_key(each.owner_id), _digest(texts[each.tool_id]), vector)
        for each, vector in zip(stale, vectors, strict=True)
    ]
    with transaction.atomic():
        finished = finish_jobs(taken, [document.tool_id for document in documents])
        made = [each for each in made if each.tool_id in finished]
        save_vectors(version, made)
    return len(made)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _read_documents(tool_ids: Sequence[int]) -> list[SearchDocument]:
    with connection.cursor() as cursor:
        cursor.execute(_READ, [list(tool_ids)])
        return [
            load_document(tool_id, read_owner(key), name, orjson.loads(stored))
            for tool_id, key, name, stored in cursor.fetchall()
        ]


class Background:
    """One thread of this process that works off the queue while there is something in it, and then ends."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._woken = Event()
        self._thread: Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether the thread runs."""
        with self._lock:
            return self._thread is not None and self._thread.is_alive()

    def wake(self) -> None:
        """Have the queue looked at soon."""
        with self._lock:
            self._woken.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="embedding", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._await_quiet()
            wait: float | None = None
            try:
                if has_vectors():
                    work_off(active_embedder())
                    wait = next_due_seconds()
            except (EmbeddingFailed, DatabaseError, InterfaceError) as error:
                _log.warning("embedding_stopped", detail=str(error))
            finally:
                connections.close_all()
            if not self._woken.wait(wait if wait is not None else 0.0) and wait is None:
                with self._lock:
                    if not self._woken.is_set():
                        self._thread = None
                        return

    def _await_quiet(self) -> None:
        deadline = monotonic() + LONGEST_WAIT_SECONDS
        self._woken.clear()
        while self._woken.wait(QUIET_SECONDS) and monotonic() < deadline:
            self._woken.clear()


BACKGROUND = Background()


def wake_after_commit() -> None:
    """Have the queue looked at once the current transaction is committed."""
    transaction.on_commit(BACKGROUND.wake)
