"""Opening and saving what nobody touched changes nothing, whatever an API has stored."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support import grant, make_group, make_profile, make_tenant, make_tool, row
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.curation import LabelDocument, render_group, render_profile, render_tool, save_label
from toolcatalog.models import AgentProfile, Category, Revision, Tag, Tenant, Tool, ToolGroup

from .pages import change_url, errors_of, read_form, send

SCHEMA = {
    "type": "object",
    "properties": {
        "z": {"type": "string", "description": "Línea 1\r\nline 2\n", "enum": ["a", " b "]},
        "a": {"type": "number", "minimum": 1.0, "maximum": 9007199254740993},
        "城市": {"type": "array", "items": {"type": "object", "properties": {"deep": {"type": "boolean"}}}},
    },
    "required": ["z"],
}
ODD_TEXT = "\n  starts with a blank line,\r\nhas both line ends\n\u200fمرحبا 👩‍🔬 <b>&amp;</b> {{ 7 }}  \n"

ROWS: list[MatcherRow] = [
    row("message", "contains_any", ["订单", "物流"], note="why"),
    row("message", "contains_all", "one a line\ntwo", whole_word=True, ignore_case=False),
    row("message", "matches_regex", r"\bAF[0-9]{8}\b", normalise=True),
    row("message", "matches_regex", "a\nb  "),
    row("message", "starts_with", " a blank before"),
    row("model", "in", ["qwen-max", "gpt"], negate=True),
    row("model", "in", "qwen-max\ngpt"),
    row("account_id", "exists"),
    row("account_id", "percentage", 12.5),
    row("account_id", "percentage", 20),
    row("time", "between_times", {"from": "09:00", "to": "18:00", "zone": "Asia/Shanghai", "days": [1, 2, 3]}),
    row("time", "between_times", {"from": "22:00", "to": "06:00"}),
    row("time", "greater_than", "2026-01-31"),
    row("attribute", "equals", "1001", attribute="plan"),
    row("attribute", "equals", 1001, attribute="cart.total", condition_set=2),
    row("attribute", "not_equals", False, attribute="guest", condition_set=2),
    row("attribute", "in", [1, 2.5, 3], attribute="level", condition_set=2),
    row("attribute", "in", ["mixed", 1, True], attribute="level", condition_set=3),
    row("attribute", "less_than", 1e3, attribute="level", condition_set=3),
    row("attribute", "is_true", attribute="mfa", condition_set=7),
]


@pytest.fixture
def things(tenant: Tenant) -> dict[str, Any]:
    """One of everything, with contents that no form would make."""
    make_tool(tenant, "old_tool")
    tool = make_tool(
        tenant,
        "get_order",
        ODD_TEXT,
        title="  Blanks  ",
        category="orders",
        tags=("zeta", "alpha"),
        parameters=SCHEMA,
        keywords={"zh": (" 快递 ", "物流"), "de": ("Paket",), "en": ()},
        output_schema={},
        version="2.1 ",
        replaced_by="old_tool",
        annotations={"readOnlyHint": True},
        metadata={"b": 1.0, "a": [None, "x"]},
        searchable=False,
        status="deprecated",
    )
    group = make_group(
        tenant,
        "order",
        ["old_tool", "get_order", "toolSearch"],
        *ROWS,
        system_prompt=ODD_TEXT,
        description="\n",
        position=20,
    )
    make_group(tenant, "early", position=1)
    after = make_group(
        tenant, "after", [], row("group", "equals", "early"), row("group", "in", ["early", "order"]), position=30
    )
    profile = make_profile(
        tenant,
        "bot",
        resident_tools=("get_order",),
        groups=("order", "early"),
        strict="on",
        versions={"get_order": "1.0"},
        default_model="qwen-max",
        search={
            "categories": ("orders",),
            "tags": (),
            "exclude_tools": ("old_tool",),
            "min_score": 0.25,
            "prefer_used": True,
            "enabled": "groups",
            "system_prompt_suffix": ODD_TEXT,
            "inline_below_tokens": 0,
        },
    )
    shared = make_tool(None, "shared_tool", category="weather")
    return {
        "tool": tool,
        "group": group,
        "group that asks about groups": after,
        "group without rows": make_group(None, "always", for_all_tenants=True, restricts_access=True),
        "profile": profile,
        "default profile": AgentProfile.objects.get(tenant=tenant, slug="default"),
        "grant of a tool": grant(tenant, shared.name, note=" why "),
        "grant of a category": grant(tenant, category="weather", effect="deny"),
        "grant of everything": grant(tenant, everything=True),
        "category": save_label(Category, tenant, LabelDocument("mail-order", " Mail order ", ODD_TEXT)),
        "tag": save_label(Tag, None, LabelDocument("快递", "")),
        "tenant": make_tenant("other", title=" Other ", eviction="lru_ttl", max_sessions=7, text_policy="full"),
    }


def _state(thing: Any) -> Any:
    fresh = type(thing).objects.get(pk=thing.pk)
    renderers: dict[Any, Any] = {Tool: render_tool, ToolGroup: render_group, AgentProfile: render_profile}
    renderer = renderers.get(type(fresh))
    columns = {field.attname: getattr(fresh, field.attname) for field in fresh._meta.concrete_fields}
    return renderer(fresh) if renderer else None, {
        k: bytes(v) if isinstance(v, memoryview) else v for k, v in columns.items()
    }


def case_U11_open_and_save_unchanged__every_type__no_error_and_nothing_new(
    admin: Client, things: dict[str, Any]
) -> None:
    for name, thing in things.items():
        before, revisions = _state(thing), Revision.objects.count()
        url = change_url(thing)
        response = send(admin, url, read_form(admin.get(url), thing._meta.model_name))
        assert response.status_code == 302, (name, errors_of(response))
        assert _state(thing) == before, name
        assert Revision.objects.count() == revisions, name


def test_save__only_the_title_changed__the_rest_is_exactly_as_it_was(admin: Client, things: dict[str, Any]) -> None:
    tool = things["tool"]
    before = _state(tool)[0]
    url = change_url(tool)
    fields = [(name, value) for name, value in read_form(admin.get(url), "tool") if name != "title"]
    assert send(admin, url, [*fields, ("title", "New")]).status_code == 302
    assert _state(tool)[0] == {**before, "title": "New"}
