"""Settings that are too rich for one line of text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


def json_object_from(env: environ.Env, name: str) -> dict[str, Any]:
    """The JSON object in the environment variable, or in the file that it names; empty where it is not set.

    Raises ImproperlyConfigured, without showing the value: it may hold what nobody should read.
    """
    text = env.str(name, default="").strip()
    if not text:
        return {}
    try:
        value = json.loads(text if text.startswith("{") else Path(text).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{name} is neither a JSON object nor the path of a file that holds one.") from error
    if not isinstance(value, dict):
        raise ImproperlyConfigured(f"{name} is not a JSON object.")
    return value
