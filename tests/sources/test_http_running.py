"""Running operations of HTTP APIs: what is sent, and what comes back."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from pytest_django import Settings

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject
from toolcatalog.sources import RunResult, RunStatus, run_http_tool
from toolcatalog.sources.http_binding import (
    BoundBody,
    BoundParameter,
    HttpBinding,
    Place,
    read_binding,
    split_template,
    write_binding,
)
from toolcatalog.sources.http_requests import build_request
from toolcatalog.sources.outbound import OutboundRequest
from toolcatalog.sources.registry import HttpSource

from .conftest import HttpServer

SOURCE = HttpSource("parcels", "https://parcels.example/v1/")


def parameter(name: str, place: str, *, style: str = "", explode: bool | None = None, **fields: Any) -> BoundParameter:
    style = style or ("form" if place in {"query", "cookie"} else "simple")
    exploded = style == "form" if explode is None else explode
    return BoundParameter(fields.pop("argument", name), name, Place(place), style, exploded, **fields)


def request_for(path: str, *parameters: BoundParameter, arguments: JsonObject, **fields: Any) -> OutboundRequest:
    source = fields.pop("source", SOURCE)
    return build_request(source, HttpBinding(fields.pop("method", "get"), path, parameters, **fields), arguments)


# T14


@pytest.mark.parametrize(
    "value",
    [
        "../../admin",
        "..",
        ".",
        "a/b",
        "/",
        "%2f",
        "%2F..%2Fadmin",
        "%252f",
        "%25252fadmin",
        "..%2f..%2fadmin",
        "%2e%2e",
        "%2e%2e%2f",
        "%252e%252e",
        "..\\admin",
        "%5cadmin",
        "a\x00b",
        "a\nb",
        "a%0d%0ab",
        "",
        "\u202e",
        ["..", "x/y"],
        {"..": "/"},
    ],
)
def rel_T14_an_argument_never_leaves_its_part_of_the_path(value: Any) -> None:
    with pytest.raises(InvalidInput):
        request_for("/orders/{id}/items", parameter("id", "path"), arguments={"id": value})


def rel_T14_two_arguments_together_make_no_step_up_either() -> None:
    both = parameter("a", "path"), parameter("b", "path")
    for path, arguments in (("/x/{a}{b}/y", {"a": ".", "b": "."}), ("/x/.{a}/y", {"a": "."})):
        with pytest.raises(InvalidInput):
            request_for(path, *both, arguments=arguments)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("AF20260001", "AF20260001"),
        ("订单 1", "%E8%AE%A2%E5%8D%95%201"),
        ("a?b#c&d=e", "a%3Fb%23c%26d%3De"),
        ("main...dev", "main...dev"),
        ("50%", "50%25"),
        ("a;b:c@d", "a%3Bb%3Ac%40d"),
        (7, "7"),
        (True, "true"),
        (["a", "b"], "a,b"),
        ({"k": "v"}, "k,v"),
    ],
)
def rel_T14_everything_else_is_percent_encoded(value: Any, written: str) -> None:
    sent = request_for("/orders/{id}/items", parameter("id", "path"), arguments={"id": value})
    assert sent.url == f"https://parcels.example/v1/orders/{written}/items"


def rel_T14_a_path_in_the_database_cannot_name_another_host() -> None:
    for path in ("@evil.example/", "evil", "", ".evil.example/x"):
        with pytest.raises(InvalidInput):
            read_binding(write_binding(HttpBinding("get", path)))
    for text in ("/../x", "/a/%2e%2e/b", "/a/./b"):
        with pytest.raises(InvalidInput):
            request_for(text, arguments={})


def case_I03_one_argument_fills_every_place_of_its_name() -> None:
    sent = request_for("/{tenant}/{tenant}/device", parameter("tenant", "path"), arguments={"tenant": "a b"})
    assert sent.url == "https://parcels.example/v1/a%20b/a%20b/device"


# What is sent


@pytest.mark.parametrize(
    ("bound", "value", "query"),
    [
        (parameter("q", "query"), "订 单&x=1", "q=%E8%AE%A2%20%E5%8D%95%26x%3D1"),
        (parameter("q", "query"), ["a", "b c"], "q=a&q=b%20c"),
        (parameter("q", "query", explode=False), ["a", "b"], "q=a%2Cb"),
        (parameter("q", "query", style="spaceDelimited"), ["a", "b"], "q=a%20b"),
        (parameter("q", "query", style="pipeDelimited"), ["a", "b"], "q=a%7Cb"),
        (
            parameter("q", "query", style="deepObject"),
            {"city": "上海", "days": 3},
            "q%5Bcity%5D=%E4%B8%8A%E6%B5%B7&q%5Bdays%5D=3",
        ),
        (parameter("q", "query"), {"a": 1, "b": True}, "a=1&b=true"),
        (parameter("q", "query", explode=False), {"a": 1}, "q=a%2C1"),
        (parameter("q", "query", is_json=True), {"a": [1]}, "q=%7B%22a%22%3A%5B1%5D%7D"),
        (parameter("q", "query"), 1.5, "q=1.5"),
        (parameter("q", "query"), None, ""),
        (parameter("filter[id]", "query", argument="q"), "x", "filter%5Bid%5D=x"),
    ],
)
def test_query__styles__written_as_openapi_says(bound: BoundParameter, value: Any, query: str) -> None:
    sent = request_for("/find", bound, arguments={"q": value, "unknown": "not sent"})
    assert sent.url == "https://parcels.example/v1/find" + (f"?{query}" if query else "")


def test_headers_and_cookies__values__written_as_openapi_says() -> None:
    bound = parameter("X-Trace", "header"), parameter("X-Tags", "header"), parameter("theme", "cookie")
    arguments = {"X-Trace": "abc", "X-Tags": ["a", "b"], "theme": "dark; admin=1"}
    sent = request_for("/find", *bound, arguments=arguments)
    assert sent.headers["x-trace"] == "abc"
    assert sent.headers["x-tags"] == "a,b"
    assert sent.headers["cookie"] == "theme=dark%3B%20admin%3D1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Trace", "a\r\nX-Admin: 1"),
        ("X-Trace", "订单"),
        ("Host", "evil.example"),
        ("Content-Length", "5"),
        ("a b", "c"),
    ],
)
def test_headers__what_would_change_the_request__refused(name: str, value: str) -> None:
    with pytest.raises(InvalidInput):
        request_for("/find", parameter(name, "header"), arguments={name: value})


@pytest.mark.parametrize(
    ("body", "arguments", "sent"),
    [
        (
            BoundBody("application/json", None, (("id_body", "id"), ("n", "n"))),
            {"id_body": "x", "n": None},
            b'{"id":"x","n":null}',
        ),
        (BoundBody("application/json", "body"), {"body": [1, 2]}, b"[1,2]"),
        (BoundBody("application/json", "body"), {}, None),
        (BoundBody("application/json", None, (("a", "a"),)), {}, b"{}"),
        (
            BoundBody("application/x-www-form-urlencoded", None, (("a", "a"), ("b", "b"))),
            {"a": "x y", "b": [1, 2]},
            b"a=x%20y&b=1&b=2",
        ),
        (BoundBody("text/plain", "body"), {"body": "包裹"}, "包裹".encode()),
        (BoundBody("application/octet-stream", "body"), {"body": "AAEC"}, b"\x00\x01\x02"),
    ],
)
def test_body__media_types__encoded(body: BoundBody, arguments: JsonObject, sent: bytes | None) -> None:
    request = request_for("/send", method="post", body=body, arguments=arguments)
    assert request.body == sent
    assert request.headers.get("content-type", "").startswith(body.media_type) is (sent is not None)


def test_body__multipart__texts_and_files() -> None:
    body = BoundBody("multipart/form-data", None, (("name", "name"), ("file", "file")), ("file",))
    request = request_for("/send", method="post", body=body, arguments={"name": 'a"b\r\n', "file": "AAEC"})
    assert request.body is not None
    boundary = request.headers["content-type"].partition("boundary=")[2].encode()
    parts = request.body.split(b"--" + boundary)
    assert parts[1].endswith(b'name="name"\r\n\r\na"b\r\n\r\n')
    assert b'filename="file"\r\n\r\n\x00\x01\x02\r\n' in parts[2]
    with pytest.raises(InvalidInput, match="base64"):
        request_for("/send", method="post", body=body, arguments={"file": "not base64!"})


def test_credentials__of_the_settings__stand_above_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARCELS_TOKEN", "Bearer of the operator")
    monkeypatch.setenv("PARCELS_KEY", "k&1")
    source = HttpSource(
        "parcels", "https://parcels.example", {"Authorization": "PARCELS_TOKEN"}, {"key": "PARCELS_KEY"}
    )
    bound = parameter("authorization", "header"), parameter("key", "query")
    sent = request_for("/find", *bound, source=source, arguments={"authorization": "mine", "key": "mine"})
    assert sent.headers["authorization"] == "Bearer of the operator"
    assert sent.url == "https://parcels.example/find?key=k%261"


def test_binding__written_and_read__is_the_same() -> None:
    body = BoundBody("multipart/form-data", None, (("a", "b"),), ("b",))
    binding = HttpBinding("post", "/x/{y}", (parameter("y", "path"), parameter("q", "query", is_json=True)), body)
    assert read_binding(json.loads(json.dumps(write_binding(binding)))) == binding


@pytest.mark.parametrize(
    "value", [{}, {"method": "get"}, {"method": "connect", "path": "/", "parameters": [], "body": None}]
)
def test_binding__something_else__refused(value: Any) -> None:
    with pytest.raises(InvalidInput):
        read_binding(value)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/a/{b}/c", [("/a/", "b"), ("/c", None)]),
        ("/{a}{b}", [("/", "a"), ("", "b"), ("", None)]),
        ("/a", [("/a", None)]),
        ("/a/{b", [("/a/{b", None)]),
        ("", [("", None)]),
    ],
)
def test_template__parts(path: str, parts: list[tuple[str, str | None]]) -> None:
    assert split_template(path) == parts


# What comes back


@pytest.fixture
def parcels(allowed_server: HttpServer, settings: Settings) -> HttpServer:
    settings.HTTP_SOURCES = {"parcels": {"base_url": f"{allowed_server.origin}/v1"}}
    return allowed_server


def run(path: str = "/orders/{id}", *, arguments: JsonObject | None = None, **fields: Any) -> RunResult:
    binding = write_binding(HttpBinding(fields.pop("method", "get"), path, (parameter("id", "path"),)))
    return run_http_tool("parcels", binding, arguments or {"id": "AF 1"}, **fields)


def test_run__json__value(parcels: HttpServer) -> None:
    answer = run()
    assert (answer.status, answer.value) == (RunStatus.OK, {"ok": True})
    method, path, headers, body = parcels.requests[0]
    assert (method, path, body) == ("GET", "/v1/orders/AF%201", b"")
    assert headers["Host"] == parcels.origin.removeprefix("http://")


@pytest.mark.parametrize(
    ("content_type", "body", "value"),
    [
        ("application/json", b"[1, null]", [1, None]),
        ("application/problem+json; charset=utf-8", b'{"a": 1}', {"a": 1}),
        ("application/json", b"{broken", "{broken"),
        ("application/json", b"", None),
        ("text/plain", "包裹".encode(), "包裹"),
        ("text/plain; charset=gbk", "包裹".encode("gbk"), "包裹"),
        ("text/plain; charset=rot13", b"abc", "abc"),
        ("text/html", b"\xff\x00<p>", "\ufffd\ufffd<p>"),
        ("image/png", b"\x89PNG", {"content_type": "image/png", "bytes": 4, "cut": False}),
    ],
)
def test_run__kinds_of_answers__json_values(parcels: HttpServer, content_type: str, body: bytes, value: Any) -> None:
    parcels.answer = lambda handler: handler.reply(200, body, Content_Type=content_type)
    answer = run()
    assert (answer.status, answer.value) == (RunStatus.OK, value)
    json.dumps(answer.value)


@pytest.mark.parametrize("status", [302, 400, 404, 422, 500, 503])
def test_run__no_success__error_with_status_and_body(parcels: HttpServer, status: int) -> None:
    parcels.answer = lambda handler: handler.reply(
        status, b'{"detail": "no"}', Content_Type="application/json", Location="/elsewhere"
    )
    answer = run()
    assert answer.status is RunStatus.ERROR
    assert isinstance(answer.value, dict)
    assert answer.value["status"] == status
    assert answer.value["body"] == {"detail": "no"}
    assert len(parcels.requests) == 1


def test_run__no_content__null(parcels: HttpServer) -> None:
    parcels.answer = lambda handler: handler.reply(204)
    assert run(method="delete") == RunResult(RunStatus.OK, None)


def test_run__long_answer__cut_with_a_mark(parcels: HttpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    parcels.answer = lambda handler: handler.reply(
        200, b'["' + b"x" * 1_200_000 + b'"]', Content_Type="application/json"
    )
    value = run().value
    assert isinstance(value, str)
    assert value.endswith("[cut: the answer is longer than 1,048,576 bytes]")


def test_run__hostile_argument__nothing_sent(parcels: HttpServer) -> None:
    answer = run(arguments={"id": "../admin"})
    assert (answer.status, answer.sent) == (RunStatus.ERROR, False)
    assert parcels.requests == []


def rel_T31_neither_arguments_nor_credentials_are_logged(
    parcels: HttpServer, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PARCELS_KEY", "key-of-the-operator")
    entry = {"base_url": f"{parcels.origin}/v1", "query_from": {"key": "PARCELS_KEY"}}
    settings.HTTP_SOURCES = {"parcels": entry}
    with caplog.at_level(logging.INFO):
        assert run(arguments={"id": "words-of-the-user"}).status is RunStatus.OK
        parcels.answer = lambda handler: handler.reply(500)
        run(arguments={"id": "words-of-the-user"})
    assert "key-of-the-operator" in parcels.requests[0][1]
    assert "key-of-the-operator" not in caplog.text
    assert "words-of-the-user" not in caplog.text


def test_run__server_away__error(settings: Settings) -> None:
    settings.OUTBOUND_ALLOWED_ORIGINS = ["http://127.0.0.1:1"]
    settings.HTTP_SOURCES = {"parcels": {"base_url": "http://127.0.0.1:1"}}
    assert run().value == {"error": "The API of this tool cannot be reached."}


@pytest.mark.parametrize(
    "sources",
    [
        {},
        {"parcels": {}},
        {"parcels": {"base_url": "https://127.0.0.1"}},
        {"parcels": {"base_url": "http://127.0.0.1:1"}},
        {"parcels": {"base_url": "https://example.com", "headers_from": {"Authorization": "NOT_SET_ANYWHERE"}}},
        {"parcels": {"base_url": "https://example.com", "password": "secret"}},
        {"parcels": {"base_url": "https://example.com/?x="}},
    ],
)
def rel_T13_a_stored_source_is_checked_again_at_use_and_the_model_told_little(
    settings: Settings, sources: dict[str, Any]
) -> None:
    settings.HTTP_SOURCES = sources
    answer = run()
    assert (answer.status, answer.sent) == (RunStatus.ERROR, False)
    assert answer.value == {"error": "The API of this tool is not set up here."}


def test_run__no_answer_in_time__late(parcels: HttpServer) -> None:
    parcels.answer = lambda handler: __import__("time").sleep(2)
    answer = run(timeout_seconds=0.3)
    assert answer.status is RunStatus.TIMEOUT
