"""T7 to T9, T12, T15: what a search takes, whom it may answer with, and what it says when it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.resolution.conftest import Install
from tests.support import (
    AUTHOR,
    caller_of,
    deny,
    fact,
    grant,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    search,
)
from toolcatalog.contract.errors import InvalidInput, SearchFailed
from toolcatalog.curation import delete_tool
from toolcatalog.models import AgentProfile, Exposure, Session, Tenant

pytestmark = pytest.mark.django_db

BLANK = ["", " ", "\t\n", "\u3000", "\u200b\u2060", "\ufeff", "\u00a0", "...", "？！。", " - _ * "]
NOT_A_NUMBER = [0, -1, 2.9, 3.0, True, False, "five", "2.9", "-1", "0", "٣x", [], {}, [3], "1e1"]


# T7


@pytest.mark.parametrize("query", [None, *BLANK])
def b_T7_blank_query__is_refused_and_names_the_categories(tenant: Tenant, query: Any) -> None:
    make_tool(tenant, "ship", category="orders")
    make_tool(tenant, "rain", category="weather")
    make_tool(make_tenant(), "foreign", category="foreign")
    with pytest.raises(InvalidInput) as refusal:
        search(tenant, query)
    assert (refusal.value.code, refusal.value.errors[0].path) == ("blank_query", "query")
    assert refusal.value.detail.endswith("Categories: orders, weather.")


@pytest.mark.parametrize("query", [5, True, ["ship"], {"query": "ship"}, 1.5])
def b_T7_query_that_is_no_text__is_refused(tenant: Tenant, query: Any) -> None:
    make_tool(tenant, "ship")
    with pytest.raises(InvalidInput) as refusal:
        search(tenant, query)
    assert refusal.value.errors[0].path == "query"


def b_T7_refused_search__leaves_no_trace_in_the_session(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    search(tenant, "ship", session_id="s")
    with pytest.raises(InvalidInput):
        search(tenant, " ", session_id="s")
    assert Session.objects.get().turns == [[["ship"]]]
    assert Exposure.objects.filter(kind="search").count() == 1


# T8


@pytest.fixture
def images(tenant: Tenant) -> Tenant:
    """A tenant with 30 tools that fit one query."""
    make_many_tools(tenant, [f"image_{number:02}" for number in range(30)])
    return tenant


@pytest.mark.parametrize("wanted", [None, ""])
def b_T8_no_number__is_the_default_of_the_profile(images: Tenant, wanted: Any) -> None:
    assert len(search(images, "image", max_results=wanted).names) == 5
    make_profile(images, search={"default_results": 7})
    assert len(search(images, "image", max_results=wanted).names) == 7


@pytest.mark.parametrize(("wanted", "given"), [(1, 1), (5, 5), ("5", 5), (" 5 ", 5), ("05", 5), (20, 20), ("20", 20)])
def b_T8_whole_numbers_and_their_texts__count(images: Tenant, wanted: Any, given: int) -> None:
    assert len(search(images, "image", max_results=wanted).names) == given


@pytest.mark.parametrize("wanted", [21, 25, "30", 10**30])
def b_T8_number_above_the_cap__is_the_cap(images: Tenant, wanted: Any) -> None:
    assert len(search(images, "image", max_results=wanted).names) == 20
    make_profile(images, search={"max_results": 8})
    assert len(search(images, "image", max_results=wanted).names) == 8


@pytest.mark.parametrize("wanted", NOT_A_NUMBER)
def b_T8_anything_else__is_refused(images: Tenant, wanted: Any) -> None:
    with pytest.raises(InvalidInput) as refusal:
        search(images, "image", max_results=wanted)
    assert (refusal.value.code, refusal.value.errors[0].path) == ("bad_max_results", "max_results")


# T9


@pytest.fixture
def shelves(tenant: Tenant) -> Tenant:
    """A tenant with one order tool on each of two shelves, and one on none."""
    make_tool(tenant, "order_by_mail", "Order something.", category="Mail Order")
    make_tool(tenant, "order_api", "Order something.", category="integrations")
    make_tool(tenant, "order_pizza", "Order something.")
    return tenant


@pytest.mark.parametrize("category", [None, "", " ", "\u3000", "\u200b"])
def b_T9_blank_category__filters_nothing(shelves: Tenant, category: str | None) -> None:
    assert len(search(shelves, "order something", category=category).names) == 3


@pytest.mark.parametrize("category", ["mail-order", "Mail Order", "MAIL_ORDER", "mailorder", " mail  order "])
def b_T9_category__case_and_separators_apart__is_equal(shelves: Tenant, category: str) -> None:
    assert search(shelves, "order something", category=category).names == ("order_by_mail",)


@pytest.mark.parametrize("category", ["integ", "integration", "mail", "nowhere"])
def b_T9_unknown_category__finds_nothing_and_hints(shelves: Tenant, category: str) -> None:
    answer = search(shelves, "order something", category=category)
    assert (answer.names, answer.outcome) == ((), "no_match")
    assert answer.hint == f"There is no category “{category}”. Categories: integrations, mail-order."


def b_T9_category_of_tools_that_are_not_for_this_caller__looks_like_an_unknown_one(shelves: Tenant) -> None:
    make_tool(shelves, "order_secret", "Order something.", category="secret")
    make_group(shelves, "staff", ["order_secret"], fact("staff", "is_true"))
    assert search(shelves, "order", category="secret", attributes={"staff": True}).names == ("order_secret",)
    kept, unknown = (search(shelves, "order", category=category) for category in ("secret", "nowhere"))
    assert str(kept.hint).replace("secret", "nowhere") == unknown.hint


# T12


def _disabled(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", status="disabled")


def _draft(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", status="draft")


def _in_review(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", status="in_review")


def _retired(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", status="retired")


def _deleted(tenant: Tenant) -> None:
    delete_tool(make_tool(tenant, "image", "Image, image."), AUTHOR)


def _not_granted(tenant: Tenant) -> None:
    make_tool(None, "image", "Image, image.")


def _denied(tenant: Tenant) -> None:
    make_tool(None, "image", "Image, image.")
    grant(tenant, everything=True)
    deny(tenant, "image")


def _of_another_tenant(tenant: Tenant) -> None:
    make_tool(make_tenant(), "image", "Image, image.")


def _out_of_category_scope(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", category="other")
    make_profile(tenant, search={"categories": ("shelf",)})


def _out_of_tag_scope(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", tags=("other",))
    make_profile(tenant, search={"tags": ("label",)})


def _excluded(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.")
    make_profile(tenant, search={"exclude_tools": ("image",)})


def _not_searchable(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", searchable=False)


def _restricted(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.")
    make_group(tenant, "painters", ["image"], fact("painter", "is_true"))


def _resident(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.")
    make_profile(tenant, resident_tools=("image",))


def _without_callback(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.", execution="callback", callback="not.here")


def _pinned_to_nothing(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image, image.")
    make_profile(tenant, versions={"image": "7.0"})


def _hidden_by_own(tenant: Tenant) -> None:
    make_tool(None, "image", "Image, image.")
    grant(tenant, "image")
    make_tool(tenant, "image", "Image, image.", status="disabled")


EXCLUSIONS: list[Callable[[Tenant], None]] = [
    _disabled,
    _draft,
    _in_review,
    _retired,
    _deleted,
    _not_granted,
    _denied,
    _of_another_tenant,
    _out_of_category_scope,
    _out_of_tag_scope,
    _excluded,
    _not_searchable,
    _restricted,
    _resident,
    _without_callback,
    _pinned_to_nothing,
    _hidden_by_own,
]


@pytest.mark.parametrize("exclude", EXCLUSIONS, ids=lambda exclude: exclude.__name__.strip("_"))
def b_T12_excluded_tool__that_fits_best__takes_none_of_the_places(
    tenant: Tenant, exclude: Callable[[Tenant], None]
) -> None:
    names = [f"x{number}_image" for number in range(3)]
    make_many_tools(tenant, names, category="shelf", tags=("label",))
    exclude(tenant)
    for wanted in (1, 3, 10):
        answer = search(tenant, "image", max_results=wanted)
        assert len(answer.names) == min(wanted, 3)
        assert set(answer.names) <= set(names)
    assert set(search(tenant, "image").names) == set(names)


def b_T12_found_already__may_be_found_again(tenant: Tenant) -> None:
    make_tool(tenant, "image", "Image.")
    assert [search(tenant, "image", session_id="s").names for _ in range(2)] == [("image",)] * 2


def b_T12_found_tools__of_the_search__are_in_the_next_answer(tenant: Tenant) -> None:
    make_many_tools(tenant, [f"x{number}_image" for number in range(9)])
    for exclude in (_disabled, _restricted):
        exclude(make_tenant())
    found = search(tenant, "image", session_id="s").names
    assert resolve(tenant, session_id="s").tool_names == ("toolSearch", *found)


# T15

FAILING = """
from toolcatalog.search import SearchResult

class Plugin:
    name = "broken"
    def save(self, document): pass
    def find_by_name(self, owner_id, name): return None
    def find_all(self, owner_id): return ()
    def search(self, query): raise OSError("the engine is away")
    def remove(self, tool_id): return False
    def clear(self, owner_id): return 0
"""


def b_T15_provider_that_fails__search_is_an_error_and_not_empty(tenant: Tenant, install: Install) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    search(tenant, "ship", session_id="s")
    install("toolcatalog.search_providers", "broken", FAILING)
    make_profile(tenant, search={"provider": "broken"})
    with pytest.raises(SearchFailed) as failure:
        search(tenant, "ship", session_id="s")
    assert failure.value.code == "search_failed"
    assert Session.objects.get().turns == [[["ship"]]]  # a search that failed leaves the list
    assert resolve(tenant, session_id="s").tool_names == ("toolSearch", "ship")


def b_T15_provider_that_is_gone__search_is_a_failure_of_ours(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    AgentProfile.objects.filter(tenant=tenant).update(search_provider="gone")
    with pytest.raises(SearchFailed):
        search(tenant, "ship")
    assert resolve(tenant).tool_names == ("toolSearch",)


# Hints


def test_hint__something_fits_but_is_not_for_the_caller__is_told_to_curators_only(tenant: Tenant) -> None:
    make_tool(tenant, "rain", "Weather.")
    make_tool(tenant, "refund", "Gives money back.")
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_tool(None, "refund_all", "Gives all money back.")
    plain = search(tenant, "gives money back")
    assert (plain.names, plain.hint) == ((), "Nothing fits. Try other words.")
    told = search(tenant, "gives money back", caller=caller_of(tenant, "curate"))
    assert told.names == ()
    assert "refund (ACCESS_RESTRICTED)" in str(told.hint)
    assert "refund_all (NOT_GRANTED)" in str(told.hint)


def test_search__unknown_group__is_a_notice(tenant: Tenant) -> None:
    make_tool(tenant, "ship", "Sends a parcel.")
    make_group(tenant, "parcels", ["ship"])
    answer = search(tenant, "parcel", groups=("parcels", "nowhere"))
    assert answer.names == ("ship",)
    assert [(notice.code, notice.name) for notice in answer.notices] == [("unknown_group", "nowhere")]
    assert search(tenant, "parcel", groups=()).names == ()
