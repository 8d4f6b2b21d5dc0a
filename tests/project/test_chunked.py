"""A body that comes in chunks, without a length, is read like any other."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.test import RequestFactory

from project.wsgi import application
from tests.support import make_key, make_tenant

pytestmark = pytest.mark.django_db(transaction=True)


def send(path: str, body: bytes, key: str, **environ: Any) -> tuple[str, bytes]:
    """(status line, body) of the answer to a request as a server hands it over."""
    request = RequestFactory().generic("POST", f"/api/v1{path}", b"")
    known = {**request.environ, "CONTENT_TYPE": "application/json"}
    asked = {**known, "wsgi.input": io.BytesIO(body), "HTTP_AUTHORIZATION": f"Bearer {key}", **environ}
    if "CONTENT_LENGTH" not in environ:
        asked.pop("CONTENT_LENGTH", None)
    said: list[str] = []
    answer = b"".join(application(asked, lambda status, _headers, *_: said.append(status)))
    return said[0], answer


@pytest.mark.parametrize("coding", ["chunked", "Chunked"])
def test_chunked_body__is_read(coding: str) -> None:
    key = make_key(make_tenant("acme"), "resolve").secret
    chunked = {"HTTP_TRANSFER_ENCODING": coding, "wsgi.input_terminated": True}
    status, answer = send("/resolve", b'{"prompt": "x"}', key, **chunked)
    assert status.startswith("200"), answer
    assert json.loads(answer)["request"]["messages"] == [{"role": "user", "content": "x"}]


def rel_T23_chunked_body_beyond_the_limit__413() -> None:
    key = make_key(make_tenant("acme"), "resolve").secret
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    status, _ = send("/search", b'{"query": "' + b"x" * 1024 * 1024 + b'"}', key, **chunked)
    assert status.startswith("413")


def rel_T23_body_beyond_the_limit__is_read_to_its_end() -> None:
    """What is left unread makes servers close the connection, with the next request on it."""
    key = make_key(make_tenant("acme"), "resolve").secret
    body = io.BytesIO(b'{"query": "' + b"x" * 5 * 1024 * 1024 + b'"}')
    length = str(len(body.getvalue()))
    status, _ = send("/search", b"", key, **{"wsgi.input": body, "CONTENT_LENGTH": length})
    assert status.startswith("413")
    assert body.read() == b""


def test_chunked_body__server_does_not_end_it__nothing_is_read() -> None:
    """Reading on would wait for the client's next request."""
    key = make_key(make_tenant("acme"), "resolve").secret
    status, _ = send("/resolve", b'{"prompt": "x"}', key, HTTP_TRANSFER_ENCODING="chunked")
    assert status.startswith("422")
