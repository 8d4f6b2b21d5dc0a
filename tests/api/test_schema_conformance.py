"""The API is tried against its own published schema, with a real database and a key for everything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from project.wsgi import application
from tests.support.lasting import db, whole_module
from toolcatalog.curation import create_api_key, create_tenant

from .conftest import Api

__all__ = ["db", "whole_module"]

EXAMPLES = 12
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    allow_header_conformance,
    unsupported_method,
]
CONFIG = schemathesis.Config.from_dict(
    {
        "seed": 1,
        "generation": {
            "max-examples": EXAMPLES,
            "deterministic": True,
            "no-shrink": True,
            "with-security-parameters": False,
        },
        "phases": {"coverage": {"enabled": False}},
    }
)


def make_schema() -> Any:
    """The published schema, bound to the application. Made without a request, so that collecting takes no database."""
    generator: Any = SchemaGenerator  # it has no types
    generated = generator().get_schema(request=None, public=True)
    document = OpenApiJsonRenderer().render(generated)
    bound: Any = schemathesis.openapi.from_dict(json.loads(document), config=CONFIG)
    bound.app = application
    return bound


schema = make_schema()


SIGNALS = (request_started, request_finished)


def keep_connections() -> None:
    """The application runs in this thread: left alone, it would close the test's own connection after each request."""
    for signal in SIGNALS:
        signal.disconnect(close_old_connections)


@pytest.fixture(scope="module")
def _kept_connections() -> Iterator[None]:
    """Until the module's transaction has ended, which is why this fixture comes before the database's."""
    keep_connections()
    yield
    for signal in SIGNALS:
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def api(_kept_connections: None, whole_module: None) -> Api:
    """A key for everything, and a small catalog."""
    maple = create_tenant("maple", "Maple")
    api = Api(create_api_key(maple, ["resolve", "execute", "curate", "audit", "manage"], name="test").secret)
    api.post("/tools", {"name": "0", "category": "0", "tags": ["0"]})
    api.post("/tools?owner=shared", {"name": "shared", "category": "0"})
    api.post("/grants", {"tenant": "maple", "everything": True})
    api.post("/tool-groups", {"name": "0", "tools": ["0", "shared"]})
    api.post("/profiles", {"slug": "0", "groups": ["0"]})
    api.post("/resolve", {"prompt": "x"})
    keep_connections()  # Django's test client has let go of them
    return api


def point_at_what_is_there(case: Any) -> None:
    """Half of the generated addresses and owners name something, so that not every answer is a refusal."""
    if case.query and "owner" in case.query:
        case.query["owner"] = ("maple", "shared")[len(str(case.query["owner"])) % 2]
    for name, part in (case.path_parameters or {}).items():
        if name in {"name", "slug"} and len(str(part)) % 2:
            case.path_parameters[name] = "0"


# All requests of one operation share a catalog, as callers do; nothing here is timed.
@schema.parametrize()  # type: ignore[untyped-decorator]  # made when the schema is known
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_operation__generated_requests__answered_as_the_schema_says(case: Any, api: Api) -> None:
    point_at_what_is_there(case)
    headers = {"Authorization": f"Bearer {api.key}", "Host": "testserver"}
    response = case.call_and_validate(headers=headers, checks=CHECKS)
    assert response.status_code != 401
