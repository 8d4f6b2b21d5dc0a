"""Lists that are narrowed by typing, such as the admin's: PostgreSQL's full text search over the same lexemes."""

from __future__ import annotations

from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from toolcatalog.models.search import SearchEntry
from toolcatalog.text.tokens import tokenize

from .providers.postgres.vectors import write_tsquery


def match_tool_ids(text: str) -> QuerySet[SearchEntry, int]:
    """The ids of all indexed tools that hold every word of `text`, the last one perhaps only begun; not ranked.

    Signs such as `%`, `_` and `&` mean nothing. Text without any word matches no tool. It knows no permission: callers
    narrow what they may see anyway.
    """
    lexemes = list(dict.fromkeys(tokenize(text)))
    if not lexemes:
        return SearchEntry.objects.none().values_list("tool_id", flat=True)
    matches = RawSQL("vector @@ %s::tsquery", [write_tsquery(lexemes)], output_field=BooleanField())
    return SearchEntry.objects.filter(matches).values_list("tool_id", flat=True)
