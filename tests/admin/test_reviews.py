"""What a source changed after approval: looked at, approved or turned down; imported text taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import edit_tool
from toolcatalog.curation import Author, ImportedTool, find_or_make_source, find_pending, sync_source
from toolcatalog.models import Revision, Tenant, Tool, ToolSource

from .conftest import log_in
from .pages import change_url, fill, messages_of, read_form, send


@pytest.fixture
def source(tenant: Tenant) -> ToolSource:
    """A source with one published tool."""
    made = find_or_make_source(tenant, "weather-server", ToolSource.Kind.MCP)
    _sync(made, "Says the weather of a city.")
    edit_tool(Tool.objects.get(), status="published")
    return made


def _sync(source: ToolSource, description: str, **parts: Any) -> None:
    listed = ImportedTool("get_weather", description=description, **parts)
    sync_source(source.owner, source, [listed], Author("sync"))


def _pending() -> Revision:
    found = find_pending(Tool.objects.get())
    assert found is not None
    return found


def _decide(admin: Client, decision: str, **fields: str) -> Any:
    revision = _pending()
    digest = admin.get(change_url(revision)).context["review"].digest
    url = f"/admin/toolcatalog/revision/{revision.pk}/{decision}/"
    return admin.post(url, {"digest": digest, "reason": "looked at it", **fields}, follow=True)


def case_V01_change_of_the_source__waits_and_shows_what_it_would_change(admin: Client, source: ToolSource) -> None:
    _sync(source, "Says the weather and the wind of a city.")
    tool = Tool.objects.get()
    assert tool.description == "Says the weather of a city.", "what was approved stays live"
    page = admin.get(change_url(tool)).content.decode()
    assert "The source changed the tool after it was approved" in page
    assert change_url(_pending()) in page
    page = admin.get(change_url(_pending())).content.decode()
    assert "<ins>and the wind </ins>" in page or "wind" in page
    assert "Changes of sources that wait for review: 1" in admin.get("/admin/").content.decode()


def test_review__approved__is_live_with_the_reviewers_name(admin: Client, source: ToolSource) -> None:
    _sync(source, "Says the weather and the wind.")
    response = _decide(admin, "approve")
    assert "approved and live" in " ".join(messages_of(response))
    assert Tool.objects.get().description == "Says the weather and the wind."
    decided = Revision.objects.get(status="accepted")
    assert (decided.reviewer, decided.review_reason) == ("Ada Curator", "looked at it")
    assert "Ada Curator" in admin.get(change_url(decided)).content.decode()


def test_review__turned_down__nothing_changes(admin: Client, source: ToolSource) -> None:
    _sync(source, "Says nonsense.")
    _decide(admin, "reject")
    assert Tool.objects.get().description == "Says the weather of a city."
    assert Revision.objects.filter(status="rejected", reviewer="Ada Curator").count() == 1


def test_review__something_else_by_now__has_to_be_looked_at_again(admin: Client, source: ToolSource) -> None:
    _sync(source, "Says the weather and the wind.")
    for digest in ("00" * 32, "not a digest"):
        response = _decide(admin, "approve", digest=digest)
        assert "changed since you looked at it" in " ".join(messages_of(response))
    assert Tool.objects.get().description == "Says the weather of a city."


def test_review__decided_twice__is_told(admin: Client, source: ToolSource) -> None:
    _sync(source, "Says the weather and the wind.")
    revision = _pending()
    _decide(admin, "approve")
    response = admin.post(f"/admin/toolcatalog/revision/{revision.pk}/reject/", follow=True)
    assert "does not wait for review any more" in " ".join(messages_of(response))


def test_review__without_the_right__is_only_shown(source: ToolSource) -> None:
    _sync(source, "Says the weather and the wind.")
    browser = log_in("view_tool", "view_revision")
    revision = _pending()
    page = browser.get(change_url(revision)).content.decode()
    assert "waits for review" in page
    assert "Turn down" not in page
    for decision in ("approve", "reject"):
        assert browser.post(f"/admin/toolcatalog/revision/{revision.pk}/{decision}/").status_code == 403
    assert browser.post(f"/admin/toolcatalog/tool/{revision.object_id}/restore/", {"part": "title"}).status_code == 403
    assert find_pending(Tool.objects.get()) is not None


def case_V06_imported_and_curated_text__both_shown__and_the_original_taken_back(
    admin: Client, source: ToolSource
) -> None:
    tool = edit_tool(Tool.objects.get(), description="A curator's better words for it.")
    page = admin.get(change_url(tool)).content.decode()
    for text in ("Says the weather of a city.", "Imported from weather-server"):
        assert text in page
    url = f"/admin/toolcatalog/tool/{tool.pk}/restore/"
    assert admin.get(url).status_code == 403
    response = admin.post(url, {"part": "description"}, follow=True)
    assert "imported text is back" in " ".join(messages_of(response))
    assert Tool.objects.get().description == "Says the weather of a city."
    response = admin.post(url, {"part": "status"}, follow=True)
    assert "no text for" in " ".join(messages_of(response))


def case_U11_imported_tool__saved_unchanged__still_follows_its_source(admin: Client, source: ToolSource) -> None:
    tool = Tool.objects.get()
    assert send(admin, change_url(tool), read_form(admin.get(change_url(tool)), "tool")).status_code == 302
    assert Tool.objects.get().revision == tool.revision
    fill(admin, change_url(tool), "tool", title="Weather")
    _sync(source, "Says the weather and the wind.")
    _decide(admin, "approve")
    assert (Tool.objects.get().title, Tool.objects.get().description) == ("Weather", "Says the weather and the wind.")
