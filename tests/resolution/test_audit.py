"""A1 to A5, A10, A15: no answer without its record, each record once, and nothing in it that should not be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from django.db import DatabaseError, ProgrammingError, connection, connections, transaction
from django.db.models import QuerySet

from tests.support import (
    fact,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    says,
    search,
    sent,
    set_tenant,
)
from toolcatalog.auditing.record import COMMITTED
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.models import Exposure, ExposureContent, Session, Tenant

AUDIT_TABLES = ("toolcatalog_exposure", "toolcatalog_exposure_content", "toolcatalog_call", "toolcatalog_call_end")
MARK = "SECRET-WORDS-OF-A-PERSON"


@pytest.fixture
def tenant() -> Tenant:
    tenant = make_tenant()
    make_tool(tenant, "ship", "Sends a parcel.")
    make_tool(tenant, "track", "Tracks a parcel.")
    make_group(tenant, "g", ["ship"], says("parcel"), system_prompt="Be brief.")
    return tenant


def body_of(exposure: Exposure) -> bytes:
    return bytes(ExposureContent.objects.get(pk=exposure.snapshot_sha256).body)


def exposures(tenant: Tenant) -> QuerySet[Exposure]:
    """The tenant's records. Those of other tests stay: records are never deleted."""
    return Exposure.objects.filter(tenant_id=tenant.pk)


def exposure_of(answer: ResolveAnswer) -> Exposure:
    return Exposure.objects.get(pk=answer.snapshot.id)


@contextmanager
def refusing(table: str) -> Iterator[None]:
    """For a while, nothing can be written into the table."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse_for_tests() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_for_tests()"
        )
    try:
        yield
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse_for_tests() CASCADE")


# A2: no record, no answer


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["toolcatalog_exposure", "toolcatalog_exposure_content"])
def rel_A2_record_cannot_be_written__nothing_is_answered(tenant: Tenant, table: str) -> None:
    with refusing(table):
        for _ in range(2):
            with pytest.raises(DatabaseError):
                resolve(tenant, "parcel")
            with pytest.raises(DatabaseError):
                search(tenant, "parcel", session_id="s")
    assert not exposures(tenant).exists()
    assert not Session.objects.exists()  # what nobody was told is not remembered
    answer = resolve(tenant, "parcel")
    assert exposure_of(answer).outcome == "resolved"
    assert body_of(exposure_of(answer))


@pytest.mark.django_db(transaction=True)
def rel_A1_transaction_lost_after_the_record__leaves_nothing_and_is_not_taken_for_stored(tenant: Tenant) -> None:
    with transaction.atomic():
        answer = resolve(tenant, "parcel")
        transaction.set_rollback(True)
    assert not exposures(tenant).exists()
    assert not ExposureContent.objects.filter(tenant_id=tenant.pk).exists()
    again = resolve(tenant, "parcel")
    assert again.snapshot.digest == answer.snapshot.digest
    assert body_of(exposure_of(again))


# A3 and A15: one record for each answer, one content for equal ones


def in_threads(count: int, ask: Any) -> list[Any]:
    def one(number: int) -> Any:
        try:
            return ask(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        return list(threads.map(one, range(count)))


@pytest.mark.django_db(transaction=True)
def rel_A3_parallel_answers__each_has_exactly_one_record(tenant: Tenant) -> None:
    def ask(number: int) -> Any:
        if number % 4 == 3:
            search(tenant, "parcel", session_id=f"s-{number % 8}")
            return None
        return resolve(tenant, ("parcel", "other")[number % 2], account_id=f"a-{number}").snapshot.id

    ids = [answer for answer in in_threads(80, ask) if answer is not None]
    assert len(set(ids)) == 60
    assert set(exposures(tenant).filter(kind="resolve").values_list("id", flat=True)) == set(ids)
    assert exposures(tenant).filter(kind="search").count() == 20
    accounts = exposures(tenant).filter(kind="resolve").values_list("account", flat=True)
    assert len(set(accounts)) == 60


@pytest.mark.django_db(transaction=True)
def rel_A15_same_new_content_at_once__is_one_row_and_no_error(tenant: Tenant) -> None:
    def ask(_: int) -> str:
        COMMITTED.clear()  # as if each were another process
        return resolve(tenant, "parcel").snapshot.digest

    digests = set(in_threads(24, ask))
    assert len(digests) == 1
    assert exposures(tenant).count() == 24
    assert ExposureContent.objects.filter(pk__in=exposures(tenant).values("snapshot_sha256")).count() == 1


@pytest.mark.django_db(transaction=True)
def rel_T8_two_tenants_at_once__each_answer_holds_only_its_own(tenant: Tenant) -> None:
    second = make_tenant()
    make_tool(second, "ship", "Of the second.")
    make_group(second, "g", ["ship"], says("parcel"), system_prompt="Second.")

    def ask(number: int) -> tuple[int, str]:
        return number % 2, str(sent(resolve((tenant, second)[number % 2], "parcel", system_prompt=f"mark-{number}.")))

    for whose, tools in in_threads(40, ask):
        assert ("Of the second." in tools) is (whose == 1)
    for one in (tenant, second):
        assert {orjson.loads(body_of(exposure))["tenant"] for exposure in exposures(one)} == {one.slug}
        assert exposures(one).count() == 20


# A4: the digest is the hash of what is stored


@pytest.mark.django_db
@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "gemini", "generic"])
def rel_A4_digest__is_the_hash_stored_and_computed_again(tenant: Tenant, format_name: str) -> None:
    answer = resolve(tenant, "parcel", format=format_name)
    exposure = exposure_of(answer)
    body = body_of(exposure)
    assert answer.snapshot.digest == f"sha256:{hashlib.sha256(body).hexdigest()}"
    assert answer.snapshot.digest == f"sha256:{bytes(exposure.snapshot_sha256).hex()}"
    assert bytes(ExposureContent.objects.get(pk=exposure.snapshot_sha256).sha256) == hashlib.sha256(body).digest()


@pytest.mark.django_db
def rel_A4_stored_snapshot__holds_the_tools_as_they_were_sent(tenant: Tenant) -> None:
    answer = resolve(tenant, "parcel", active_tools=("track",), format="openai_chat")
    body = orjson.loads(body_of(exposure_of(answer)))
    assert [tool["definition"] for tool in body["tools"]] == sent(answer)
    assert [tool["name"] for tool in body["tools"]] == list(answer.tool_names)
    assert body["groups"][0]["name"] == "g"
    by_name = {tool["name"]: tool for tool in body["tools"]}
    assert (by_name["ship"]["reasons"], by_name["ship"]["groups"]) == (["TARGETING_MATCH"], ["g"])
    assert by_name["track"]["reasons"] == ["SEARCH_HIT"]
    assert all(by_name[name]["revision"] == 1 for name in ("ship", "track"))


@pytest.mark.django_db
def rel_A4_content_that_is_not_its_hash__is_refused_by_the_database(tenant: Tenant) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO toolcatalog_exposure_content (sha256, tenant_id, body) VALUES (sha256('a'), %s, 'b')",
            [tenant.pk],
        )


# A5: what the application's role may not


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE toolcatalog_exposure",
        "ALTER TABLE toolcatalog_exposure ADD COLUMN x int",
        "TRUNCATE toolcatalog_exposure_content",
        *(f"UPDATE {table} SET tenant_id = 1" for table in AUDIT_TABLES),
        *(f"DELETE FROM {table}" for table in AUDIT_TABLES),
        "DELETE FROM toolcatalog_exposure_default",
        "SET LOCAL session_replication_role = replica",
    ],
)
def rel_A5_role_of_the_application__cannot_change_empty_or_alter_the_tables(tenant: Tenant, statement: str) -> None:
    resolve(tenant, "parcel")
    with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("statement", ["UPDATE {} SET tenant_id = 1", "DELETE FROM {}"])
def rel_A5_owner_by_mistake__changes_no_row_of_a_table_or_a_partition(tenant: Tenant, statement: str) -> None:
    resolve(tenant, "parcel")
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM toolcatalog_exposure")
        (partition,) = cursor.fetchone() or ("",)
        assert partition != "toolcatalog_exposure"
        for table in ("toolcatalog_exposure", partition, "toolcatalog_exposure_content"):
            with pytest.raises(ProgrammingError, match="never changed"):
                cursor.execute(statement.format(table))
    assert Exposure.objects.count() == 1


# A10: contents of two tenants are never one


@pytest.mark.django_db
def rel_A10_equal_answers__share_a_content_within_a_tenant_only(tenant: Tenant) -> None:
    twin = make_tenant()
    for one in (tenant, twin):
        make_profile(one, search={"enabled": False})
        make_group(one, "empty", [], says("empty"))
    first, second, third = resolve(tenant, "a"), resolve(tenant, "b"), resolve(twin, "a")
    assert sent(first) == sent(second) == sent(third) == []
    assert first.snapshot.digest == second.snapshot.digest != third.snapshot.digest
    assert len({bytes(exposure_of(answer).snapshot_sha256) for answer in (first, second, third)}) == 2
    contexts = {bytes(exposure_of(answer).context_sha256 or b"") for answer in (first, third)}
    assert len(contexts) == 2


# A15 (cases): texts


def everything_recorded(tenant: Tenant) -> str:
    rows = list(exposures(tenant).values())
    contents = [
        bytes(body) for body in ExposureContent.objects.filter(tenant_id=tenant.pk).values_list("body", flat=True)
    ]
    return str(rows) + str(contents)


@pytest.mark.django_db
@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "generic"])
def case_A15_texts_not_kept__message_text_is_nowhere(tenant: Tenant, format_name: str) -> None:
    system: dict[str, Any] = {"system_prompt": f"{MARK} base"} if format_name == "anthropic" else {}
    head = [] if system else [{"role": "system", "content": f"{MARK} base"}]
    messages = [*head, {"role": "user", "content": f"{MARK} parcel"}]
    first = resolve(tenant, messages=messages, format=format_name, **system)
    second = resolve(tenant, messages=messages, format=format_name, **system)
    other = resolve(tenant, prompt=f"{MARK} parcel, other", format=format_name)
    search(tenant, f"{MARK} parcel", category=f"{MARK} shelf")
    assert MARK not in everything_recorded(tenant)
    digests = [bytes(exposure_of(a).text_digest or b"") for a in (first, second, other)]
    assert digests[0] == digests[1] != digests[2]
    assert all(len(digest) == 32 for digest in digests)


@pytest.mark.django_db
def case_A15_texts_not_kept__two_tenants_have_different_digests(tenant: Tenant) -> None:
    answers = (resolve(tenant, "hello"), resolve(make_tenant(), "hello"))
    assert len({bytes(exposure_of(answer).text_digest or b"") for answer in answers}) == 2
    assert hashlib.sha256(b"hello").digest() not in {bytes(exposure_of(a).text_digest or b"") for a in answers}


@pytest.mark.django_db
def case_A15_texts_kept__message_and_base_are_recorded(tenant: Tenant) -> None:
    set_tenant(tenant, text_policy="full")
    answer = resolve(tenant, f"{MARK} parcel", system_prompt=f"{MARK} base")
    assert exposure_of(answer).text == f"{MARK} parcel"
    assert orjson.loads(body_of(exposure_of(answer)))["system_prompt"].startswith(f"{MARK} base")


@pytest.mark.django_db
def case_A11_record__says_who_was_shown_what_and_why(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["track"], fact("staff", "is_true"))
    answer = resolve(
        tenant,
        "parcel",
        account_id="account",
        model="model",
        conversation_id="conversation",
        bot_id="bot",
        turn_id="turn",
        attributes={"staff": True},
        session_id="session",
    )
    exposure = exposure_of(answer)
    assert (exposure.kind, exposure.account, exposure.model) == ("resolve", "account", "model")
    assert (exposure.conversation_id, exposure.session_id) == ("conversation", "session")
    assert (exposure.correlation_id, exposure.request_id) == ("conversation", "request-of-tests")
    assert exposure.catalog_revision == answer.snapshot.catalog_revision
    assert exposure.at == answer.snapshot.created_at
    content = ExposureContent.objects.get(pk=exposure.snapshot_sha256)
    assert len(content.tool_ids) == 2
    assert len(content.group_ids) == 2
    assert exposure.context_sha256 is not None
    context = orjson.loads(bytes(ExposureContent.objects.get(pk=exposure.context_sha256).body))
    assert context == {"attributes": {"staff": True}, "bot_id": "bot", "tenant": tenant.slug, "turn_id": "turn"}


@pytest.mark.django_db
def case_A16_one_turn__has_one_correlation_id(tenant: Tenant) -> None:
    cases: list[tuple[dict[str, Any], str | None]] = [
        ({"conversation_id": "c", "session_id": "s", "correlation_id": "x"}, "c"),
        ({"session_id": "s", "correlation_id": "x"}, "s"),
        ({"correlation_id": "x"}, "x"),
        ({}, None),
    ]
    for fields, expected in cases:
        answer = resolve(tenant, **fields)
        search(tenant, "parcel", **fields)
        newest = exposures(tenant).order_by("-at", "-id")[:2]
        assert {exposure.correlation_id for exposure in newest} == {expected}
        assert {exposure.kind for exposure in newest} == {"resolve", "search"}
        assert exposure_of(answer).correlation_id == expected


@pytest.mark.django_db
def test_unchanged_digest__answers_without_the_parts_and_is_recorded(tenant: Tenant) -> None:
    first = resolve(tenant, "parcel")
    again = resolve(tenant, "parcel", if_digest=first.snapshot.digest)
    assert (again.unchanged, again.returns) == (True, frozenset())
    assert exposure_of(again).outcome == "unchanged"
    other = resolve(tenant, "bye", if_digest=first.snapshot.digest)
    assert (other.unchanged, exposure_of(other).outcome) == (False, "resolved")
