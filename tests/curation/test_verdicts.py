"""What providers make of tools is told before anything is published."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from tests.support import make_group, make_tenant, make_tool
from toolcatalog.curation import (
    Author,
    ImportedTool,
    check_for_providers,
    find_or_make_source,
    import_document,
    sync_source,
)
from toolcatalog.models import Tool, ToolSource

pytestmark = pytest.mark.django_db

LONG = "Says where an order is. " * 60
CHINESE: Any = {"type": "object", "properties": {"城市": {"type": "string"}}, "anyOf": [{"required": ["城市"]}]}


def case_T05_limit_of_a_provider__names_tool_group_length_limit_and_what_to_do() -> None:
    tenant = make_tenant()
    make_tool(tenant, "get_order", LONG, category="orders")
    make_group(tenant, "orders", ["get_order"])
    (problem,) = [problem for problem in check_for_providers(tenant) if problem.finding.provider == "openai_chat"]
    assert (problem.tool, problem.groups, problem.label) == ("get_order", ("orders",), "OpenAI")
    assert (problem.finding.length, problem.finding.limit) == (len(LONG), 1_024)
    assert problem.suggestion.startswith("Shorten the description to 1,024 characters")
    printed = StringIO()
    call_command("check_providers", tenant=tenant.slug, stdout=printed)
    line = next(line for line in printed.getvalue().splitlines() if "OpenAI:" in line)
    for part in ("get_order", "groups: orders", f"{len(LONG):,}", "1,024", "Shorten"):
        assert part in line


def case_T05_name_beyond_a_limit__length_limit_and_what_to_do() -> None:
    tenant = make_tenant()
    make_tool(tenant, "n" * 103, "Does something.")
    found = [problem for problem in check_for_providers(tenant) if problem.finding.provider == "anthropic"]
    assert [(one.finding.length, one.finding.limit) for one in found] == [(103, 64)]
    assert "at most 64" in found[0].suggestion


def case_I13_import__report_for_each_provider_before_anything_is_published() -> None:
    tenant = make_tenant()
    rows = [
        {"name": "get_weather", "description": "Weather of a city.", "parameters": CHINESE},
        {"name": "portable", "description": "Goes everywhere."},
    ]
    plan = import_document(tenant, {"version": 1, "tools": rows}, Author("ann"), dry_run=True)
    assert not Tool.objects.exists()
    weather, portable = plan.rows
    assert portable.findings == ()
    told = {(finding.provider, finding.code) for finding in weather.findings}
    assert {
        ("anthropic", "argument_renamed"),
        ("gemini", "argument_renamed"),
        ("bedrock", "root_rule_in_words"),
    } <= told
    assert not any(provider == "mcp" for provider, _ in told)
    assert all(finding.message for finding in weather.findings)
    done = import_document(tenant, {"version": 1, "tools": rows}, Author("ann"))
    assert done.rows[0].findings == weather.findings
    assert {tool.status for tool in Tool.objects.all()} == {"draft"}


def case_I13_source__report_for_each_provider_before_anything_is_published() -> None:
    tenant = make_tenant()
    source = find_or_make_source(tenant, "weather-server", ToolSource.Kind.MCP)
    tool = ImportedTool(name="get_weather", description="Weather of a city.", parameters=CHINESE)
    plan = sync_source(tenant, source, [tool], Author("sync"), dry_run=True)
    assert ("gemini", "argument_renamed") in {(found.provider, found.code) for found in plan.rows[0].findings}
    assert not Tool.objects.exists()
