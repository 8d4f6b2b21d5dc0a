"""Django's system check of search: an operator reads at start why search by meaning is not as asked for."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from . import find_provider_problems
from .embedding import EmbeddingFailed, active_embedder, is_switched_on


def check_search(**_: Any) -> list[CheckMessage]:
    """A warning where an embedder is named that cannot be used. Search goes on by words."""
    if not is_switched_on():
        return []
    try:
        active_embedder()
    except EmbeddingFailed as error:
        return [CheckWarning(error.detail, hint="Search goes by words alone until then.", id="toolcatalog.W002")]
    return []


def check_providers(**_: Any) -> list[CheckMessage]:
    """A warning for each search provider of a package that cannot be used."""
    hint = "Mend or remove the package. A search by such a provider is an error; those of other profiles go on."
    return [CheckWarning(problem.message, hint=hint, id="toolcatalog.W004") for problem in find_provider_problems()]
