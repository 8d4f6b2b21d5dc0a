"""OpenAPI documents that others wrote or made; `make test-servers` brings them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator

from toolcatalog.curation.schemas import check_output_schema, check_parameters
from toolcatalog.models import Tool
from toolcatalog.sources import ListedTool, read_openapi
from toolcatalog.sources.http_binding import read_binding

from .conftest import installed

GITHUB = "node_modules/@octokit/openapi/generated/api.github.com.json"
DIRECTUS = "node_modules/@directus/specs/dist/openapi.json"
GALAXY = "node_modules/@scalar/galaxy/dist/3.1.json"


def own_document() -> bytes:
    """The document of this project's own API."""
    generator: Any = SchemaGenerator
    return json.dumps(generator().get_schema(request=None, public=True), default=str).encode()


def fastapi_document() -> bytes:
    script = Path(__file__).with_name("servers") / "fastapi_document.py"
    run = subprocess.run([installed("venv/bin/python"), script], check=True, capture_output=True)
    return run.stdout


def read_installed(path: str) -> Callable[[], bytes]:
    return lambda: installed(path).read_bytes()


def names_of(tools: list[ListedTool]) -> set[str]:
    return {tool.name for tool in tools}


@pytest.mark.parametrize(
    ("make", "least", "broken"),
    [
        pytest.param(read_installed(GITHUB), 1000, set(), id="github"),
        # Its schema there is a list, which no version of OpenAPI knows.
        pytest.param(read_installed(DIRECTUS), 100, {"POST /items/{collection}"}, id="directus"),
        pytest.param(read_installed(GALAXY), 8, set(), id="galaxy"),
        pytest.param(fastapi_document, 200, set(), id="fastapi"),
        pytest.param(own_document, 10, set(), id="own"),
    ],
)
def case_I01_big_documents_of_others_become_tools(make: Callable[[], bytes], least: int, broken: set[str]) -> None:
    tools = read_openapi(make()).tools
    assert {tool.path for tool in tools if tool.errors} == broken
    good = [tool for tool in tools if not tool.errors]
    assert len(good) >= least
    assert len(names_of(good)) == len(good)
    for tool in good:
        assert not check_parameters(tool.parameters), tool.name
        assert not check_output_schema(tool.output_schema), tool.name
        assert read_binding(tool.origin).path == tool.path.partition(" ")[2]


def test_fastapi_document__header_body_form_and_recursion() -> None:
    tools = {tool.path: tool for tool in read_openapi(fastapi_document()).tools}
    send = tools["POST /parcels"]
    properties: Any = send.parameters["properties"]
    assert {"x-request-id", "sender", "receiver", "grams", "speed", "parts"} == set(properties)
    assert {"sender", "receiver", "grams"} == set(send.parameters["required"])  # type: ignore[arg-type]  # a list
    assert properties["parts"]["items"] == {"$ref": "#/$defs/Parcel-Input"}
    label: Any = tools["POST /labels"]
    assert label.origin["body"]["media_type"] == "multipart/form-data"
    assert label.origin["body"]["base64_fields"] == ["file"]
    assert tools["GET /parcels"].deprecated


@pytest.mark.slow
@pytest.mark.django_db
def case_I01_a_thousand_operations_are_imported_by_the_command() -> None:
    path = installed(GITHUB)
    out = StringIO()
    call_command("import_openapi", str(path), "--name", "github", "--shared", stdout=out)
    imported = Tool.objects.filter(source__slug="github")
    assert imported.count() > 1000
    assert f"Done: {imported.count()} create" in out.getvalue()
    assert " 0 invalid" in out.getvalue()
