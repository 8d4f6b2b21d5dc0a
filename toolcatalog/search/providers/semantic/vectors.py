"""The table of vectors. It exists only where the server has the extension `vector` (pgvector); all else works without.

Made by a migration, or by `embed_tools` where the extension came later. Vectors have length 1.

Beside each vector stand the signs of its numbers, one bit each. A search compares these with all tools (the share of
equal signs falls with the angle), and only the nearest few hundred exactly. Vectors are kept out of the rows, so that
the signs of thirty tools fit one page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction

from toolcatalog.search.providers.postgres.permission import AllowedTools

TABLE = "toolcatalog_toolvector"

_CREATE = f"""
CREATE TABLE IF NOT EXISTS {TABLE} (
    tool_id bigint PRIMARY KEY,
    owner_key bigint NOT NULL,
    version text NOT NULL,
    digest bytea NOT NULL,
    embedding vector NOT NULL
);
ALTER TABLE {TABLE} ALTER COLUMN embedding SET STORAGE EXTERNAL;
ALTER TABLE {TABLE} ADD COLUMN IF NOT EXISTS
    signs bit varying GENERATED ALWAYS AS (binary_quantize(embedding)::bit varying) STORED;
CREATE INDEX IF NOT EXISTS tool_vector_owner ON {TABLE} (owner_key);
"""
_UPSERT = f"""
INSERT INTO {TABLE} AS kept (tool_id, owner_key, version, digest, embedding)
VALUES (%s, %s, %s, %s, %s::vector)
    ON CONFLICT (tool_id) DO UPDATE
   SET owner_key = excluded.owner_key, version = excluded.version, digest = excluded.digest,
       embedding = excluded.embedding
"""
_FIND = f"""
WITH likely AS MATERIALIZED (
    SELECT tool_id
      FROM {TABLE}
     WHERE owner_key = ANY(%(owners)s::bigint[]) AND version = %(version)s AND {{is_allowed}}
     ORDER BY {{distance}}, tool_id
     LIMIT %(shortlist)s
), compared AS MATERIALIZED (
    SELECT kept.tool_id, {{similarity}} AS similarity
      FROM (SELECT tool_id FROM likely UNION SELECT unnest(%(besides)s::bigint[])) AS candidate
     CROSS JOIN LATERAL (
           SELECT tool_id, embedding FROM {TABLE} AS each
            WHERE each.tool_id = candidate.tool_id AND version = %(version)s
           OFFSET 0
           ) AS kept
), chosen AS (
    (SELECT tool_id, similarity FROM compared ORDER BY similarity DESC, tool_id LIMIT %(places)s)
     UNION
    (SELECT tool_id, similarity FROM compared WHERE tool_id = ANY(%(besides)s::bigint[]))
)
SELECT chosen.tool_id, entry.name, chosen.similarity
  FROM chosen
 CROSS JOIN LATERAL (
       SELECT name FROM toolcatalog_searchentry AS each WHERE each.tool_id = chosen.tool_id OFFSET 0
       ) AS entry
"""

SHORTLIST = 200
"""So many tools are compared exactly, at least; four times as many as are read where that is more."""


@dataclass(frozen=True, slots=True)
class ToolVector:
    """The vector of one tool, and the digest of the text that it stands for."""

    tool_id: int
    owner_key: int
    digest: bytes
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class AskedVector:
    """A vector to look for, as the database reads it (see `write_vector`, `write_signs`)."""

    written: str
    signs: str


@dataclass(frozen=True, slots=True)
class NearTool:
    """How near a tool's meaning comes to a query's: 1 is the same, 0 has nothing to do with it."""

    tool_id: int
    name: str
    similarity: float


def has_vectors() -> bool:
    """Whether the table is there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [TABLE])
        return bool(cursor.fetchone()[0])


def create_vector_table(alias: str = DEFAULT_DB_ALIAS) -> bool:
    """Make the table, as the owner of the tables, if the extension is there or may be made; whether it is there now."""
    with connections[alias].cursor() as cursor:
        try:
            with transaction.atomic(using=alias):
                cursor.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'")
                if not cursor.fetchone()[0]:
                    return False
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
                cursor.execute(_CREATE)
        except DatabaseError:  # this role may not make extensions: that is the server's operator's choice
            return False
    return True


def save_vectors(version: str, vectors: Iterable[ToolVector]) -> None:
    """Insert or replace vectors."""
    rows = [(each.tool_id, each.owner_key, version, each.digest, write_vector(each.vector)) for each in vectors]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_UPSERT, rows)


def forget_vectors(tool_ids: Collection[int]) -> None:
    """Forget the vectors of tools that are gone, where there may be any."""
    if has_vectors():
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {TABLE} WHERE tool_id = ANY(%s)", [list(tool_ids)])


def read_digests(version: str, tool_ids: Collection[int]) -> dict[int, bytes]:
    """The digests of the texts that present vectors of this version stand for."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT tool_id, digest FROM {TABLE} WHERE version = %s AND tool_id = ANY(%s)", [version, list(tool_ids)]
        )
        return {tool_id: bytes(digest) for tool_id, digest in cursor.fetchall()}


def read_length(version: str) -> int | None:
    """How many numbers the vectors of a version have; None where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT vector_dims(embedding) FROM {TABLE} WHERE version = %s LIMIT 1", [version])
        row = cursor.fetchone()
        return int(row[0]) if row else None


def find_near(
    vectors: Sequence[AskedVector],
    *,
    version: str,
    owners: Sequence[int],
    allowed: AllowedTools,
    places: int,
    besides: Collection[int] = (),
) -> list[NearTool]:
    """The `places` allowed tools nearest to a query, and how near those of `besides` are that have a vector.

    The first vector is the whole query's, others are its asks': the similarity is half the former's, and half that of
    the nearest ask. The signs of every allowed tool are compared first: nothing else takes a place among the likely.
    `besides` are allowed tools. With no `places`, only these are looked at.
    """
    parameters: dict[str, Any] = {
        "owners": list(owners),
        "version": version,
        **allowed.parameters,
        "places": places,
        "shortlist": max(SHORTLIST, 4 * places) if places else 0,
        "besides": list(besides),
        **{f"vector_{number}": vector.written for number, vector in enumerate(vectors)},
        **{f"signs_{number}": vector.signs for number, vector in enumerate(vectors)},
    }
    statement = _write_find(len(vectors), allowed.condition)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [NearTool(tool_id, name, float(similarity)) for tool_id, name, similarity in cursor.fetchall()]


def write_vector(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join([f'{number:.6g}' for number in vector])}]"


def write_signs(vector: Sequence[float]) -> str:
    """Which numbers of a vector are above zero, as a bit string (`binary_quantize` of pgvector)."""
    return "".join("1" if number > 0 else "0" for number in vector)


@cache
def _write_find(vectors: int, is_allowed: str) -> str:
    products = [f"-(embedding <#> %(vector_{number})s::vector)" for number in range(vectors)]
    # In quotes, "bit" is of any length; without them it is a single bit.
    distances = [f'(signs::"bit" <~> %(signs_{number})s::varbit::"bit")' for number in range(vectors)]
    similarity, distance = products[0], distances[0]
    if vectors > 1:
        similarity = f"(0.5 * {products[0]} + 0.5 * greatest({', '.join(products[1:])}))"
        distance = f"{distances[0]} + least({', '.join(distances[1:])})"
    return _FIND.format(similarity=similarity, distance=distance, is_allowed=is_allowed)
