"""T1 to T4, T13: what a tool is to a model, whose it is, and whether it can be run here."""

from __future__ import annotations

import pytest

from tests.resolution.conftest import Install
from tests.support import (
    AUTHOR,
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
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.curation import ToolDocument, import_document, read_tool, save_tool
from toolcatalog.models import Tenant, Tool

pytestmark = pytest.mark.django_db

NESTED = {
    "type": "object",
    "properties": {
        "zone": {"type": "string", "description": "Where"},
        "address": {
            "type": "object",
            "properties": {
                "street": {"type": "string", "description": "Street and number"},
                "city": {"type": "string"},
            },
            "required": ["street"],
        },
        "days": {"type": "array", "items": {"type": "integer", "minimum": 1}},
    },
    "required": ["zone"],
}
RESERVED = ["toolSearch", "TOOLSEARCH", "toolsearch", "search_tools", "Search_Tools", "execute_dynamic_tool"]


# T1


def b_T1_plain_tool__resident__has_name_description_and_its_whole_parameter_tree(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", parameters=NESTED)
    make_profile(tenant, resident_tools=("ship",))
    (tool,) = sent(resolve(tenant))
    assert (tool["name"], tool["description"], tool["parameters"]) == ("ship", "Sends a parcel.", NESTED)
    assert list(tool["parameters"]["properties"]) == ["zone", "address", "days"]


def b_T1_plain_tool__without_more__has_no_category_tags_and_metadata(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    tool = Tool.objects.get(owner=tenant, name="ship")
    assert (tool.category, list(tool.tags.all()), tool.metadata, tool.version) == (None, [], {}, "1.0")
    (found,) = search(tenant, "ship").results
    assert (found.category, found.tags) == (None, ())


def b_T1_blank_description__saved__is_allowed_with_a_warning(tenant: Tenant) -> None:
    saved = save_tool(tenant, ToolDocument(name="ship", description=" "), AUTHOR)
    assert "no_description" in {warning.code for warning in saved.warnings}
    assert search(tenant, "ship").names == ("ship",)


# T2


@pytest.mark.parametrize("name", ["", " ", "\u3000"])
def b_T2_blank_name__saved__is_refused(tenant: Tenant, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        make_tool(tenant, name, "Does something.")
    assert refusal.value.errors[0].path == "name"


def b_T2_missing_name__read__is_refused() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_tool({"description": "Does something."})
    assert refusal.value.errors[0].path == "name"


@pytest.mark.parametrize("name", RESERVED)
def b_T2_reserved_name__in_every_letter_case__is_refused(tenant: Tenant, name: str) -> None:
    for owner in (tenant, None):
        with pytest.raises(InvalidInput) as refusal:
            make_tool(owner, name, "Does something.")
        assert refusal.value.code == "reserved_name"


@pytest.mark.parametrize("name", ["findTools", "FINDTOOLS", "findtools"])
def b_T2_entry_name_of_a_profile__as_a_tool__is_refused(tenant: Tenant, name: str) -> None:
    make_profile(tenant, "bot", search={"entry_tool": "findTools"})
    for owner in (tenant, None):
        with pytest.raises(InvalidInput) as refusal:
            make_tool(owner, name, "Does something.")
        assert refusal.value.code == "reserved_name"
    make_tool(make_tenant(), name, "Another tenant's profiles do not reserve it.")


@pytest.mark.parametrize("entry", ["lookup", "LookUp", "search_tools", "Execute_Dynamic_Tool"])
def b_T2_entry_name__of_a_tool_or_a_meta_tool__is_refused(tenant: Tenant, entry: str) -> None:
    make_tool(tenant, "lookup", "Looks something up.")
    with pytest.raises(InvalidInput) as refusal:
        make_profile(tenant, "bot", search={"entry_tool": entry})
    assert refusal.value.errors[0].path == "search.entry_tool"


# T3


def b_T3_same_name_and_owner__imported_again__is_an_update(tenant: Tenant) -> None:
    row = {"name": "ship", "description": "Old words.", "status": "published"}
    import_document(tenant, {"version": 1, "tools": [row]}, AUTHOR)
    plan = import_document(tenant, {"version": 1, "tools": [{**row, "description": "New words."}]}, AUTHOR)
    assert [planned.action for planned in plan.rows] == ["update"]
    assert Tool.objects.filter(owner=tenant).count() == 1
    assert search(tenant, "ship").results[0].description == "New words."


def b_T3_callback_and_metadata__one_of_them_wrong__neither_changes(tenant: Tenant) -> None:
    tool = make_tool(tenant, "ship", execution="callback", callback="old.ship", metadata={"team": "old"})
    with pytest.raises(InvalidInput):
        edit_tool(tool, callback="", metadata={"team": "new"})
    with pytest.raises(InvalidInput):
        edit_tool(tool, callback="new.ship", metadata={"team": "\x00"})
    kept = Tool.objects.get(pk=tool.pk)
    assert (kept.callback, kept.metadata) == ("old.ship", {"team": "old"})
    edit_tool(tool, callback="new.ship", metadata={"team": "new"})
    kept.refresh_from_db()
    assert (kept.callback, kept.metadata) == ("new.ship", {"team": "new"})


def b_T3_two_tenants__one_name__each_has_its_own(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(tenant, "fetch_weather", "Weather of the first.")
    make_tool(other, "fetch_weather", "Weather of the second.")
    for owner, text in ((tenant, "Weather of the first."), (other, "Weather of the second.")):
        make_profile(owner, resident_tools=("fetch_weather",))
        assert sent(resolve(owner))[0]["description"] == text
        assert search(owner, "fetch_weather").names == ()  # resident already
    assert availability(tenant, "fetch_weather").reason is Reason.RESIDENT


@pytest.mark.parametrize("status", ["published", "deprecated"])
def b_T3_own_live_tool__beside_a_shared_one__hides_it_with_a_notice(tenant: Tenant, status: str) -> None:
    make_tool(None, "ship", "Shared words.")
    grant(tenant, "ship")
    make_tool(tenant, "ship", "Own words.", status=status)
    make_profile(tenant, resident_tools=("ship",))
    answer = resolve(tenant)
    assert sent(answer)[0]["description"].startswith("Own words.")
    assert [(notice.code, notice.name) for notice in answer.notices] == [("hides_shared", "ship")]


def b_T3_own_disabled_tool__beside_a_shared_one__hides_it_too(tenant: Tenant) -> None:
    make_tool(None, "ship", "Shared words.")
    grant(tenant, "ship")
    make_tool(tenant, "ship", "Own words.", status="disabled")
    assert search(tenant, "ship").names == ()
    assert availability(tenant, "ship").reason is Reason.DISABLED


@pytest.mark.parametrize("status", ["draft", "in_review", "retired"])
def b_T3_own_tool_that_is_not_live__beside_a_shared_one__hides_nothing(tenant: Tenant, status: str) -> None:
    make_tool(None, "ship", "Shared words.")
    grant(tenant, "ship")
    make_tool(tenant, "ship", "Own words.", status=status)
    (found,) = search(tenant, "ship").results
    assert found.description == "Shared words."


def b_T3_own_tool__beside_a_shared_one_not_granted__makes_no_notice(tenant: Tenant) -> None:
    make_tool(None, "ship", "Shared words.")
    make_tool(tenant, "ship", "Own words.")
    make_profile(tenant, resident_tools=("ship",))
    assert resolve(tenant).notices == ()
    grant(tenant, "ship")
    assert [notice.code for notice in resolve(tenant).notices] == ["hides_shared"]
    deny(tenant, "ship")
    assert resolve(tenant).notices == ()


# T4


def b_T4_metadata__searched__takes_no_part(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", metadata={"owner": "zanzibar", "zanzibar": [1]})
    answer = search(tenant, "zanzibar")
    assert (answer.names, answer.outcome) == ((), "no_match")


@pytest.mark.parametrize("query", ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"])
def b_T4_every_other_part__searched__finds_the_tool(tenant: Tenant, query: str) -> None:
    nested = {"type": "object", "properties": {"hotel": parameters_of(x="The india of it")}}
    make_tool(
        tenant,
        "alpha",
        "Does charlie.",
        title="Bravo",
        category="delta",
        tags=("echo",),
        keywords={"en": ("foxtrot",)},
        parameters={"type": "object", "properties": {"golf": nested}},
    )
    make_tool(tenant, "other", "Something else.")
    assert search(tenant, query).names == ("alpha",)


# T13


def b_T13_callback_not_registered__tool_left_out__with_the_reason(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", execution="callback", callback="parcels.ship")
    make_tool(tenant, "track", "Tracks a parcel.")
    make_profile(tenant, resident_tools=("ship", "track"))
    answer = resolve(tenant)
    assert answer.tool_names == ("track",)
    assert [(omission.name, omission.reason) for omission in answer.omitted] == [("ship", Reason.NO_CALLBACK)]
    told = availability(tenant, "ship")
    assert (told.available, told.reason, told.retryable) == (False, Reason.NO_CALLBACK, True)


def b_T13_callback_registered__tool_is_there(tenant: Tenant, install: Install) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", execution="callback", callback="parcels.ship")
    install("toolcatalog.callbacks", "parcels.ship", "def Plugin():\n    return 'sent'\n")
    assert search(tenant, "ship").names == ("ship",)
    make_profile(tenant, resident_tools=("ship",))
    assert resolve(tenant).tool_names == ("ship",)


def b_T13_tool_of_the_caller__without_a_callback__is_there(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.", execution="client")
    assert search(tenant, "ship").names == ("ship",)
