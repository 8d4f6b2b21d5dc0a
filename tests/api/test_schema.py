"""The published schema and its page."""

from __future__ import annotations

import io
import re
from typing import Any

import jsonschema_rs
import pytest
import yaml
from django.core.management import call_command
from django.test import Client

from toolcatalog.models import Tenant

from .conftest import Api, MakeApi

PROBLEMS = {"400", "401", "403", "404", "409", "412", "413", "415", "422", "503"}
VERBS = {"get", "put", "post", "patch", "delete"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The schema as it is published. Any warning of the generator is a failure."""
    written = io.StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=written)
    loaded: dict[str, Any] = yaml.safe_load(written.getvalue())
    return loaded


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every operation by its id."""
    return {
        operation["operationId"]: operation
        for path in document["paths"].values()
        for verb, operation in path.items()
        if verb in VERBS
    }


def test_schema__generated__without_a_warning_and_valid(document: dict[str, Any]) -> None:
    names = operations(document)
    assert len(names) > 40
    for kind in ("tool", "category", "tag", "tool_group", "profile", "grant"):
        assert {f"create_{kind}", f"get_{kind}", f"put_{kind}", f"patch_{kind}", f"delete_{kind}"} <= names.keys()
    assert {"import_catalog", "export_catalog", "resolve", "search", "list_categories"} <= names.keys()
    assert {"put_session_tools", "replay_exposure"} <= names.keys()


def test_schema__every_operation__asks_for_the_key_and_documents_the_problems(document: dict[str, Any]) -> None:
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    for name, operation in operations(document).items():
        assert operation["security"] == [{"key": []}], name
        assert operation["responses"].keys() >= PROBLEMS, name
    for status in PROBLEMS:
        content = document["components"]["responses"][f"Problem{status}"]["content"]["application/problem+json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        jsonschema_rs.validate(document["components"]["schemas"]["Problem"], content["example"])


def test_schema__fields_of_any_json__are_not_called_strings(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert "type" not in schemas["Tool"]["properties"]["parameters"]
    assert schemas["Tool"]["properties"]["metadata"]["type"] == "object"
    assert "type" not in schemas["Resolve"]["properties"]["messages"]["items"]
    assert {"type": "boolean"} in schemas["ProfileSearch"]["properties"]["enabled"]["oneOf"]


def test_schema__examples_of_bodies__are_accepted(document: dict[str, Any], maple: Tenant, make_api: MakeApi) -> None:
    api = make_api(maple, "curate", "manage")
    api.post("/categories?owner=shared", {"slug": "weather"})
    order = [
        "create_tool",
        "create_category",
        "create_tag",
        "create_tool_group",
        "create_profile",
        "create_grant",
        "import_catalog",
    ]
    paths = {o["operationId"]: path for path, item in document["paths"].items() for v, o in item.items() if v in VERBS}
    for name in order:
        body = operations(document)[name]["requestBody"]["content"]["application/json"]
        (example,) = body["examples"].values()
        if name == "create_grant":
            example["value"]["tenant"] = "maple"
        if name == "create_category":
            api.delete("/categories/shipping")
        if name == "create_tag":
            api.delete("/tags/parcel")
        answer = api.post(paths[name].removeprefix("/api/v1"), example["value"])
        assert answer.status_code in {200, 201}, (name, answer.content)
        assert answer.json().get("counts", {"invalid": 0})["invalid"] == 0


def test_schema__address__open_and_without_a_key(db: None) -> None:
    answer = Client().get("/api/schema/", headers={"accept": "application/json"})
    assert answer.status_code == 200
    assert answer["X-Request-ID"]


def test_docs_page__loads_nothing_from_elsewhere(db: None) -> None:
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", text)
    assert not re.findall(r"https?://(?!testserver)", text)
    scripts = re.findall(r"""(?:src|href)=["']([^"']+)""", text)
    assert scripts
    for address in scripts:
        assert Client().get(address).status_code == 200, address


def test_docs_page__names_the_schema(curator: Api) -> None:
    assert "/api/schema/" in Client().get("/api/docs/").content.decode()
