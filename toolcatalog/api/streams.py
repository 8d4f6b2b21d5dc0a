"""Whole lists as CSV or as JSON lines: read in batches, never all in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import orjson
from django.db.models import Model, QuerySet
from django.http import StreamingHttpResponse
from rest_framework.request import Request

from toolcatalog.contract.json import dump_json

from .bodies import render_json

BATCH = 500
CSV = "text/csv"
JSON_LINES = "application/x-ndjson"
Row = TypeVar("Row", bound=Model)


def wanted_stream(request: Request) -> str | None:
    """The media type of the stream that the caller accepts; None for a page."""
    accepted = [part.partition(";")[0].strip() for part in request.headers.get("Accept", "").split(",")]
    return next((media for media in (CSV, JSON_LINES) if media in accepted), None)


def stream_rows(
    rows: QuerySet[Row], media: str, columns: Sequence[str], render: Callable[[list[Row]], list[dict[str, Any]]]
) -> StreamingHttpResponse:
    """All rows as rendered; `columns` are those of the CSV."""
    rendered = _render_in_batches(rows, render)
    if media == CSV:
        return StreamingHttpResponse(_as_csv(rendered, columns), content_type="text/csv; charset=utf-8")
    return StreamingHttpResponse((render_json(row) + b"\n" for row in rendered), content_type=JSON_LINES)


def _render_in_batches(
    rows: QuerySet[Row], render: Callable[[list[Row]], list[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    batch: list[Row] = []
    for row in rows.iterator(chunk_size=BATCH):
        batch.append(row)
        if len(batch) == BATCH:
            yield from render(batch)
            batch = []
    yield from render(batch)


def _as_csv(rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(columns)
    for row in rows:
        flat = _flatten(row)
        writer.writerow([_cell(flat[column]) for column in columns])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _flatten(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the name and the prefix of its key beside each other."""
    key = row["api_key"] or {"name": None, "prefix": None}
    return {**row, "api_key": key["name"], "api_key_prefix": key["prefix"]}


def _cell(value: Any) -> str:
    """One cell. A leading sign that a spreadsheet would take for a formula gets an apostrophe."""
    text = _write(value)
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text


def _write(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return str(orjson.loads(render_json(value)))
    if isinstance(value, Mapping):
        return dump_json(value).decode()
    return " ".join(value) if isinstance(value, list) else str(value)
