"""The application's own settings: `TOOLCATALOG = {...}` in Django's settings, each with a default."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured

from toolcatalog.contract.catalog import Caution


@dataclass(frozen=True, slots=True)
class Settings:
    """`execute_timeout_seconds`: the longest that one tool may take. `execute_deadline_seconds`: the longest that all
    calls of one message may take. `execute_parallel`: how many tools run at once in one process.
    `result_limit_bytes`: a longer result is cut. `callbacks_allowed`: names of callbacks that may run (None: all).
    `callback_processes`, `callback_memory_mb`: how many worker processes callbacks may have here, and how much data
    each of them may hold. `search_caution`: when a search rather answers with nothing, `off`, `normal` or `strict`.
    `session_tools_most`, `session_tools_bytes`: how many tools one session may bring along, and how large their
    definitions may be together.
    """

    execute_timeout_seconds: float = 30
    execute_deadline_seconds: float = 60
    execute_parallel: int = 16
    result_limit_bytes: int = 200_000
    callbacks_allowed: tuple[str, ...] | None = None
    callback_processes: int = 4
    callback_memory_mb: int = 512
    search_caution: Caution = Caution.NORMAL
    session_tools_most: int = 128
    session_tools_bytes: int = 256 * 1024


def default_search_provider() -> str:
    """The provider of profiles that name none: `hybrid` where an embedder is on, else `postgres`."""
    return "hybrid" if getattr(django_settings, "SEMANTIC_EMBEDDER", "") else "postgres"


@cache
def read_settings() -> Settings:
    """The settings. Raises ImproperlyConfigured for a name that means nothing."""
    given = getattr(django_settings, "TOOLCATALOG", {})
    known = {field.name for field in fields(Settings)}
    unknown = sorted(given.keys() - known)
    if unknown:
        raise ImproperlyConfigured(
            f"TOOLCATALOG has no setting {', '.join(unknown)}. Known: {', '.join(sorted(known))}."
        )
    caution = given.get("search_caution", Caution.NORMAL)
    if caution not in list(Caution):
        raise ImproperlyConfigured(f"TOOLCATALOG: search_caution is one of {', '.join(Caution)}, not {caution}.")
    return Settings(**{**given, "search_caution": Caution(caution)})
