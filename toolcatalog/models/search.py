"""The tables of the search index that the `postgres` provider keeps. Nothing else reads or writes them.

They hold no foreign keys: they are copies made for speed, written in the transaction that changes the tool, and can be
made again from the tools at any time. `owner_key` is the owning tenant's id, or 0 for shared tools.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from .fields import OrderedJsonField

BYTE_ORDER = "C"
"""The collation of everything that is compared byte by byte: quicker than a language's, the same on every server, and
made for prefixes."""


class SearchEntry(models.Model):
    """One indexed tool: what was indexed, and the keys by which an exact name is found."""

    tool_id = models.BigIntegerField(primary_key=True)
    owner_key = models.BigIntegerField()
    name = models.TextField(db_collation=BYTE_ORDER)
    name_key = models.TextField(db_collation=BYTE_ORDER)
    segment_key = models.TextField(db_collation=BYTE_ORDER)
    deprecated = models.BooleanField(default=False)
    tokenizer_version = models.SmallIntegerField()
    document = OrderedJsonField()
    words = ArrayField(models.TextField(db_collation=BYTE_ORDER))
    vector = SearchVectorField()

    class Meta:
        verbose_name = "search entry"
        verbose_name_plural = "search entries"
        indexes = [
            models.Index(fields=["owner_key", "name"], name="search_entry_name"),
            models.Index(fields=["owner_key", "name_key"], name="search_entry_name_key"),
            models.Index(fields=["owner_key", "segment_key"], name="search_entry_segment_key"),
            GinIndex(fields=["vector"], name="search_entry_vector"),
        ]

    def __str__(self) -> str:
        return self.name


class SearchPosting(models.Model):
    """That one tool holds one lexeme: how much of an answer it is to it, and in which fields.

    `impact` is the tool's BM25F part of the score, without the lexeme's rarity, in 1/10,000; `fields` is a bit set.
    """

    pk = models.CompositePrimaryKey("tool_id", "lexeme")
    tool_id = models.BigIntegerField()
    owner_key = models.BigIntegerField()
    lexeme = models.TextField(db_collation=BYTE_ORDER)
    impact = models.SmallIntegerField()
    fields = models.SmallIntegerField()

    class Meta:
        verbose_name = "search posting"
        verbose_name_plural = "search postings"
        indexes = [
            models.Index(
                fields=["owner_key", "lexeme"], include=["tool_id", "impact", "fields"], name="search_posting_lexeme"
            )
        ]

    def __str__(self) -> str:
        return f"{self.lexeme} in {self.tool_id}"


class SearchTerm(models.Model):
    """How many tools of one owner hold one lexeme. The empty lexeme counts the owner's tools."""

    pk = models.CompositePrimaryKey("owner_key", "lexeme")
    owner_key = models.BigIntegerField()
    lexeme = models.TextField(db_collation=BYTE_ORDER)
    tools = models.IntegerField()

    class Meta:
        verbose_name = "search term"
        verbose_name_plural = "search terms"

    def __str__(self) -> str:
        return f"{self.lexeme} ({self.tools})"


class SearchWord(models.Model):
    """A word as tools of one owner write it, for queries that hold its beginning or mistype it."""

    pk = models.CompositePrimaryKey("owner_key", "word")
    owner_key = models.BigIntegerField()
    word = models.TextField(db_collation=BYTE_ORDER)
    lexeme = models.TextField(db_collation=BYTE_ORDER)
    tools = models.IntegerField()

    class Meta:
        verbose_name = "search word"
        verbose_name_plural = "search words"

    def __str__(self) -> str:
        return self.word


class EmbeddingJob(models.Model):
    """A tool that waits for its vector. `error` is why the last attempt failed; empty before the first."""

    tool_id = models.BigIntegerField(primary_key=True)
    attempts = models.SmallIntegerField(default=0)
    due_at = models.DateTimeField()
    error = models.TextField(default="")

    class Meta:
        verbose_name = "embedding job"
        verbose_name_plural = "embedding jobs"
        indexes = [models.Index(fields=["due_at"], name="embedding_job_due")]

    def __str__(self) -> str:
        return f"{self.tool_id}: {self.error or 'waiting'}"
