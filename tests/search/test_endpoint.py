"""The embeddings endpoint, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from django.test import override_settings

from tests.support.waiting import PATIENCE
from toolcatalog.search.checks import check_search
from toolcatalog.search.embedding import EmbeddingFailed, active_embedder, embed_texts
from toolcatalog.search.embedding.endpoint import EmbeddingsEndpoint


class Server(ThreadingHTTPServer):
    """Answers with what it is told to, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 200
        self.answer: Any = None
        self.asked: list[tuple[str, str | None, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        rows = [{"index": number, "embedding": [float(len(text)), 1.0]} for number, text in enumerate(body["input"])]
        answer = {"data": rows[::-1]} if self.server.answer is None else self.server.answer
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield running
        running.shutdown()


def test_endpoint__two_texts__asked_at_once_and_answered_in_order(server: Server) -> None:
    endpoint = EmbeddingsEndpoint(server.url, "small", "s3cret", PATIENCE)
    assert endpoint.embed(["abc", "a"]) == [[3.0, 1.0], [1.0, 1.0]]
    assert server.asked == [("/v1/embeddings", "Bearer s3cret", {"model": "small", "input": ["abc", "a"]})]
    assert endpoint.model == "small@127.0.0.1"


def test_endpoint__many_texts__in_batches(server: Server) -> None:
    assert len(EmbeddingsEndpoint(server.url, "small", timeout_seconds=PATIENCE).embed(["text"] * 130)) == 130
    assert [len(body["input"]) for _, _, body in server.asked] == [64, 64, 2]


@pytest.mark.parametrize(
    ("status", "answer", "word"),
    [
        (500, None, "500"),
        (401, None, "401"),
        (200, b"<html>", "list of embeddings"),
        (200, {"data": [{"index": 0, "embedding": None}]}, "list of embeddings"),
        (200, {"data": [{"index": 0, "embedding": []}]}, "empty"),
        (200, {"data": []}, "0 vectors"),
        (200, b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}', "no number|list of embeddings"),
    ],
)
def case_S28_an_endpoint_that_fails_is_told_in_words(server: Server, status: int, answer: Any, word: str) -> None:
    server.status, server.answer = status, answer
    with pytest.raises(EmbeddingFailed, match=word) as failure:
        embed_texts(EmbeddingsEndpoint(server.url, "small", "s3cret", PATIENCE), ["text"])
    assert "s3cret" not in failure.value.detail


def case_S28_an_endpoint_that_is_not_there_is_told_in_words() -> None:
    with pytest.raises(EmbeddingFailed, match="cannot be reached"):
        EmbeddingsEndpoint("http://127.0.0.1:9/v1", "small", timeout_seconds=PATIENCE).embed(["text"])


def test_embedder__openai_in_the_settings__the_endpoint(server: Server) -> None:
    with override_settings(SEMANTIC_EMBEDDER="openai", EMBEDDINGS_URL=server.url, EMBEDDINGS_MODEL="small"):
        assert active_embedder().model == "small@127.0.0.1"
        assert check_search() == []


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"SEMANTIC_EMBEDDER": "openai"}, "EMBEDDINGS_URL"), ({"SEMANTIC_EMBEDDER": "elastic"}, "openai, use")],
)
def test_embedder__settings_that_make_no_sense__a_warning_at_start(settings: dict[str, str], word: str) -> None:
    with override_settings(**settings):
        assert word in check_search()[0].msg


def test_embedder__off__no_warning() -> None:
    with override_settings(SEMANTIC_EMBEDDER=""):
        assert check_search() == []
