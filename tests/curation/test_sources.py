"""Syncing a source: what is new waits, what curators wrote stays, what is gone is shown to nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support import availability, edit_tool, grant, make_profile, make_tenant, make_tool, resolve, search, sent
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import Conflict, InvalidInput
from toolcatalog.curation import (
    Author,
    ImportedTool,
    SyncAction,
    SyncPlan,
    approve_revision,
    delete_tool,
    find_or_make_source,
    find_pending,
    preview_approval,
    reject_revision,
    restore_imported,
    sync_source,
)
from toolcatalog.models import Revision, Tenant, Tool, ToolSource

pytestmark = pytest.mark.django_db

AUTHOR = Author("sync")
CURATOR = Author("ann")
TEXT: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant()


@pytest.fixture
def source(tenant: Tenant) -> ToolSource:
    return find_or_make_source(tenant, "weather-server", ToolSource.Kind.MCP)


def sync(source: ToolSource, *definitions: ImportedTool, **options: Any) -> SyncPlan:
    return sync_source(source.owner, source, definitions, AUTHOR, **options)


def actions(plan: SyncPlan) -> dict[str, str]:
    return {row.key: row.action.value for row in plan.rows}


def publish(name: str, /, **changes: Any) -> Tool:
    return edit_tool(Tool.objects.exclude(source=None).get(name=name), **{"status": "published", **changes})


def described(name: str, description: str, **fields: Any) -> ImportedTool:
    return ImportedTool(name=name, description=description, **fields)


def waiting(name: str) -> Revision:
    revision = find_pending(Tool.objects.get(name=name))
    assert revision is not None
    return revision


def shown(tenant: Tenant) -> set[str]:
    make_profile(tenant, resident_tools=tuple(Tool.objects.filter(owner=tenant).values_list("name", flat=True)))
    return set(resolve(tenant).tool_names) - {"toolSearch"}


def test_new_tools__first_sync__are_drafts_with_the_text_of_the_source(tenant: Tenant, source: ToolSource) -> None:
    plan = sync(source, described("forecast", "Says the weather.", parameters=TEXT, tags=("Weather",), category="Sky"))

    tool = Tool.objects.get(owner=tenant, name="forecast")
    assert actions(plan) == {"forecast": "create"}
    assert plan.applied
    assert (tool.status, tool.source, tool.parameters) == (ToolStatus.DRAFT, source, TEXT)
    assert tool.category is not None
    assert (tool.category.slug, [tag.slug for tag in tool.tags.all()]) == ("sky", ["weather"])
    assert isinstance(tool.imported, dict)
    assert tool.imported["description"] == "Says the weather."
    assert shown(tenant) == set()


def test_sync__again_without_a_change__writes_nothing(source: ToolSource) -> None:
    definition = described("forecast", "Says the weather.", parameters=TEXT)
    sync(source, definition)
    revisions = Revision.objects.count()
    reordered: Any = {"required": ["city"], "properties": TEXT["properties"], "type": "object"}

    assert actions(sync(source, replace(definition, parameters=reordered))) == {"forecast": "unchanged"}
    assert Revision.objects.count() == revisions


def test_dry_run__with_new_changed_and_gone__tells_all_and_keeps_nothing(source: ToolSource) -> None:
    sync(source, described("a", "A."), described("b", "B."))
    publish("a")
    before = list(Tool.objects.order_by("pk").values()), list(Revision.objects.order_by("pk").values())

    plan = sync(source, described("a", "Better A."), described("c", "C."), dry_run=True)

    assert actions(plan) == {"a": "update", "c": "create", "b": "gone"}
    assert not plan.applied
    assert (list(Tool.objects.order_by("pk").values()), list(Revision.objects.order_by("pk").values())) == before


def test_draft__source_changes__is_brought_up_to_date_at_once(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    plan = sync(source, described("forecast", "New."))

    assert Tool.objects.get(name="forecast").description == "New."
    assert (plan.rows[0].action, plan.rows[0].waits, plan.rows[0].changed) == ("update", False, ("description",))
    assert find_pending(Tool.objects.get(name="forecast")) is None


def case_V01_description_changes_after_approval__approved_text_stays_live(tenant: Tenant, source: ToolSource) -> None:
    sync(source, described("forecast", "Approved text."))
    publish("forecast")

    for text in ("First drift.", "Second drift."):
        plan = sync(source, described("forecast", text))
        assert (plan.rows[0].action, plan.rows[0].waits) == ("update", True)
        assert Tool.objects.get(name="forecast").description == "Approved text."
        proposal = preview_approval(waiting("forecast"))
        assert (proposal.before["description"], proposal.after["description"]) == ("Approved text.", text)
        assert proposal.changed == ("description",)

    statuses = Revision.objects.filter(author="sync").order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["approved", "superseded", "pending"]
    make_profile(tenant, resident_tools=("forecast",))
    assert sent(resolve(tenant))[0]["description"] == "Approved text."


def case_V03_one_of_ten_changes__nine_go_on__one_waits_with_its_diff(tenant: Tenant, source: ToolSource) -> None:
    names = [f"tool_{number}" for number in range(10)]
    sync(source, *(described(name, f"Does {name}.", parameters=TEXT) for name in names))
    for name in names:
        publish(name)
    schema: Any = {**TEXT, "properties": {**TEXT["properties"], "days": {"type": "integer"}}}
    changed = described("tool_3", "Does more.", parameters=schema)

    plan = sync(source, *(changed if n == "tool_3" else described(n, f"Does {n}.", parameters=TEXT) for n in names))

    assert [row.key for row in plan.rows if row.waits] == ["tool_3"]
    assert plan.count(SyncAction.UNCHANGED) == 9
    assert preview_approval(waiting("tool_3")).changed == ("description", "parameters")
    assert shown(tenant) == set(names)


def case_V05_curated_text_tags_and_status__reimported__are_kept(source: ToolSource) -> None:
    sync(source, described("forecast", "Imported.", title="Weather", tags=("from-source",)))
    publish(
        "forecast", description="Curated.", tags=("mine",), category="my-shelf", status="disabled", searchable=False
    )

    plan = sync(source, described("forecast", "Imported anew.", title="Better title", tags=("other",), category="x"))

    assert (plan.rows[0].changed, plan.rows[0].kept) == (("title",), ("description",))
    approve_revision(waiting("forecast"), CURATOR)
    tool = Tool.objects.get(name="forecast")
    assert (tool.title, tool.description, tool.status, tool.searchable) == (
        "Better title",
        "Curated.",
        "disabled",
        False,
    )
    assert tool.category is not None
    assert (tool.category.slug, [tag.slug for tag in tool.tags.all()]) == ("my-shelf", ["mine"])


def case_V06_imported_tool_is_edited__both_texts_are_there__restore_brings_the_imported_one(source: ToolSource) -> None:
    sync(source, described("forecast", "Imported."))
    tool = publish("forecast", description="Curated.")
    assert isinstance(tool.imported, dict)
    assert (tool.description, tool.imported["description"]) == ("Curated.", "Imported.")

    saved = restore_imported(tool, ["description"], CURATOR)

    assert (saved.tool.description, saved.changed) == ("Imported.", True)
    plan = sync(source, described("forecast", "Imported anew."))
    assert plan.rows[0].changed == ("description",), "a restored text follows the source again"


def case_I11_source_lists_nothing__tools_are_kept__source_is_flagged__until_confirmed(
    tenant: Tenant, source: ToolSource
) -> None:
    sync(source, described("a", "A."), described("b", "B."))
    publish("a")

    plan = sync(source)

    source.refresh_from_db()
    assert (plan.empty, plan.applied, plan.rows) == (True, False, ())
    assert source.problem
    assert shown(tenant) == {"a"}
    confirmed = sync(source, allow_empty=True)
    source.refresh_from_db()
    assert (actions(confirmed), source.problem, shown(tenant)) == ({"a": "gone", "b": "gone"}, "", set())


def case_C01_source_lists_other_tools__old_ones_are_gone__and_found_by_nobody(
    tenant: Tenant, source: ToolSource
) -> None:
    sync(source, described("alpha_report", "Alpha report."), described("beta_report", "Beta report."))
    publish("alpha_report")
    publish("beta_report")
    assert search(tenant, "alpha report").names == ("alpha_report", "beta_report")

    plan = sync(source, described("gamma_report", "Gamma report."), described("delta_report", "Delta report."))

    publish("gamma_report")
    assert [row.key for row in plan.rows if row.action is SyncAction.GONE] == ["alpha_report", "beta_report"]
    assert search(tenant, "alpha report").names == ("gamma_report",)
    assert shown(tenant) == {"gamma_report"}
    assert not availability(tenant, "alpha_report").available
    assert actions(
        sync(source, described("gamma_report", "Gamma report."), described("delta_report", "Delta report."))
    ) == {
        "gamma_report": "unchanged",
        "delta_report": "unchanged",
    }


def test_gone_tool__listed_again__is_live_in_its_approved_state(tenant: Tenant, source: ToolSource) -> None:
    sync(source, described("a", "A."), described("b", "B."))
    publish("a")
    sync(source, described("b", "B."))
    assert shown(tenant) == set()

    plan = sync(source, described("a", "Another A."), described("b", "B."))

    assert shown(tenant) == {"a"}
    assert Tool.objects.get(name="a").description == "A."
    assert plan.rows[0].waits
    assert plan.rows[0].notes


def test_gone_own_tool__shared_one_of_the_name__stays_hidden(tenant: Tenant, source: ToolSource) -> None:
    make_tool(None, "forecast", "The shared one.")
    grant(tenant, "forecast")
    sync(source, described("forecast", "Own."), described("other", "Other."))
    publish("forecast")
    sync(source, described("other", "Other."))

    assert "forecast" not in shown(tenant)


def test_illegal_and_reserved_names__synced__take_the_proposal_and_say_so(source: ToolSource) -> None:
    plan = sync(source, described("get weather!", "A."), described("toolSearch", "B."))

    assert [row.name for row in plan.rows] == ["get_weather", "toolSearch_tool"]
    assert all("cannot be a name" in row.notes[0] for row in plan.rows)
    assert actions(sync(source, described("get weather!", "A."), described("toolSearch", "B."))) == {
        "get weather!": "unchanged",
        "toolSearch": "unchanged",
    }


def test_renamed_in_the_source__synced__is_a_new_draft_and_a_gone_tool(source: ToolSource) -> None:
    sync(source, described("old_name", "Does it."))
    publish("old_name")

    plan = sync(source, described("new_name", "Does it."))

    assert actions(plan) == {"new_name": "create", "old_name": "gone"}
    assert Tool.objects.get(name="new_name").status == ToolStatus.DRAFT


def test_renamed_by_a_curator__synced__is_known_by_what_the_source_calls_it(source: ToolSource) -> None:
    sync(source, described("forecast", "Says the weather."))
    publish("forecast", name="weather.forecast")

    plan = sync(source, described("forecast", "Says the weather."))

    assert (actions(plan), plan.rows[0].name) == ({"forecast": "unchanged"}, "weather.forecast")


def test_wrong_definitions__among_good_ones__are_told_and_spoil_nothing(source: ToolSource) -> None:
    make_tool(source.owner, "taken", "Written by hand.")
    broken: Any = {"type": "array"}
    plan = sync(
        source,
        described("good", "Good."),
        described("broken", "Broken.", parameters=broken),
        described("good", "Listed twice."),
        described("taken", "Taken."),
        described("half \ud800", "Half a character."),
        described("long", "x" * 5000),
    )

    assert [row.action.value for row in plan.rows] == ["create", *["invalid"] * 5]
    codes = [row.errors[0].code for row in plan.rows[1:]]
    assert codes == ["duplicate", "root_not_object", "name_taken", "unstorable", "max_length"]
    assert Tool.objects.get(name="taken").description == "Written by hand."


def test_definition_becomes_wrong__after_approval__tool_stays_and_is_not_gone(
    tenant: Tenant, source: ToolSource
) -> None:
    sync(source, described("forecast", "Good."))
    publish("forecast")
    broken: Any = {"$ref": "https://example.com/schema"}

    plan = sync(source, described("forecast", "Bad.", parameters=broken))

    assert actions(plan) == {"forecast": "invalid"}
    assert shown(tenant) == {"forecast"}
    assert Tool.objects.get(name="forecast").gone_at is None


def test_old_schema_draft__synced__is_brought_up_to_date_and_told(source: ToolSource) -> None:
    old: Any = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}}
    plan = sync(source, described("count", "Counts.", parameters=old))

    parameters: Any = Tool.objects.get(name="count").parameters
    assert parameters["properties"]["n"] == {"type": "integer", "exclusiveMinimum": 0}
    assert "old draft" in plan.rows[0].notes[0]
    assert actions(sync(source, described("count", "Counts.", parameters=old))) == {"count": "unchanged"}


def test_approval__of_a_change__makes_it_live_with_reviewer_and_hash(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    publish("forecast")
    sync(source, described("forecast", "New."))
    pending = waiting("forecast")

    saved = approve_revision(pending, CURATOR, digest=preview_approval(pending).digest)

    pending.refresh_from_db()
    live = Revision.objects.get(object_id=saved.tool.pk, number=saved.tool.revision)
    assert (saved.tool.description, live.author, live.status) == ("New.", "ann", "approved")
    assert bytes(live.sha256) == bytes(pending.sha256) == bytes(saved.tool.sha256)
    assert (pending.status, pending.reviewer, bool(pending.reviewed_at)) == ("accepted", "ann", True)
    assert actions(sync(source, described("forecast", "New."))) == {"forecast": "unchanged"}


def test_approval__after_a_curator_edited__keeps_the_edit(source: ToolSource) -> None:
    sync(source, described("forecast", "Old.", title="Old title"))
    publish("forecast")
    sync(source, described("forecast", "New.", title="New title"))
    pending = waiting("forecast")
    digest = preview_approval(pending).digest
    edit_tool(Tool.objects.get(name="forecast"), description="Curated meanwhile.", tags=("mine",))

    with pytest.raises(Conflict, match="Look at it again"):
        approve_revision(pending, CURATOR, digest=digest)
    saved = approve_revision(pending, CURATOR)

    assert (saved.tool.title, saved.tool.description) == ("New title", "Curated meanwhile.")
    assert [tag.slug for tag in saved.tool.tags.all()] == ["mine"]


def test_rejection__of_a_change__is_not_proposed_again_until_the_source_changes(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    publish("forecast")
    sync(source, described("forecast", "Rejected."))
    pending = waiting("forecast")
    reject_revision(pending, Author("ann", "Misleading."))

    again = sync(source, described("forecast", "Rejected."))
    assert (again.rows[0].action, again.rows[0].waits) == ("unchanged", False)
    other = sync(source, described("forecast", "Better."))

    pending.refresh_from_db()
    assert (pending.status, pending.review_reason) == ("rejected", "Misleading.")
    assert (other.rows[0].waits, waiting("forecast").content["description"]) == (True, "Better.")
    assert Tool.objects.get(name="forecast").description == "Old."
    with pytest.raises(Conflict):
        approve_revision(pending, CURATOR)


def test_source_takes_its_change_back__before_review__nothing_waits(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    publish("forecast")
    sync(source, described("forecast", "New."))
    plan = sync(source, described("forecast", "Old."))

    assert (plan.rows[0].waits, find_pending(Tool.objects.get(name="forecast"))) == (False, None)


def test_restore__of_what_waits__leaves_nothing_to_review(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    publish("forecast")
    sync(source, described("forecast", "New."))
    pending = waiting("forecast")

    restore_imported(Tool.objects.get(name="forecast"), ["description"], CURATOR)

    pending.refresh_from_db()
    assert (pending.status, Tool.objects.get(name="forecast").description) == ("accepted", "New.")


def test_origin_changes__nothing_that_models_read__waits_too(source: ToolSource) -> None:
    sync(source, described("forecast", "Text.", origin={"method": "GET", "path": "/forecast"}))
    publish("forecast")

    plan = sync(source, described("forecast", "Text.", origin={"method": "DELETE", "path": "/all"}))

    tool: Any = Tool.objects.get(name="forecast")
    assert (plan.rows[0].waits, plan.rows[0].changed) == (True, ("origin",))
    assert tool.accepted_import["origin"]["method"] == "GET"
    assert waiting("forecast").content["origin"]["method"] == "DELETE"
    approve_revision(waiting("forecast"), CURATOR)
    tool.refresh_from_db()
    assert tool.accepted_import["origin"]["method"] == "DELETE"


def test_tool_by_hand__for_the_same_runner__joins_the_source_with_its_texts(source: ToolSource) -> None:
    make_tool(source.owner, "forecast", "Curated.", execution="mcp")

    plan = sync(source, described("forecast", "Imported.", execution="mcp"))

    tool = Tool.objects.get(name="forecast")
    assert (plan.rows[0].action, tool.source, tool.description, tool.status) == (
        "update",
        source,
        "Curated.",
        "published",
    )
    assert find_pending(tool) is None
    assert actions(sync(source, described("forecast", "Imported.", execution="mcp"))) == {"forecast": "unchanged"}


def test_deleted_tool__with_a_change_that_waits__leaves_nothing_to_review(source: ToolSource) -> None:
    sync(source, described("forecast", "Old."))
    tool = publish("forecast")
    sync(source, described("forecast", "New."))
    pending = waiting("forecast")

    delete_tool(tool, CURATOR)

    pending.refresh_from_db()
    assert pending.status == Revision.Status.SUPERSEDED
    with pytest.raises(Conflict):
        preview_approval(pending)


def test_sources_of_others__and_of_other_kinds__are_refused(tenant: Tenant, source: ToolSource) -> None:
    with pytest.raises(InvalidInput, match="another owner"):
        sync_source(None, source, [described("a", "A.")], AUTHOR)
    with pytest.raises(InvalidInput, match="another kind"):
        find_or_make_source(tenant, source.slug, ToolSource.Kind.OPENAPI)


def test_number_of_queries__with_more_tools__does_not_grow(
    source: ToolSource, django_assert_max_num_queries: Any
) -> None:
    many = [described(f"tool_{number}", f"Does {number}.") for number in range(60)]
    with django_assert_max_num_queries(40):
        sync(source, *many)
    Tool.objects.update(status="published")
    with django_assert_max_num_queries(25):
        plan = sync(source, *(replace(one, description=f"{one.description} More.") for one in many))
    assert sum(row.waits for row in plan.rows) == 60
