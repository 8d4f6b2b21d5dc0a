"""What is raised: the catalog's own words, and never the key."""

from __future__ import annotations

import pytest

from toolcatalog.client import (
    AsyncToolCatalogClient,
    InvalidRequest,
    NotAuthenticated,
    ToolCatalogAPIError,
    ToolCatalogClient,
    ToolCatalogError,
    UnreadableAnswer,
)
from toolcatalog.client.errors import ERRORS_BY_STATUS

from .conftest import SECRET
from .servers import PROBLEM, Answer, Server, problem


def test_problem__with_findings__is_told_whole(server: Server, client: ToolCatalogClient) -> None:
    finding = {"path": "messages[0].role", "code": "unknown_role", "message": "is not one of …"}
    body = {"status": 422, "code": "invalid", "detail": "Mend it.", "request_id": "r-1", "errors": [finding]}
    server.script(Answer(422, body, PROBLEM))
    with pytest.raises(InvalidRequest) as caught:
        client.resolve(messages=[])
    error = caught.value
    assert (error.status, error.code, error.detail, error.request_id) == (422, "invalid", "Mend it.", "r-1")
    assert [(f.path, f.code, f.message) for f in error.errors] == [tuple(finding.values())]
    assert str(error) == "422 invalid: Mend it."


@pytest.mark.parametrize("status", sorted(ERRORS_BY_STATUS.keys() - {429, 503}))
def test_problem__each_status__has_its_class(server: Server, client: ToolCatalogClient, status: int) -> None:
    server.script(problem(status, "some_code"))
    with pytest.raises(ERRORS_BY_STATUS[status]):
        client.execute("sum")


def test_problem__status_without_a_class__is_the_common_one(server: Server, client: ToolCatalogClient) -> None:
    server.script(problem(418, "teapot"))
    with pytest.raises(ToolCatalogAPIError) as caught:
        client.resolve(prompt="x")
    assert caught.value.code == "teapot"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>", "text/html"),
        Answer(200, b"[]"),
        Answer(200, b'{"snapshot": null}'),
        Answer(200, b"\xff"),
        Answer(301, b"", headers={"Location": "/login"}),
        Answer(404, b"not here", "text/plain"),
        Answer(500, b"[1]", PROBLEM),
    ],
    ids=lambda answer: str(answer.body),
)
def test_answer__is_not_the_catalogs__says_so(server: Server, client: ToolCatalogClient, answer: Answer) -> None:
    server.script(answer)
    with pytest.raises(UnreadableAnswer) as caught:
        client.resolve(prompt="x")
    assert caught.value.status == answer.status
    assert len(server.received) == 1


def test_redirect__to_anywhere__is_not_followed_with_the_key(server: Server, client: ToolCatalogClient) -> None:
    server.script(Answer(307, b"", headers={"Location": f"{server.url}/elsewhere"}))
    with pytest.raises(UnreadableAnswer):
        client.resolve(prompt="x")
    assert server.paths == ["/api/v1/resolve"]


def test_key__whatever_goes_wrong__is_in_no_text(server: Server, client: ToolCatalogClient) -> None:
    server.script(problem(401, "not_authenticated"))
    with pytest.raises(NotAuthenticated) as caught:
        client.resolve(prompt="x")
    assert server.received[0].headers["authorization"] == f"Bearer {SECRET}"
    assert (
        SECRET
        not in f"{caught.value!r}{caught.value}{client!r}{client._core!r}{AsyncToolCatalogClient('http://a', SECRET)!r}"
    )


@pytest.mark.parametrize("url", ["catalog.example.com", "", "ftp://a", "http://"])
def test_client__address_that_is_none__is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is not an address"):
        ToolCatalogClient(url, SECRET)


@pytest.mark.parametrize("key", ["", "  ", "schlüssel", "a\nb"])
def test_client__key_that_no_header_can_hold__is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ValueError, match="API key") as caught:
        ToolCatalogClient("http://a", key)
    assert not key.strip() or key not in str(caught.value)


@pytest.mark.parametrize("suffix", ["", "/", "/api/v1", "/api/v1/"])
def test_client__address_with_or_without_base_path__is_the_same(server: Server, suffix: str) -> None:
    server.script(problem(404, "unknown_tool"))
    with ToolCatalogClient(f"{server.url}{suffix}", SECRET) as client, pytest.raises(ToolCatalogError):
        client.execute("todoist/find tasks?")
    assert server.paths == ["/api/v1/tools/todoist/find%20tasks%3F/execute"]


@pytest.mark.parametrize("name", ["", "../resolve", "a//b", ".", "a/..", "/a", "a/"])
def test_execute__name_that_leads_elsewhere__is_refused(server: Server, client: ToolCatalogClient, name: str) -> None:
    with pytest.raises(ValueError, match="is not a tool's name"):
        client.execute(name)
    assert server.received == []


def test_forget_session__id_with_slashes__is_one_segment(server: Server, client: ToolCatalogClient) -> None:
    server.script(Answer(204))
    client.forget_session("a/../b?c")
    assert server.paths == ["/api/v1/sessions/a%2F..%2Fb%3Fc"]
