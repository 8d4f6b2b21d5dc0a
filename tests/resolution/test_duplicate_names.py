"""One name from several sides: sent once, and nothing is lost silently."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import grant, make_group, make_profile, make_tenant, make_tool, own_tool, resolve, sent
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason

pytestmark = pytest.mark.django_db
FORMATS = ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock", "mcp", "generic")


def case_N09_resident_and_group_name_one_tool__sent_once_and_the_hidden_one_is_told() -> None:
    """Two tools of one name in one snapshot: the tenant's own hides the shared one, and says so."""
    tenant = make_tenant()
    make_tool(None, "web_search", "Searches the web.")
    grant(tenant, "web_search")
    make_tool(tenant, "web_search", "Searches our pages.")
    make_group(tenant, "web", ["web_search"])
    make_profile(tenant, resident_tools=("web_search",), search={"enabled": False})
    answer = resolve(tenant)
    assert list(answer.tool_names) == ["web_search"]
    assert any(notice.name == "web_search" for notice in answer.notices)


@pytest.mark.parametrize("format_name", FORMATS)
def fmt_N7_resident_group_and_callers_tool_of_one_name__one_is_sent_and_the_later_group_wins(format_name: str) -> None:
    tenant = make_tenant()
    make_tool(tenant, "web_search", "Searches our pages.")
    make_group(tenant, "web", ["web_search"])
    make_profile(tenant, resident_tools=("web_search",))
    answer = resolve(tenant, format=format_name, tools=[own_tool("web_search")])
    assert list(answer.tool_names).count("web_search") == 1
    assert b"Searches our pages." in str(sent(answer)).encode()
    assert any(notice.name == "web_search" for notice in answer.notices)


@pytest.mark.parametrize("name", ["toolSearch", "TOOLSEARCH"])
def fmt_N7_name_of_the_entry_tool__is_reserved_at_save_and_for_callers(name: str) -> None:
    tenant = make_tenant()
    with pytest.raises(InvalidInput, match="kept for the tool search"):
        make_tool(tenant, name)
    make_profile(tenant)
    with pytest.raises(InvalidInput, match="catalog's own tool"):
        resolve(tenant, tools=[own_tool(name)])


def case_N09_two_tools_of_one_exported_name__both_are_sent_under_two_names_and_it_is_told() -> None:
    tenant = make_tenant()
    for name in ("a.b", "a_b"):
        make_tool(tenant, name)
    make_group(tenant, "g", ["a.b", "a_b"])
    make_profile(tenant, search={"enabled": False})
    answer = resolve(tenant, format="anthropic")
    exported = [tool["name"] for tool in sent(answer)]
    assert len(set(exported)) == 2
    assert "a_b" in exported
    assert {answer.name_map.get(name, name) for name in exported} == {"a.b", "a_b"}
    assert [notice.name for notice in answer.notices if notice.code == "renamed"] == ["a.b"]


NAMED_ENTRIES: dict[str, Any] = {
    "anthropic": {"type": "web_search_20250305", "name": "web_search"},
    "openai_chat": {"type": "custom", "custom": {"name": "web_search", "description": "Our own."}},
    "openai_responses": {"type": "custom", "name": "web_search", "description": "Our own."},
    "bedrock": {"systemTool": {"name": "web_search"}},
}


def find_name(tool: Any) -> Any:
    inner = tool.get("toolSpec") or tool.get("function") or tool.get("custom") or tool.get("systemTool") or tool
    return inner["name"]


@pytest.mark.parametrize("catalog_name", ["web_search", "web.search"])
@pytest.mark.parametrize("format_name", NAMED_ENTRIES)
def fmt_N7_entry_that_the_vendor_names__keeps_its_name_and_the_catalogs_tool_is_left_out(
    format_name: str, catalog_name: str
) -> None:
    tenant = make_tenant()
    make_tool(tenant, catalog_name, "Searches our pages.")
    make_tool(tenant, "other", "Does something else.")
    make_group(tenant, "web", [catalog_name, "other"])
    make_profile(tenant, resident_tools=(catalog_name,), search={"enabled": False})
    answer = resolve(tenant, format=format_name, tools=[NAMED_ENTRIES[format_name]])
    assert [find_name(tool) for tool in sent(answer)] == ["web_search", "other"]
    assert sent(answer)[0] == NAMED_ENTRIES[format_name]
    assert [(one.name, one.reason) for one in answer.omitted] == [(catalog_name, Reason.HIDDEN_BY_OWN)]
    assert catalog_name in [notice.name for notice in answer.notices if notice.code == "name_taken"]
    assert catalog_name not in answer.tool_names


def fmt_N7_callers_tool_that_would_get_the_name_of_a_vendors_entry__gets_another() -> None:
    tenant = make_tenant()
    make_profile(tenant)
    answer = resolve(tenant, format="anthropic", tools=[own_tool("web.search"), NAMED_ENTRIES["anthropic"]])
    entry, own = sent(answer)
    assert entry["name"] == "web_search"
    assert own["name"].startswith("web_search_")
    assert answer.name_map[own["name"]] == "web.search"


@pytest.mark.parametrize("name", ["web_search", "toolSearch"])
def fmt_N7_two_entries_of_the_caller_of_one_name__are_refused(name: str) -> None:
    tenant = make_tenant()
    make_profile(tenant)
    entry = {"type": "custom_20990101", "name": name}
    with pytest.raises(InvalidInput) as caught:
        resolve(tenant, format="anthropic", tools=[own_tool("web_search"), entry])
    assert [(error.path, error.code) for error in caught.value.errors] == [
        ("tools[1].name", "duplicate_tool" if name == "web_search" else "reserved_name")
    ]


def fmt_N7_native__no_deferred_tool_has_the_name_of_a_vendors_entry() -> None:
    tenant = make_tenant()
    make_tool(tenant, "web_search", "Searches our pages.")
    make_tool(tenant, "other", "Does something else.")
    make_profile(tenant)
    answer = resolve(tenant, format="anthropic", disclosure="native", tools=[NAMED_ENTRIES["anthropic"]])
    assert [find_name(tool) for tool in sent(answer)] == ["web_search", "toolSearch", "other"]
