"""Reads the JSON files that come with this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

from toolcatalog.contract.json import JsonObject


def read_document(name: str) -> JsonObject:
    """The JSON object in `data/<name>.json`. Raises FileNotFoundError for a name that is not there."""
    text = (resources.files("toolcatalog.demo") / "data" / f"{name}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    if not isinstance(document, Mapping):
        raise TypeError(f"{name}.json does not hold a JSON object.")
    return document
