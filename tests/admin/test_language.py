"""The admin speaks Chinese as well as English: labels, help, sentences of the services, rules in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin as django_admin
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from tests.support import fact, make_group, make_profile, make_tool, resolve, row, says
from toolcatalog.admin import words
from toolcatalog.admin.reasons import REASONS
from toolcatalog.admin.rule_words import say_group
from toolcatalog.admin.sentences import FORMATS, RULES, SENTENCES, THEME
from toolcatalog.admin.translating import translate_sentence
from toolcatalog.contract.catalog import (
    Disclosure,
    Effect,
    Eviction,
    Execution,
    Policy,
    SearchMode,
    TextPolicy,
    ToolStatus,
)
from toolcatalog.contract.matching import Operator, Source
from toolcatalog.contract.reasons import Reason
from toolcatalog.matchers import OPERATORS
from toolcatalog.models import Exposure, Revision, Tenant

from .pages import add_url, change_url, errors_of, fill, list_url

CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-hans"}


@pytest.fixture
def in_chinese() -> Iterator[None]:
    """Chinese for the time of the test."""
    with translation.override("zh-hans"):
        yield


def _has_chinese(text: Any) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in str(text))


@pytest.mark.parametrize("text", [*SENTENCES, *RULES, *THEME, *FORMATS])
def test_sentence__is_translated_with_its_places(in_chinese: None, text: str) -> None:
    translated = gettext(text)
    assert _has_chinese(translated)
    for place in ("{0}", "{1}", "{2}", "{subject}", "{value}", "{attribute}", "%(filter_title)s"):
        assert (place in text) == (place in translated)


def test_rules__every_sentence_of_an_operator__is_known(in_chinese: None) -> None:
    for definition in OPERATORS.values():
        assert {definition.says, definition.says_not} <= set(RULES)


@pytest.mark.parametrize(
    ("known", "enumeration"),
    [
        (words.STATUSES, ToolStatus),
        (words.EXECUTIONS, Execution),
        (words.POLICIES, Policy),
        (words.DISCLOSURES, Disclosure),
        (words.SEARCH_MODES, SearchMode),
        (words.EFFECTS, Effect),
        (words.TEXT_POLICIES, TextPolicy),
        (words.EVICTIONS, Eviction),
        (words.SOURCES, Source),
        (words.OPERATORS, Operator),
        (REASONS, Reason),
    ],
)
def test_words__every_value_of_the_contract_has_some(known: Any, enumeration: Any) -> None:
    assert set(known) == set(enumeration)


def test_models__labels_and_help__are_translated(in_chinese: None) -> None:
    for model in django_admin.site._registry:
        if model._meta.app_label != "toolcatalog":
            continue
        texts = [model._meta.verbose_name, model._meta.verbose_name_plural]
        for field in model._meta.concrete_fields:
            if field.editable and not field.primary_key and str(field.verbose_name) != field.name.replace("_", " "):
                texts += [field.verbose_name, field.help_text]
        for text in texts:
            assert not text or _has_chinese(text) or "API" in str(text), (model, str(text))


def test_sentence__with_values__keeps_them(in_chinese: None) -> None:
    assert translate_sentence("There is no tool “get_order”. Create it first, or mend the name.") == (
        "没有工具“get_order”。请先创建，或更正名称。"
    )
    assert "{0}" in translate_sentence("There is no tool “{0}”. Create it first, or mend the name.")
    assert translate_sentence("Something that nobody translated.") == "Something that nobody translated."
    assert translate_sentence("") == ""


def test_sentence__in_english__is_as_it_was() -> None:
    with translation.override("en"):
        said = "“order” is listed twice. List it once."
        assert translate_sentence(said) == said


def test_rule__in_chinese__words_translated_and_values_kept(tenant: Tenant, in_chinese: None) -> None:
    times: Any = {"from": "09:00", "to": "18:00", "zone": "Asia/Shanghai", "days": [1, 5]}
    group = make_group(
        tenant,
        "order",
        [],
        says("订单", "parcel"),
        fact("plan", "equals", "premium", negate=True),
        row("time", "between_times", times, condition_set=2),
    )
    first, second = say_group(group).sentences
    assert first == "最后一条用户消息包含以下任一：订单, parcel，并且属性 “plan”不是 premium"
    assert second == "请求时间在 09:00 至 18:00（Asia/Shanghai）（周一, 周五） 之间"


def case_U13_errors__in_chinese_and_english__beside_the_same_field(admin: Client, tenant: Tenant) -> None:
    english = errors_of(fill(admin, add_url("tool"), "tool", name="get order", parameters='{"type": "string"}'))
    admin.defaults.update(CHINESE)
    chinese = errors_of(fill(admin, add_url("tool"), "tool", name="get order", parameters='{"type": "string"}'))
    assert set(english) == set(chinese) == {"name", "parameters"}
    assert all(_has_chinese(text) for texts in chinese.values() for text in texts)
    assert "get_order" in chinese["name"][0]


def test_pages__in_chinese__every_one_opens(admin: Client, tenant: Tenant) -> None:
    tool = make_tool(tenant, "get_order", "根据订单号查询订单状态")
    group = make_group(tenant, "order", ["get_order"], says("订单"))
    profile = make_profile(tenant)
    resolve(tenant, "订单")
    admin.defaults.update(CHINESE)
    things = (tool, group, profile, tenant, Exposure.objects.get(), Revision.objects.first())
    lists = (
        "tool",
        "toolgroup",
        "category",
        "agentprofile",
        "tenant",
        "apikey",
        "grant",
        "exposure",
        "revision",
        "session",
    )
    play = "/admin/playground/?tenant=acme&message=订单&query=订单&tool=get_order"
    for url in ("/admin/", play, *(change_url(thing) for thing in things), *(list_url(name) for name in lists)):
        page = admin.get(url)
        assert page.status_code == 200, url
        assert "工具组" in page.content.decode(), url
        assert 'lang="zh-hans"' in page.content.decode(), url
