"""P08: what people see follows from their role alone, however they came to it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import Client

from tests.support import make_group, make_key, make_profile, make_tool, resolve, says
from toolcatalog.admin.roles import make_usual_roles
from toolcatalog.models import Tenant

from .pages import change_url, list_url

MODELS = (
    "tool", "toolgroup", "category", "tag", "toolsource", "agentprofile", "tenant", "apikey", "grant", "exposure",
    "call", "revision", "session",
)  # fmt: skip
EMAIL = "person@example.com"
PASSWORD = "a-long-enough-word-7"


@pytest.fixture
def things(tenant: Tenant) -> list[Any]:
    """Things of every kind, some of them of another tenant and shared."""
    tool = make_tool(tenant, "get_order", "Says where an order is", category="orders", tags=("order",))
    make_tool(None, "clock", "Tells the time")
    group = make_group(tenant, "order", ["get_order"], says("order"))
    profile = make_profile(tenant, "bot")
    make_key(tenant, "resolve")
    resolve(tenant, "order", session_id="s")
    return [tool, group, profile, tenant]


def make_by_command(username: str, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", "--username", username, "--email", EMAIL, verbosity=0)
    return User.objects.get(username=username)


def make_in_admin(admin: Client, username: str, **rights: Any) -> User:
    fields = {"username": username, "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert admin.post("/admin/auth/user/add/", fields).status_code == 302
    person = User.objects.get(username=username)
    changed = {"username": username, "is_active": "on", "is_staff": "on", "date_joined_0": "2026-01-01"}
    changed |= {"date_joined_1": "00:00:00", "first_name": "", "last_name": "", "email": EMAIL, **rights}
    answer = admin.post(f"/admin/auth/user/{person.pk}/change/", changed)
    assert answer.status_code == 302, answer.content[:2000]
    return User.objects.get(pk=person.pk)


def pages_of(person: User, things: list[Any]) -> dict[str, tuple[int, str]]:
    """Status and words of every list, and of the page of each thing, without what names the person."""
    browser = Client()
    assert browser.login(username=person.username, password=PASSWORD)
    urls = ["/admin/", "/admin/playground/", *map(list_url, MODELS), *map(change_url, things)]
    answers = {url: browser.get(url) for url in urls}
    return {url: (answer.status_code, read_words(answer.content.decode())) for url, answer in answers.items()}


def read_words(page: str) -> str:
    """What a page says: its texts, and where its links lead."""
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    links = " ".join(sorted(set(re.findall(r'href="(/admin/toolcatalog/[^"]*)"', body))))
    words = " ".join(re.sub(r"<[^>]*>", " ", body).split())
    return re.sub(r"\b(by_command|by_hand)\b", "person", f"{words} {links}")


def case_P08_superusers__by_command_and_in_the_admin__see_the_same(
    admin: Client, things: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_command = make_by_command("by_command", monkeypatch)
    by_hand = make_in_admin(admin, "by_hand", is_superuser="on")
    seen = pages_of(by_command, things)
    assert pages_of(by_hand, things) == seen
    assert {status for status, _ in seen.values()} == {200}
    assert "get_order" in seen[list_url("tool")][1]
    assert "clock" in seen[list_url("tool")][1]


@pytest.mark.parametrize("role", ["Viewers", "Curators", "Auditors", "Managers"])
def case_P08_people_of_one_role__by_command_and_in_the_admin__see_the_same(
    admin: Client, things: list[Any], role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_usual_roles()
    group = Group.objects.get(name=role)
    by_command = make_by_command("by_command", monkeypatch)
    User.objects.filter(pk=by_command.pk).update(is_superuser=False)
    by_command.groups.add(group)
    by_hand = make_in_admin(admin, "by_hand", groups=[str(group.pk)])
    seen = pages_of(by_command, things)
    assert pages_of(by_hand, things) == seen
    assert seen[list_url("tool")][0] == 200
    assert seen[list_url("exposure")][0] == (200 if role in ("Auditors", "Managers") else 403)
