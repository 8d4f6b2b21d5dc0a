"""The SQL of the index, every value a bound parameter.

Names of parameters are the same throughout: `owners` are owner keys.
"""

from __future__ import annotations

from functools import cache

READ_FACTS = """
SELECT 'term' AS kind, term.lexeme AS asked, '' AS word, term.lexeme, sum(term.tools)::bigint AS tools
  FROM toolcatalog_searchterm AS term
 WHERE term.owner_key = ANY(%(owners)s::bigint[]) AND term.lexeme = ANY(%(lexemes)s::text[])
 GROUP BY term.lexeme
UNION ALL
SELECT 'word', asked.word, longer.word, longer.lexeme,
       (SELECT coalesce(sum(term.tools), 0)::bigint
          FROM toolcatalog_searchterm AS term
         WHERE term.owner_key = ANY(%(owners)s::bigint[]) AND term.lexeme = longer.lexeme)
  FROM unnest(%(words)s::text[]) AS asked(word)
 CROSS JOIN LATERAL (
       SELECT DISTINCT length(known.word) AS length, known.word, known.lexeme
         FROM toolcatalog_searchword AS known
        WHERE known.owner_key = ANY(%(owners)s::bigint[])
          AND known.word > asked.word AND known.word < asked.word || %(last)s
        ORDER BY length, known.word
        LIMIT %(continuations)s
       ) AS longer
"""

# How it is written decides how it runs, with or without statistics: the lexemes drive one index scan each for every
# owner (OFFSET 0 keeps the lateral part whole; two equalities keep a table without statistics off its primary key), and
# postings are added up before permission is looked at, since many are one tool's (in one CASE with a sum, so that it is
# not drawn before the sums).
_FIND = """
WITH asked AS MATERIALIZED (
    SELECT *
      FROM unnest(%(owners)s::bigint[]) AS owner(key)
     CROSS JOIN unnest(%(lexemes)s::text[], %(weights)s::int[], %(information)s::int[],
                       %(asks)s::int[], %(ask_weights)s::int[])
        AS term(lexeme, weight, information, ask, ask_weight)
), answers AS MATERIALIZED (
    SELECT posting.tool_id,
           sum(asked.weight * posting.impact) AS score,
           sum(asked.information) AS information,
           bit_or(posting.fields) AS fields{sums}
      FROM asked
     CROSS JOIN LATERAL (
           SELECT tool_id, impact, fields
             FROM toolcatalog_searchposting
            WHERE owner_key = asked.key AND lexeme = asked.lexeme
           OFFSET 0
           ) AS posting
     GROUP BY posting.tool_id
    HAVING CASE WHEN sum(asked.information) >= %(required)s THEN {is_allowed} END
), chosen AS (
    (SELECT tool_id FROM answers ORDER BY score DESC FETCH FIRST %(places)s ROWS WITH TIES){choices}
)
SELECT best.tool_id, entry.name, 0 AS place, best.score, best.information, best.fields::int{columns}
  FROM (SELECT * FROM answers WHERE (tool_id IN (SELECT tool_id FROM chosen)) IS TRUE OFFSET 0) AS best
 CROSS JOIN LATERAL (
       SELECT name FROM toolcatalog_searchentry AS entry WHERE entry.tool_id = best.tool_id OFFSET 0
       ) AS entry
UNION ALL
(SELECT tool_id, name,
        row_number() OVER (ORDER BY CASE WHEN name = %(name)s THEN 0 WHEN name_key = %(key)s THEN 1 ELSE 2 END,
                                    deprecated, length(name), name, tool_id) AS place,
        0, 0, 0{nothing}
   FROM toolcatalog_searchentry
  WHERE owner_key = ANY(%(owners)s::bigint[]) AND (name_key = %(key)s OR segment_key = %(key)s) AND {is_allowed}
  ORDER BY place
  LIMIT %(limit)s)
"""
_SUM = ", coalesce(sum(asked.ask_weight * posting.impact) FILTER (WHERE asked.ask = {ask}), 0) AS ask_{ask}"
_CHOICE = """
     UNION
    (SELECT tool_id FROM answers WHERE ask_{ask} > 0 ORDER BY ask_{ask} DESC, tool_id LIMIT %(places)s)"""


@cache
def write_find(is_allowed: str, asks: int) -> str:
    """The statement that finds the best tools by the whole and by each of so many asks (0: it is only one).

    Those of exactly the asked name come too, with a `place` from 1, nearest spelling first.
    `is_allowed` is the condition on `tool_id` under which a tool may be shown.
    """
    numbers = range(1, asks + 1)
    return _FIND.format(
        is_allowed=is_allowed,
        sums="".join(_SUM.format(ask=ask) for ask in numbers),
        choices="".join(_CHOICE.format(ask=ask) for ask in numbers),
        columns="".join(f", ask_{ask}" for ask in numbers),
        nothing=", 0" * asks,
    )


READ_KNOWN_WORDS = """
WITH asked AS MATERIALIZED (
    SELECT word, length(word) - slips AS shortest, length(word) + slips AS longest, beginning
      FROM unnest(%(words)s::text[], %(slips)s::int[], %(beginnings)s::text[]) AS asked(word, slips, beginning)
)
SELECT asked.word, known.word, sum(known.tools)::bigint
  FROM asked
  JOIN toolcatalog_searchword AS known
    ON known.owner_key = ANY(%(owners)s::bigint[])
   AND known.word >= asked.beginning AND known.word < asked.beginning || %(last)s
   AND length(known.word) BETWEEN asked.shortest AND asked.longest
 GROUP BY asked.word, known.word
UNION ALL
SELECT asked.word, entry.name_key, 1
  FROM asked
  JOIN toolcatalog_searchentry AS entry
    ON entry.owner_key = ANY(%(owners)s::bigint[])
   AND entry.name_key >= asked.beginning AND entry.name_key < asked.beginning || %(last)s
   AND length(entry.name_key) BETWEEN asked.shortest AND asked.longest
"""

ALL_TOOLS = ""
"""The lexeme under which an owner's tools are counted."""

READ_ENTRIES = """
SELECT tool_id, owner_key, name, tokenizer_version, document, words
  FROM toolcatalog_searchentry
 WHERE tool_id = ANY(%(tool_ids)s)
"""

FORGET_POSTINGS = "DELETE FROM toolcatalog_searchposting WHERE tool_id = ANY(%(tool_ids)s) RETURNING tool_id, lexeme"

READ_POSTINGS = """
SELECT tool_id, owner_key, lexeme, impact, fields FROM toolcatalog_searchposting WHERE tool_id = ANY(%(tool_ids)s)
"""

FORGET_SOME_POSTINGS = """
DELETE FROM toolcatalog_searchposting AS posting
 USING unnest(%s::bigint[], %s::text[]) AS gone(tool_id, lexeme)
 WHERE posting.tool_id = gone.tool_id AND posting.lexeme = gone.lexeme
"""

FORGET_ENTRIES = "DELETE FROM toolcatalog_searchentry WHERE tool_id = ANY(%(tool_ids)s)"

INSERT_ENTRIES = """
INSERT INTO toolcatalog_searchentry
       (tool_id, owner_key, name, name_key, segment_key, deprecated, tokenizer_version, document, words, vector)
SELECT tool_id, owner_key, name, name_key, segment_key, deprecated, version, document,
       string_to_array(words, ' '), vector::tsvector
  FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::boolean[], %s::smallint[],
              %s::text[], %s::text[], %s::text[])
    AS entry(tool_id, owner_key, name, name_key, segment_key, deprecated, version, document, words, vector)
"""

INSERT_POSTINGS = """
INSERT INTO toolcatalog_searchposting (tool_id, owner_key, lexeme, impact, fields)
SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::smallint[], %s::smallint[])
"""

COUNT_TERMS = """
INSERT INTO toolcatalog_searchterm AS term (owner_key, lexeme, tools)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::int[])
    ON CONFLICT (owner_key, lexeme) DO UPDATE SET tools = term.tools + excluded.tools
"""

FORGET_TERMS = """
DELETE FROM toolcatalog_searchterm AS term
 USING unnest(%s::bigint[], %s::text[]) AS gone(owner_key, lexeme)
 WHERE term.owner_key = gone.owner_key AND term.lexeme = gone.lexeme AND term.tools <= 0
"""

COUNT_WORDS = """
INSERT INTO toolcatalog_searchword AS known (owner_key, word, lexeme, tools)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::int[])
    ON CONFLICT (owner_key, word) DO UPDATE SET tools = known.tools + excluded.tools
"""

FORGET_WORDS = """
DELETE FROM toolcatalog_searchword AS known
 USING unnest(%s::bigint[], %s::text[]) AS gone(owner_key, word)
 WHERE known.owner_key = gone.owner_key AND known.word = gone.word AND known.tools <= 0
"""

LOCK_OWNERS = """
SELECT pg_advisory_xact_lock(%(space)s, hashint8(owner_key))
  FROM (SELECT unnest(%(owners)s::bigint[]) AS owner_key ORDER BY 1) AS owners
"""

CLEAR_COUNTS = tuple(
    f"DELETE FROM toolcatalog_{table} WHERE owner_key = %(owner)s"
    for table in ("searchposting", "searchterm", "searchword")
)

CLEAR_ENTRIES = "DELETE FROM toolcatalog_searchentry WHERE owner_key = %(owner)s"

FIND_BY_NAME = """
SELECT tool_id, owner_key, name, document
  FROM toolcatalog_searchentry
 WHERE owner_key = %(owner)s AND name = %(name)s
 ORDER BY tool_id
 LIMIT 1
"""

FIND_ALL = """
SELECT tool_id, owner_key, name, document
  FROM toolcatalog_searchentry
 WHERE owner_key = %(owner)s
 ORDER BY name, tool_id
"""

FIND_STALE_OWNERS = """
SELECT DISTINCT owner_key FROM toolcatalog_searchentry WHERE tokenizer_version <> %(version)s ORDER BY owner_key
"""

TAKE_TIME = """
SELECT set_config(name, CASE name WHEN 'transaction_timeout' THEN '0' WHEN 'backend_flush_after' THEN '256kB'
                             ELSE %(limit)s END, true)
  FROM pg_settings
 WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout',
                'backend_flush_after')
"""
"""Lifts the limits of requests for this transaction: they are too narrow for thousands of tools. What it writes goes to
the disk as it is written, not all at once later: then the next commits of others would wait for it."""
