"""The providers `semantic` and `hybrid`, with an embedder that knows words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from io import StringIO
from zlib import crc32

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings

from tests.search.builders import OWNER, Catalog, many_tools, tool
from tests.search.cases import LexicalCases
from tests.search.conformance import ProviderConformance
from tests.search.immediate import Immediate, ImmediateHybrid, ImmediateSemantic, need_vectors
from tests.support import make_tenant, make_tool
from tests.support.waiting import wait_until
from toolcatalog.contract.errors import SearchFailed
from toolcatalog.models.search import EmbeddingJob
from toolcatalog.search import SearchProvider, SearchQuery
from toolcatalog.search.embedding import EmbeddingFailed, active_embedder, embed_texts, registry
from toolcatalog.search.providers.postgres import PostgresProvider
from toolcatalog.search.providers.semantic import (
    HybridProvider,
    SemanticProvider,
    jobs,
    read_queue,
    work_off,
)
from toolcatalog.search.providers.semantic.meaning import embed_query
from toolcatalog.search.providers.semantic.metrics import EmbeddingQueue
from toolcatalog.search.providers.semantic.vectors import SHORTLIST, read_digests, write_signs, write_vector
from toolcatalog.search.providers.semantic.worker import BACKGROUND
from toolcatalog.text.tokens import tokenize


class Words:
    """An embedder that knows no meaning: one place of the vector for the hash of each lexeme."""

    model = "words-1"

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """256 numbers for each text."""
        vectors = [[-0.01] * 256 for _ in texts]
        for vector, text in zip(vectors, texts, strict=True):
            for lexeme in tokenize(text):
                vector[crc32(lexeme.encode()) % 256] += 1
        return vectors


class Broken(Words):
    """Answers what it was made with for texts that hold a word."""

    def __init__(self, answer: Sequence[float], word: str = "broken") -> None:
        self.answer = answer
        self.word = word

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors, some of them none."""
        vectors = super().embed(texts)
        return [self.answer if self.word in text else vector for vector, text in zip(vectors, texts, strict=True)]


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "BUILT_IN", {"words": Words})
    with override_settings(SEMANTIC_EMBEDDER="words"):
        yield


@pytest.fixture
def no_embedder() -> Iterator[None]:
    with override_settings(SEMANTIC_EMBEDDER=""):
        yield


@pytest.mark.django_db
class TestSemantic(ProviderConformance):
    """What holds for every provider. The lexical part does not apply: it asks for order and silence by words."""

    @pytest.fixture
    def provider(self, words: None) -> SearchProvider:
        need_vectors()
        return ImmediateSemantic()


@pytest.mark.django_db
class TestHybridWithoutMeaning(LexicalCases):
    """Without an embedder, `hybrid` is `postgres`."""

    @pytest.fixture
    def provider(self, no_embedder: None) -> SearchProvider:
        return HybridProvider()


@pytest.mark.django_db
class TestHybrid(ProviderConformance):
    """What holds for every provider."""

    @pytest.fixture
    def provider(self, words: None) -> SearchProvider:
        need_vectors()
        return ImmediateHybrid()


@pytest.mark.django_db
def case_S28_vectors_that_are_none_fail_loudly_and_are_never_stored(words: None) -> None:
    need_vectors()
    for answer in ([], [math.nan] * 256, [1.0, 2.0], [0.0] * 256):
        catalog = Catalog(HybridProvider(), [tool("broken_lamp", "Mends a lamp"), tool("sound_lamp", "Lights a lamp")])
        assert work_off(Broken(answer)) == 1
        state = read_queue()
        assert (state.pending, state.failed) == (1, 1)
        assert "words-1" in state.error
        assert catalog.find("broken lamp")[0] == "broken_lamp"
        catalog.provider.clear(OWNER)
        EmbeddingJob.objects.all().delete()


@pytest.mark.django_db
def case_S28_a_job_that_failed_is_tried_again_later(words: None) -> None:
    need_vectors()
    Catalog(HybridProvider(), [tool("broken_lamp")])
    assert work_off(Broken([])) == 0
    assert work_off(active_embedder()) == 0
    assert 0 < (jobs.next_due_seconds() or 0) <= jobs.FIRST_DELAY_SECONDS
    jobs.queue_all()
    assert work_off(active_embedder()) == 1
    assert (read_queue().pending, jobs.next_due_seconds()) == (0, None)


@pytest.mark.django_db
def test_queue__a_tool_saved_again_unchanged__no_new_vector(words: None) -> None:
    need_vectors()
    document = tool("lamp", "Lights a lamp")
    provider = ImmediateHybrid()
    provider.save(document)
    super(Immediate, provider).save_all([document])
    assert work_off(active_embedder()) == 0
    assert read_queue().pending == 0


@pytest.mark.django_db
def case_S30_without_the_extension_hybrid_goes_on_and_semantic_says_why(
    words: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolcatalog.search.providers.semantic import meaning, vectors

    monkeypatch.setattr(vectors, "TABLE", "toolcatalog_no_such_table")
    hybrid = Catalog(HybridProvider(), [tool("get_order", "Reads an order")])
    result = hybrid.search("reads an order")
    assert [hit.matched_on for hit in result.hits] == [("name", "description")]
    assert "pgvector" in str(result.details["semantic"])
    with pytest.raises(SearchFailed, match="pgvector"):
        Catalog(SemanticProvider(), []).search("order", allowed=[1])
    assert "pgvector" in meaning.describe_state()


@pytest.mark.django_db
def test_semantic__no_embedder__says_so(no_embedder: None) -> None:
    with pytest.raises(SearchFailed, match="SEMANTIC_EMBEDDER"):
        Catalog(SemanticProvider(), [tool("get_order")]).search("order")


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ([[]], "empty"),
        ([[1.0], [2.0]], "2 vectors"),
        ([[math.inf]], "no number"),
        ([[0.0]], "zeros"),
        ([["x"]], "Value"),
    ],
)
def test_embed_texts__nonsense__refused_in_words(answer: list[list[float]], word: str) -> None:
    class Nonsense(Words):
        def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            return answer

    with pytest.raises(EmbeddingFailed, match=word):
        embed_texts(Nonsense(), ["text"])


@pytest.mark.django_db
def test_embed_tools__tools_that_were_there_before__get_their_vectors(words: None) -> None:
    need_vectors()
    PostgresProvider().save_all([tool("lamp", "Lights a lamp"), tool("door", "Opens a door")])
    output = StringIO()
    call_command("embed_tools", stdout=output)
    assert output.getvalue() == "2 vectors made, 0 tools wait, 0 of them failed.\n"
    call_command("embed_tools", stdout=(again := StringIO()))
    assert again.getvalue().startswith("0 vectors made")


@pytest.mark.django_db
def test_embed_tools__no_embedder__says_how_to_get_one(no_embedder: None) -> None:
    with pytest.raises(CommandError, match="SEMANTIC_EMBEDDER"):
        call_command("embed_tools")


@pytest.mark.django_db
def case_S28_health_counts_what_waits_and_what_failed(words: None, client: Client) -> None:
    need_vectors()
    Catalog(HybridProvider(), [tool("broken_lamp"), tool("sound_lamp")])
    assert client.get("/readyz").json()["semantic_search"]["pending"] == 2
    work_off(Broken([]))
    health = client.get("/readyz").json()["semantic_search"]
    assert (health["state"], health["pending"], health["failed"]) == ("on", 1, 1)
    assert "empty" in health["error"]
    samples = {each.labels["state"]: each.value for family in EmbeddingQueue().collect() for each in family.samples}
    assert samples == {"pending": 1, "failed": 1}


@pytest.mark.django_db(transaction=True)
def case_S28_a_save_never_waits_for_its_vector_which_comes_after_it(words: None) -> None:
    need_vectors()
    tenant = make_tenant()
    made = make_tool(tenant, "lamp", description="Lights a lamp")
    wait_until(lambda: not EmbeddingJob.objects.exists() and not BACKGROUND.is_busy)
    assert read_queue().pending == 0
    assert read_digests("words-1/text-1", [made.pk])


@pytest.mark.django_db
@pytest.mark.usefixtures("words")
def test_signs__made_by_pgvector_and_by_us__the_same() -> None:
    need_vectors()
    vector = [0.5, -0.25, 0.0, 1.0, -1e-9]
    with connection.cursor() as cursor:
        cursor.execute("SELECT binary_quantize(%s::vector)::text", [write_vector(vector)])
        assert cursor.fetchone()[0] == write_signs(vector) == "10010"


@pytest.mark.django_db
@pytest.mark.usefixtures("words")
def test_find_near__more_tools_than_are_compared_exactly__the_nearest_are_found() -> None:
    need_vectors()
    provider = ImmediateSemantic()
    assert len(many_tools()) > SHORTLIST
    provider.save_all([*many_tools(), tool("feed_cat", "Feeds the hungry kitten at noon")])
    catalog = provider.find_all(OWNER)
    found = provider.search(
        SearchQuery("feeds hungry kitten noon", frozenset(each.tool_id for each in catalog), [OWNER], 3)
    )
    names = {each.tool_id: each.name for each in catalog}
    assert names[found.hits[0].tool_id] == "feed_cat"


@pytest.mark.parametrize(
    ("text", "vectors"),
    [
        ("Book a room in Rome, and then rent a car.", 1),
        ("Book a room in Rome, and then rent a car. " + "Look for a museum of painting that is quiet. " * 8, 5),
        ("Look for a museum that is quiet " * 20, 1),
    ],
)
def test_embed_query__its_asks__only_where_it_is_long(words: None, text: str, vectors: int) -> None:
    assert len(embed_query("words-1", text)) == vectors
