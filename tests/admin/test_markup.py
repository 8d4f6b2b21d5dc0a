"""Hostile texts are shown as texts, on every page (T17)."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import (
    edit_group,
    edit_tool,
    fact,
    grant,
    make_group,
    make_key,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    says,
    search,
    set_tenant,
)
from toolcatalog.auditing import CallEntry, CallOutcome, end_calls, start_calls
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.curation import LabelDocument, save_label
from toolcatalog.models import Call, Category, Exposure, Revision, Session, Tag, Tenant, Tool, ToolGroup
from toolcatalog.selectors import read_tenant

from .pages import add_url, change_url, list_url, read_form, send

HOSTILE = "\"><img src=x onerror=alert(1)></script><script>alert(2)</script>'{{7*7}}<svg/onload=alert(3)>"


class _Judge(HTMLParser):
    """Collects what a page must not have: tags and attributes that hostile text could have made, and scripts in it."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.faults.append("a script in the page")
        if tag in {"img", "svg", "iframe", "object", "embed"}:
            self.faults.append(f"a tag {tag}")
        for name, value in attrs:
            if name.startswith("on"):
                self.faults.append(f"a handler {name}")
            if name in {"href", "src", "action"} and (value or "").strip().lower().startswith(("javascript:", "data:")):
                self.faults.append(f"{name} {value}")


@pytest.fixture
def hostile(db: None) -> dict[str, Any]:
    """One of everything, with hostile text wherever text may be."""
    tenant = make_tenant("acme", title=HOSTILE, text_policy="full")
    schema = {"type": "object", "properties": {HOSTILE: {"type": "string", "description": HOSTILE, "enum": [HOSTILE]}}}
    tool = make_tool(
        tenant,
        "get_order",
        HOSTILE,
        title=HOSTILE,
        parameters=schema,
        keywords={HOSTILE: (HOSTILE,)},
        metadata={HOSTILE: HOSTILE},
        version=HOSTILE[:64],
        category="c",
        tags=("t",),
    )
    save_label(Category, tenant, LabelDocument("c", HOSTILE, HOSTILE), label=Category.objects.get())
    save_label(Tag, tenant, LabelDocument("t", HOSTILE), label=Tag.objects.get())
    make_tool(None, "shared", HOSTILE, category="s")
    group = make_group(
        tenant,
        HOSTILE[:100],
        ["get_order"],
        says("订单", note=HOSTILE),
        fact(HOSTILE[:80], "equals", HOSTILE, condition_set=2),
        says(HOSTILE, condition_set=3),
        title=HOSTILE,
        description=HOSTILE,
        system_prompt=HOSTILE,
    )
    profile = make_profile(
        tenant,
        title=HOSTILE,
        resident_tools=("get_order",),
        default_model=HOSTILE[:100],
        search={"system_prompt_suffix": HOSTILE},
    )
    key = make_key(tenant).key
    resolve(tenant, HOSTILE, account_id=HOSTILE, model=HOSTILE, conversation_id=HOSTILE, attributes={HOSTILE: HOSTILE})
    search(tenant, HOSTILE, session_id=HOSTILE)
    record_call(tenant, HOSTILE)
    return {
        "tenant": tenant,
        "tool": tool,
        "group": group,
        "profile": profile,
        "key": key,
        "grant": grant(tenant, "shared", note=HOSTILE),
    }


def record_call(tenant: Tenant, text: str) -> None:
    """A call on record whose every text is this one."""
    entry = CallEntry(
        door="tool_calls",
        tenant=read_tenant(tenant.pk),
        api_key_id=None,
        profile_id=None,
        request_id=text,
        context=EvaluationContext(text, timezone.now(), account_id=text, model=text, conversation_id=text),
        call_id=text,
        name=text,
        exported_name=text,
        version=text,
        reasons=(text,),
        groups=(text,),
        session_id=text,
        arguments={text: text},
    )
    end_calls(entry.tenant, [(call_id, CallOutcome("error", 1, text)) for call_id in start_calls([entry])])


def _judge(url: str, content: str) -> None:
    judge = _Judge()
    judge.feed(content)
    assert not judge.faults, (url, judge.faults)
    assert HOSTILE not in content, url


def rel_T17_hostile_texts__on_every_page__are_escaped(admin: Client, hostile: dict[str, Any]) -> None:
    edit_tool(hostile["tool"], description=HOSTILE + "2" + HOSTILE)
    edit_group(hostile["group"], system_prompt=HOSTILE + "2")
    things = [
        *hostile.values(),
        Category.objects.first(),
        Tag.objects.first(),
        *Exposure.objects.all(),
        *Revision.objects.all(),
        *Session.objects.all(),
        *Call.objects.all(),
    ]
    urls = [
        "/admin/",
        "/admin/usage/",
        "/admin/callbacks/",
        *(change_url(thing) for thing in things if thing is not None),
    ]
    for model in (
        "tool",
        "toolgroup",
        "category",
        "tag",
        "agentprofile",
        "tenant",
        "apikey",
        "grant",
        "exposure",
        "revision",
        "session",
        "call",
    ):
        urls.append(list_url(model))
        urls.append(f"{list_url(model)}?q={HOSTILE}&tenant={HOSTILE}&account={HOSTILE}")
    for model in ("tool", "toolgroup", "agentprofile", "tenant", "apikey", "grant", "category"):
        urls.append(f"{add_url(model)}?name={HOSTILE}&title={HOSTILE}&tool={HOSTILE}&description={HOSTILE}")
    for url in urls:
        response = admin.get(url)
        assert response.status_code in {200, 302}, url
        _judge(url, response.content.decode())


def rel_T17_hostile_texts__in_answers_while_typing__are_escaped(admin: Client, hostile: dict[str, Any]) -> None:
    play = {
        "tenant": "acme",
        "message": HOSTILE,
        "account": HOSTILE,
        "query": HOSTILE,
        "tool": HOSTILE,
        "attributes": json.dumps({"a": HOSTILE}),
    }
    _judge("playground", admin.get("/admin/playground/", play).content.decode())
    _judge(
        "playground, wrong",
        admin.get("/admin/playground/", {**play, "attributes": HOSTILE, "profile": HOSTILE}).content.decode(),
    )
    picked = admin.get("/admin/pick/tool/", {"q": "", "owner": hostile["tenant"].pk})
    assert picked["Content-Type"] == "application/json"
    assert picked["X-Content-Type-Options"] == "nosniff"
    group = ToolGroup.objects.get()
    words = send(admin, "/admin/toolcatalog/toolgroup/words/", read_form(admin.get(change_url(group)), "toolgroup"))
    _judge("words", words.content.decode())
    effect = change_url(group).replace("/change/", "/effect/")
    fields_of_group = [*read_form(admin.get(change_url(group)), "toolgroup"), ("restricts_access", "no")]
    _judge("effect", send(admin, effect, fields_of_group).content.decode())
    exposure = Exposure.objects.filter(kind="resolve").latest("at")
    edit_tool(hostile["tool"], status="disabled")
    replayed = admin.post(change_url(exposure).replace("/change/", "/replay/")).content.decode()
    assert "not shown now" in replayed
    _judge("replay", replayed)
    tool = Tool.objects.get(name="get_order")
    fields = dict(read_form(admin.get(change_url(tool)), "tool"))
    _judge(
        "parameters",
        admin.post("/admin/toolcatalog/tool/parameters/", {"parameters": fields["parameters"]}).content.decode(),
    )


def rel_T17_hostile_texts__in_refused_forms_and_conflicts__are_escaped(admin: Client, hostile: dict[str, Any]) -> None:
    tool = Tool.objects.get(name="get_order")
    fields = [(name, value) for name, value in read_form(admin.get(change_url(tool)), "tool") if name != "name"]
    _judge("refused", send(admin, change_url(tool), [*fields, ("name", HOSTILE)]).content.decode())
    edit_tool(tool, description="theirs")
    _judge("conflict", send(admin, change_url(tool), [*fields, ("name", "get_order")]).content.decode())
    group = ToolGroup.objects.get()
    rows = [
        (name, value)
        for name, value in read_form(admin.get(change_url(group)), "toolgroup")
        if not name.endswith("-operator")
    ]
    _judge("rows", send(admin, change_url(group), [*rows, ("matchers-0-operator", HOSTILE)]).content.decode())


def test_new_key__with_a_hostile_name__is_escaped(admin: Client) -> None:
    tenant = set_tenant(make_tenant("acme"), title=HOSTILE)
    fields = [
        (name, value)
        for name, value in read_form(admin.get(add_url("apikey")), "apikey")
        if name not in {"tenant", "name"}
    ]
    page = send(admin, add_url("apikey"), [*fields, ("tenant", str(tenant.pk)), ("name", HOSTILE[:100])])
    assert page.status_code == 200
    _judge("new key", page.content.decode())
