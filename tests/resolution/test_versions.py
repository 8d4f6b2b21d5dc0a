"""X8: version labels, pins and deprecated tools; and R10's echo of what is pinned."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    DIALECTS,
    Dialect,
    availability,
    deny,
    edit_tool,
    grant,
    make_profile,
    make_tenant,
    make_tool,
    parameters_of,
    resolve,
    search,
    sent,
)
from toolcatalog.contract.reasons import Reason
from toolcatalog.models import Exposure, ExposureContent, Tenant, Tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    tenant = make_tenant()
    make_profile(tenant, resident_tools=())
    return tenant


@pytest.fixture
def versions(tenant: Tenant) -> Tool:
    """A tool that went from 1.0 over two states of 2.0 to 3.0."""
    tool = make_tool(tenant, "ship", "First words.", parameters=parameters_of(one="One"))
    tool = edit_tool(tool, version="2.0", description="Second words, draft.", parameters=parameters_of(two="Two"))
    tool = edit_tool(tool, description="Second words.")
    tool = edit_tool(tool, version="3.0", description="Third words.", parameters=parameters_of(three="Three"))
    make_profile(tenant, resident_tools=("ship",))
    return tool


def shown(tenant: Tenant, **fields: Any) -> tuple[str, list[str]]:
    tool = sent(resolve(tenant, **fields))[0]
    return tool["description"], list(tool["parameters"]["properties"])


def b_X8_version_label__defaults_to_one(tenant: Tenant) -> None:
    assert make_tool(tenant, "ship").version == "1.0"


def b_X8_no_pin__is_the_tool_as_it_stands(tenant: Tenant, versions: Tool) -> None:
    assert shown(tenant) == ("Third words.", ["three"])
    assert shown(tenant, versions={"ship": "3.0"}) == ("Third words.", ["three"])


def b_X8_pin_of_the_caller__is_the_latest_approved_state_of_that_label(tenant: Tenant, versions: Tool) -> None:
    assert shown(tenant, versions={"ship": "2.0"}) == ("Second words.", ["two"])
    assert shown(tenant, versions={"ship": "1.0"}) == ("First words.", ["one"])


def b_X8_pin_of_the_profile__holds_unless_the_caller_has_one(tenant: Tenant, versions: Tool) -> None:
    make_profile(tenant, resident_tools=("ship",), versions={"ship": "1.0"})
    assert shown(tenant) == ("First words.", ["one"])
    assert shown(tenant, versions={"ship": "2.0"}) == ("Second words.", ["two"])


@pytest.mark.parametrize("label", ["7.0", "2", "", " 2.0", "3.0 "])
def b_X8_unknown_pin__puts_the_tool_in_omitted(tenant: Tenant, versions: Tool, label: str) -> None:
    answer = resolve(tenant, versions={"ship": label})
    assert answer.tool_names == ()
    assert [(o.name, o.reason) for o in answer.omitted] == [("ship", Reason.NO_SUCH_VERSION)]
    told = availability(tenant, "ship", versions={"ship": label})
    assert (told.available, told.reason, told.retryable) == (False, Reason.NO_SUCH_VERSION, False)


def b_X8_pin_under_an_exported_name__is_read(tenant: Tenant) -> None:
    tool = make_tool(tenant, "parcel.ship", "First words.")
    edit_tool(tool, version="2.0", description="Second words.")
    make_profile(tenant, resident_tools=("parcel.ship",))
    answer = resolve(tenant, versions={"parcel_ship": "1.0"}, format="anthropic")
    assert sent(answer)[0]["description"] == "First words."


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_X8_pin__holds_for_found_tools_too(tenant: Tenant, versions: Tool, dialect: Dialect) -> None:
    make_profile(tenant)
    fields: dict[str, Any] = {"messages": [dialect.user("?"), *dialect.search("ship")], "format": dialect.format}
    answer = resolve(tenant, **fields, versions={"ship": "2.0"})
    assert "Second words." in str(sent(answer)[1])
    answer = resolve(tenant, **fields, versions={"ship": "7.0"})
    assert answer.active_tools == ()
    assert [(o.name, o.reason) for o in answer.omitted] == [("ship", Reason.NO_SUCH_VERSION)]


def b_X8_pin_of_the_profile__is_what_search_shows_and_records(tenant: Tenant, versions: Tool) -> None:
    make_profile(tenant, versions={"ship": "1.0"})
    (found,) = search(tenant, "ship").results
    assert found.description == "First words."
    body = bytes(ExposureContent.objects.get(pk=Exposure.objects.get(kind="search").snapshot_sha256).body)
    assert b'"revision":1' in body


def b_X8_renamed_tool__pinned_to_the_time_before__has_its_present_name(tenant: Tenant, versions: Tool) -> None:
    edit_tool(versions, name="send", version="4.0")
    answer = resolve(tenant, versions={"send": "1.0"})
    assert answer.tool_names == ("send",)
    assert (sent(answer)[0]["name"], sent(answer)[0]["description"]) == ("send", "First words.")


@pytest.mark.parametrize("status", ["draft", "in_review", "disabled"])
def b_X8_state_that_was_never_live__cannot_be_pinned(tenant: Tenant, status: str) -> None:
    tool = make_tool(tenant, "ship", "Words that nobody approved.", version="0.9", status=status)
    edit_tool(tool, version="1.0", description="Good words.", status="published")
    make_profile(tenant, resident_tools=("ship",))
    answer = resolve(tenant, versions={"ship": "0.9"})
    assert [(o.name, o.reason) for o in answer.omitted] == [("ship", Reason.NO_SUCH_VERSION)]


def b_X8_state_disabled_later__is_pinned_as_it_was_live(tenant: Tenant) -> None:
    tool = make_tool(tenant, "ship", "Live words.")
    edit_tool(tool, status="disabled", description="Words while disabled.")
    edit_tool(tool, status="published", version="2.0", description="New words.")
    make_profile(tenant, resident_tools=("ship",))
    assert shown(tenant, versions={"ship": "1.0"})[0] == "Live words."


# Deprecated


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_X8_deprecated_tool__still_resolves_and_says_so(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "ship.new", "Sends a parcel.")
    make_tool(tenant, "ship", "Sends a parcel. ", status="deprecated", replaced_by="ship.new")
    make_tool(tenant, "old", "", status="deprecated")
    make_profile(tenant, resident_tools=("ship", "old"), search={"enabled": False})
    ship, old = (str(tool) for tool in sent(resolve(tenant, format=dialect.format)))
    replacement = "ship.new" if dialect.format == "generic" else "ship_new"
    assert f"Sends a parcel. \\n\\nThis tool is deprecated; use {replacement} instead.'" in ship
    assert "'This tool is deprecated.'" in old


def b_X8_sentence_of_a_deprecated_tool__is_not_searched(tenant: Tenant) -> None:
    make_tool(tenant, "new_ship", "Sends.")
    make_tool(tenant, "ship", "Parcels.", status="deprecated", replaced_by="new_ship")
    assert search(tenant, "deprecated").names == ()
    assert search(tenant, "instead").names == ()
    assert search(tenant, "parcels").results[0].description == "Parcels."


def b_X8_replacement_renamed__sentence_names_it_anew(tenant: Tenant) -> None:
    new = make_tool(tenant, "new_ship", "Sends.")
    make_tool(tenant, "ship", "Sends.", status="deprecated", replaced_by="new_ship")
    make_profile(tenant, resident_tools=("ship",))
    assert shown(tenant)[0].endswith("use new_ship instead.")
    edit_tool(new, name="newest_ship")
    assert shown(tenant)[0].endswith("use newest_ship instead.")


def b_X8_replacement_that_this_tenant_does_not_have__is_not_named(tenant: Tenant) -> None:
    make_tool(None, "secret_ship", "Sends.")
    make_tool(None, "ship", "Sends.", status="deprecated", replaced_by="secret_ship")
    grant(tenant, everything=True)
    make_profile(tenant, resident_tools=("ship",))
    assert shown(tenant)[0] == "Sends.\n\nThis tool is deprecated; use secret_ship instead."
    deny(tenant, "secret_ship")
    assert shown(tenant)[0] == "Sends.\n\nThis tool is deprecated."


def b_X8_deprecated_tool_with_a_long_description__says_so_all_the_same(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel. " * 100, status="deprecated")
    make_profile(tenant, resident_tools=("ship",))
    (tool,) = sent(resolve(tenant, format="openai_chat"))
    description = tool["function"]["description"]
    assert len(description) <= 1024
    assert description.endswith("This tool is deprecated.")


def b_X8_deprecated_tool__ranks_after_equals(tenant: Tenant) -> None:
    for name, status in (("a_ship", "deprecated"), ("b_ship", "published")):
        make_tool(tenant, name, "Sends a parcel.", status=status)
    assert search(tenant, "parcel").names == ("b_ship", "a_ship")
