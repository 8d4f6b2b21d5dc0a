"""Hostile values in every endpoint: an answer that says what is wrong, never a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.lasting import db, whole_module
from toolcatalog.curation import create_api_key, create_tenant
from toolcatalog.models import Tenant

from .conftest import Api, codes_of, read_problem

__all__ = ["db", "whole_module"]

ENDPOINTS = [
    ("POST", "/resolve"),
    ("POST", "/search"),
    ("POST", "/tools/a/availability"),
    ("POST", "/tools"),
    ("PUT", "/tools/a"),
    ("PATCH", "/tools/mine"),
    ("POST", "/categories"),
    ("PUT", "/categories/a"),
    ("PATCH", "/categories/mine"),
    ("POST", "/tags"),
    ("PUT", "/tags/a"),
    ("PATCH", "/tags/mine"),
    ("POST", "/tool-groups"),
    ("PUT", "/tool-groups/a"),
    ("PATCH", "/tool-groups/mine"),
    ("POST", "/profiles"),
    ("PUT", "/profiles/a"),
    ("PATCH", "/profiles/default"),
    ("POST", "/grants"),
    ("POST", "/import"),
]
DEEP = b"[" * 100_000 + b"]" * 100_000
UNREADABLE: dict[str, bytes] = {
    "nothing": b"",
    "half": b'{"name": "a"',
    "escaped NUL": rb'{"name": "a\u0000b"}',
    "escaped NUL in a key": rb'{"a\u0000b": 1}',
    "escaped NUL deep down": rb'{"metadata": {"a": [{"b": "\\\u0000"}]}}',
    "raw NUL": b'{"name": "a\0b"}',
    "escaped lone surrogate": rb'{"name": "\ud800"}',
    "escaped lone low surrogate": rb'{"name": "\udc00x"}',
    "escaped lone surrogate in a key": rb'{"\ud800": 1}',
    "raw lone surrogate": b'{"name": "\xed\xa0\x80"}',
    "2^63": b'{"position": 9223372036854775808}',
    "2^70": b'{"position": 1180591620717411303424}',
    "-2^70": b'{"metadata": {"a": [-1180591620717411303424]}}',
    "1e400000": b'{"position": 1e400000}',
    "-1e400": b'{"search": {"min_score": -1e400}}',
    "NaN": b'{"position": NaN}',
    "Infinity": b'{"position": -Infinity}',
    "5,000 digits": b'{"position": ' + b"9" * 5000 + b"}",
    "100,000 arrays": b'{"metadata": ' + DEEP + b"}",
    "100,000 arrays alone": DEEP,
    "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "overlong UTF-8": b'{"name": "\xc0\x80"}',
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "a"}',
    "trailing text": b'{"name": "a"} {}',
    "single quotes": b"{'name': 'a'}",
    "a comment": b'{"name": "a"} // yes',
}
WRONG: dict[str, bytes] = {
    "null": b"null",
    "a list": b"[]",
    "a number": b"5",
    "a text": b'"x"',
    "true": b"true",
    "500 arrays": b'{"metadata": {"a": ' + b"[" * 500 + b"]" * 500 + b"}}",
    "500 arrays as a name": b'{"name": ' + b"[" * 500 + b"]" * 500 + b', "slug": ' + b"[" * 500 + b"]" * 500 + b"}",
    "an object for everything": json.dumps(
        {key: {"a": 1} for key in ("name", "slug", "tenant", "version", "prompt", "query", "messages", "search")}
    ).encode(),
    "a list for everything": json.dumps(
        {key: [1] for key in ("name", "slug", "tenant", "version", "prompt", "query", "context", "search")}
    ).encode(),
    "a number for everything": json.dumps(
        dict.fromkeys(["name", "slug", "tenant", "version", "prompt", "query", "messages", "tools", "search"], 2**53)
    ).encode(),
}


@pytest.fixture(scope="module")
def maple(whole_module: None) -> Tenant:
    return create_tenant("maple", "Maple")


@pytest.fixture(scope="module")
def master_key(maple: Tenant) -> str:
    """A key for everything, and something to change."""
    secret = create_api_key(maple, ["resolve", "execute", "curate", "audit", "manage"], name="test").secret
    for path in ("tools", "tool-groups"):
        Api(secret).post(f"/{path}", {"name": "mine"})
    for path in ("categories", "tags"):
        Api(secret).post(f"/{path}", {"slug": "mine"})
    return secret


@pytest.fixture
def anyone(master_key: str) -> Api:
    return Api(master_key)


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def rel_T24_unreadable_bodies__400(anyone: Api, method: str, path: str) -> None:
    for name, body in UNREADABLE.items():
        answer = anyone.send(method, path, body)
        if name == "nothing":
            assert answer.status_code in {200, 201, 422}, name  # no body at all is the empty object
            continue
        assert answer.status_code == 400, (name, answer.content)
        read_problem(answer, 400)


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def rel_T24_readable_and_wrong_bodies__422_or_403(anyone: Api, method: str, path: str) -> None:
    for name, body in WRONG.items():
        answer = anyone.send(method, path, body)
        assert answer.status_code in {422, 403}, (name, answer.content)
        read_problem(answer, answer.status_code)


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def rel_T23_body_beyond_the_limit__413(anyone: Api, method: str, path: str) -> None:
    limit = 32 if path in {"/resolve", "/tools/a/availability"} else 1
    body = b'{"name": "' + b"x" * (limit * 1024 * 1024) + b'"}'
    assert read_problem(anyone.send(method, path, body), 413)["code"] == "too_large"


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", "text/json"],
)
def test_content_type__not_json__415(anyone: Api, method: str, path: str, content_type: str) -> None:
    read_problem(anyone.send(method, path, b'{"name": "a"}', content_type), 415)


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"])
def test_content_type__json__accepted(curator: Api, content_type: str) -> None:
    assert curator.send("POST", "/tools", b'{"name": "a"}', content_type).status_code == 201


@pytest.mark.parametrize(("method", "path"), [pair for pair in ENDPOINTS if "resolve" not in pair[1]])
def rel_T24_one_key_twice__400(anyone: Api, method: str, path: str) -> None:
    if path == "/tools/a/availability":
        return
    for body in (b'{"name": "a", "name": "b"}', b'{"name": "a", "parameters": {"properties": {"x": {}, "x": {}}}}'):
        assert read_problem(anyone.send(method, path, body), 400)["code"] == "duplicate_key"


def rel_T24_one_key_twice_among_very_many__answered_at_once(curator: Api) -> None:
    body = "{" + ", ".join(f'"k{number}": 1' for number in range(60_000)) + ', "x": 1, "x": 2}'
    assert read_problem(curator.send("POST", "/tools", body), 400)["code"] == "duplicate_key"


ADDRESSES = [
    "a%00b",
    "%00",
    "a%0Ab",
    "%ED%A0%80",
    "%FF",
    "..",
    "%2e%2e",
    "a//b",
    "a/",
    " ",
    "%",
    "%zz",
    "x" * 5000,
    "'",
    "%27%3B--",
]


@pytest.mark.parametrize(
    "kind", ["tools", "categories", "tags", "tool-groups", "profiles", "grants", "sessions", "exposures"]
)
@pytest.mark.parametrize("address", ADDRESSES)
def rel_T24_odd_addresses__404_or_422(anyone: Api, kind: str, address: str) -> None:
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        answer = anyone.call(method, f"/{kind}/{address}", {} if method in {"PUT", "PATCH"} else None)
        if (method, kind) == ("DELETE", "sessions"):
            assert answer.status_code in {204, 404, 422}
        elif kind == "tool-groups" and answer.status_code < 300:
            assert method != "GET"  # any line of text can be a group's name
        else:
            read_problem(answer, answer.status_code)
            assert answer.status_code in {404, 405, 422}


HEADERS = ["*", '"a"', "W/*", "", '"', "\0", "x" * 5000, '"a", W/"b", *', "é"]


@pytest.mark.parametrize("value", HEADERS)
@pytest.mark.parametrize("name", ["if_match", "if_none_match", "x_request_id", "x_correlation_id", "accept", "cookie"])
def rel_T24_odd_headers__never_a_fault(anyone: Api, name: str, value: str) -> None:
    for method in ("GET", "PATCH", "DELETE"):
        answer = anyone.call(method, "/tools/mine", {} if method == "PATCH" else None, **{name: value})
        assert answer.status_code in {200, 204, 304, 404, 412}, answer.content


def make_wide_schema(size: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{number}": {} for number in range(size)}}


def make_large_schema(size: int) -> dict[str, Any]:
    """A schema of that many bytes as compact JSON."""
    frame = len('{"type":"object","description":""}')
    return {"type": "object", "description": "x" * (size - frame)}


def make_deep_schema(depth: int) -> dict[str, Any]:
    """A schema whose deepest part lies that many levels below the root."""
    deepest: dict[str, Any] = {"not": {}} if depth % 2 else {}
    for _ in range(depth // 2):
        deepest = {"properties": {"a": deepest}}
    return {"type": "object", **deepest}


@pytest.mark.parametrize(
    ("field", "fits", "too_much"),
    [
        ("description", "字" * 4096, "字" * 4097),
        ("parameters", make_wide_schema(500), make_wide_schema(501)),
        ("parameters", make_large_schema(64 * 1024), make_large_schema(64 * 1024 + 1)),
        ("parameters", make_deep_schema(32), make_deep_schema(33)),
        ("output_schema", make_wide_schema(500), make_wide_schema(501)),
        ("title", "x" * 200, "x" * 201),
        ("version", "x" * 64, "x" * 65),
    ],
)
def rel_T23_exact_limits__one_more_is_refused_with_its_path(
    curator: Api, field: str, fits: object, too_much: object
) -> None:
    assert curator.put("/tools/a", {field: fits}).status_code == 201
    assert all(path.startswith(field) for path in codes_of(curator.put("/tools/a", {field: too_much})))


def case_J15_schema_beyond_the_limits__refused_with_its_path(curator: Api) -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(20):
        deep = {"type": "object", "properties": {"a": deep}}
    wide = {"type": "object", "properties": {f"p{number}": {} for number in range(501)}}
    large = {"type": "object", "description": "x" * 70_000}
    looping = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    slow = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    remote = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}
    for schema, accepted in [
        (deep, False),
        (wide, False),
        (large, False),
        (looping, True),
        (slow, True),
        (remote, False),
    ]:
        answer = curator.put("/tools/a", {"parameters": schema})
        assert (answer.status_code < 300) is accepted, answer.content
        if not accepted:
            assert all(path.startswith("parameters") for path in codes_of(answer))


@pytest.mark.parametrize(
    "text", ["{account.__class__}", "{{7*7}}", "%s", "%(name)s", "${x}", "{0}", "\\", "'; DROP TABLE x; --"]
)
def rel_T26_text_that_looks_like_a_template__comes_back_as_it_was(curator: Api, text: str) -> None:
    tool = {"name": "a", "title": text, "description": text, "metadata": {text: text}, "keywords": {text: [text]}}
    shown = curator.post("/tools", tool).json()
    assert {key: shown[key] for key in tool} == tool
    assert curator.post("/tool-groups", {"name": "g", "system_prompt": text}).json()["system_prompt"] == text
    for odd in ({"tags": text}, {"metadata": text}, {"status": text}, {text: 1}, {"parameters": text}):
        codes_of(curator.put("/tools/a", odd))
