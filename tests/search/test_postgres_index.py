"""What only an index in the database can get wrong."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from weakref import ref

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.search.builders import OTHER_OWNER, OWNER, Catalog, many_tools, parameters, tool
from toolcatalog.contract.errors import SearchFailed
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.models.search import SearchEntry, SearchPosting, SearchTerm, SearchWord
from toolcatalog.search import SearchQuery, get_provider, match_tool_ids, save_documents, search_tools
from toolcatalog.search.providers.memory import MemoryProvider
from toolcatalog.search.providers.postgres import PostgresProvider
from toolcatalog.search.providers.postgres.permission import IN_ARRAY, IN_BITMAP, write_condition
from toolcatalog.search.ranking import index_document

WORDS = [
    "order",
    "orders",
    "weather",
    "forecast",
    "getOrder",
    "get_order",
    "city",
    "天气",
    "查询订单",
    "mail",
    "calc",
    "2",
]
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def assert_counts_are_right() -> None:
    """What is counted per owner equals what a recount of the stored tools gives."""
    terms: dict[tuple[int, str], int] = {}
    words: dict[tuple[int, str], int] = {}
    provider = PostgresProvider()
    for owner in (None, OWNER, OTHER_OWNER):
        for document in provider.find_all(owner):
            indexed = index_document(document)
            for lexeme in ("", *indexed.postings):
                terms[owner or 0, lexeme] = terms.get((owner or 0, lexeme), 0) + 1
            for word in indexed.words:
                words[owner or 0, word.written] = words.get((owner or 0, word.written), 0) + 1
    assert {(term.owner_key, term.lexeme): term.tools for term in SearchTerm.objects.all()} == terms
    assert {(word.owner_key, word.word): word.tools for word in SearchWord.objects.all()} == words


@pytest.mark.django_db
def test_index__after_saves_moves_and_removals_in_any_order__counts_are_right() -> None:
    random = Random(4)
    provider = PostgresProvider()
    documents = [tool(f"tool_{number}") for number in range(12)]
    for _ in range(120):
        document = random.choice(documents)
        if random.random() < 0.3:
            provider.remove(document.tool_id)
            continue
        words = " ".join(random.choices(WORDS, k=4))
        owner = random.choice([None, OWNER, OTHER_OWNER])
        provider.save(replace(document, owner_id=owner, description=words, parameters=parameters(city=words)))
    assert_counts_are_right()
    provider.clear(OWNER)
    assert_counts_are_right()
    assert not SearchPosting.objects.filter(owner_key=OWNER).exists()


@pytest.mark.django_db
def test_index__one_document_twice_in_a_batch__the_last_counts() -> None:
    document = tool("get_order", "first")
    PostgresProvider().save_all([document, replace(document, description="second")])
    assert PostgresProvider().find_all(OWNER)[0].description == "second"
    assert_counts_are_right()


@pytest.mark.django_db
def test_index__an_unchanged_tool__writes_nothing() -> None:
    document = tool("get_order", "Reads an order")
    PostgresProvider().save(document)
    with CaptureQueriesContext(connection) as queries:
        PostgresProvider().save(document)
    assert not [query for query in queries if query["sql"].lstrip().startswith(("INSERT", "UPDATE", "DELETE"))]


@pytest.mark.django_db
def b_T3_tool_and_index_change_together_or_not_at_all() -> None:
    catalog = Catalog(PostgresProvider(), [tool("get_order", "Reads an order")])
    with transaction.atomic():
        catalog.provider.save(tool("get_parcel", "Reads a parcel"))
        transaction.set_rollback(True)
    assert [document.name for document in PostgresProvider().find_all(OWNER)] == ["get_order"]
    assert_counts_are_right()


@pytest.mark.django_db
def b_T15_a_database_that_fails_is_an_error_and_spoils_no_transaction() -> None:
    catalog = Catalog(PostgresProvider(), [tool("get_order")])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL search_path = pg_catalog")
        with pytest.raises(SearchFailed):
            catalog.search("get_order")
        cursor.execute("SET LOCAL search_path = public")
    assert catalog.find("get_order") == ["get_order"]


@pytest.mark.django_db
@pytest.mark.parametrize("build", [lambda: [tool("get_order")], many_tools])
def case_S31_a_search_is_two_statements_however_many_tools(build: Callable[[], list[SearchDocument]]) -> None:
    catalog = Catalog(PostgresProvider(), build())
    with CaptureQueriesContext(connection) as queries:
        catalog.find("get the order of an invoice 订单")
    read = [query["sql"] for query in queries if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(read) == 2


def read_places(tool_id: int) -> dict[str, object]:
    """Where the postings of a tool lie: what is written again lies elsewhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT lexeme, ctid::text FROM toolcatalog_searchposting WHERE tool_id = %s", [tool_id])
        return dict(cursor.fetchall())


@pytest.mark.django_db
def test_save__a_word_of_the_description_is_another__only_what_changed_is_written() -> None:
    document = tool("get_order", "Reads an order from the ledger")
    provider = PostgresProvider()
    provider.save(document)
    before = read_places(document.tool_id)
    provider.save(replace(document, description="Reads an order from the archive"))
    after = read_places(document.tool_id)
    assert set(before) - set(after) == {"ledger"}
    assert set(after) - set(before) == {"archiv"}
    assert {lexeme for lexeme in before if before[lexeme] != after.get(lexeme)} == {"ledger"}
    assert_counts_are_right()


@pytest.mark.django_db
def test_save__the_tool_has_another_owner__every_posting_moves() -> None:
    document = tool("get_order", "Reads an order")
    catalog = Catalog(PostgresProvider(), [document])
    catalog.provider.save(replace(document, owner_id=OTHER_OWNER))
    assert catalog.find("order", allowed=[document.tool_id]) == []
    assert catalog.find("order", allowed=[document.tool_id], owners=[OTHER_OWNER]) == ["get_order"]
    assert set(SearchPosting.objects.values_list("owner_key", flat=True)) == {OTHER_OWNER}
    assert_counts_are_right()


@pytest.mark.django_db
def test_reindex__entries_of_another_tokenizer__are_made_again_once() -> None:
    catalog = Catalog(PostgresProvider(), [tool("get_order"), tool("shared_order", owner_id=None)])
    SearchEntry.objects.update(tokenizer_version=0)
    SearchPosting.objects.filter(lexeme="order").delete()
    assert catalog.find("order", owners=[OWNER, None]) == []
    assert PostgresProvider().reindex() == 2
    assert set(catalog.find("order", owners=[OWNER, None])) == {"get_order", "shared_order"}
    assert PostgresProvider().reindex() == 0
    assert_counts_are_right()


@pytest.mark.django_db
@pytest.mark.parametrize("gap", [1, 3, 1_000])
def b_T12_the_condition_on_ids_is_exact_in_either_form(gap: int) -> None:
    random = Random(gap)
    allowed = frozenset(gap * number + random.randrange(gap) - 500 for number in range(300))
    condition = write_condition(allowed)
    assert condition.condition == (IN_BITMAP if gap < 10 else IN_ARRAY)
    asked = sorted(
        {*allowed, *(tool_id + 1 for tool_id in allowed), min(allowed) - 9, max(allowed) + 9, 2**62, -(2**62)}
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT tool_id FROM unnest(%(asked)s::bigint[]) AS tools(tool_id) WHERE {condition.condition}",
            {"asked": asked, **condition.parameters},
        )
        assert {tool_id for (tool_id,) in cursor.fetchall()} == allowed


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["postgres", "hybrid", "regex", "ts_rank"])
def test_search__the_allowed_ids__are_kept_by_nobody_once_it_is_done(name: str) -> None:
    catalog = Catalog(get_provider(name), [tool("get_order"), tool("list_invoices")])
    allowed = frozenset(catalog.documents)
    assert catalog.find("order", allowed=allowed) == ["get_order"]
    kept = ref(allowed)
    del allowed
    assert kept() is None


def test_write_condition__the_same_set_again__is_the_same_condition() -> None:
    allowed = frozenset(range(10))
    assert write_condition(allowed) is write_condition(allowed)


@pytest.mark.django_db
def b_T12_a_few_of_very_many_ids_far_apart() -> None:
    far = replace(tool("get_order"), tool_id=2**62)
    near = tool("get_order_too")
    catalog = Catalog(PostgresProvider(), [far, near])
    assert catalog.find("order") == ["get_order", "get_order_too"]


class TestAgreement(TestCase):
    """The database and the reference give the same answer, score by score."""

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.tuples(texts, texts, st.booleans()), max_size=8), texts, st.integers(1, 4))
    def test_search__any_catalog_and_query__is_as_in_memory(
        self, rows: list[tuple[str, str, bool]], text: str, limit: int
    ) -> None:
        documents = [
            replace(tool(f"tool_{number}", description, deprecated=deprecated), title=title, tool_id=number)
            for number, (title, description, deprecated) in enumerate(rows)
        ]
        query = SearchQuery(text, frozenset(range(0, 8, 2)) | {7}, [OWNER], limit)
        answers = []
        for provider in (MemoryProvider(), PostgresProvider()):
            provider.clear(OWNER)
            save_documents(provider, documents)
            answers.append(search_tools(provider, query))
        assert answers[0] == answers[1]


@pytest.mark.django_db
class TestTextFilter:
    """Lists that are narrowed by typing."""

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("order", {"get_order", "list_orders"}),
            ("get ord", {"get_order"}),
            ("查询", {"list_orders"}),
            ("order 查询", {"list_orders"}),
            ("parcel order", set()),
            ("a_b", set()),
        ],
    )
    def test_match_tool_ids__all_words_and_a_beginning(self, text: str, names: set[str]) -> None:
        catalog = Catalog(PostgresProvider(), [tool("get_order"), tool("list_orders", "查询订单")])
        assert set(match_tool_ids(text)) == catalog.ids(*names)

    @pytest.mark.parametrize("text", ["____", "%", "", "'", ":*", "\x00", "& |"])
    def case_S26_wildcards_are_literal_in_lists(self, text: str) -> None:
        Catalog(PostgresProvider(), [tool("get_order")])
        assert list(match_tool_ids(text)) == []


@pytest.mark.django_db(transaction=True)
def test_index__two_writers_at_once__wait_for_each_other_and_count_right() -> None:
    documents = [tool(f"tool_{number}", "order weather") for number in range(24)]

    def save(number: int) -> None:
        try:
            for document in documents[number::3]:
                with transaction.atomic():
                    with connection.cursor() as cursor:
                        cursor.execute("SET LOCAL lock_timeout = '20s'")
                        cursor.execute("SET LOCAL statement_timeout = '30s'")
                    PostgresProvider().save(document)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(save, range(3)))
    assert SearchTerm.objects.get(owner_key=OWNER, lexeme="").tools == 24
    assert_counts_are_right()
