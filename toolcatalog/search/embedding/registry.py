"""Which embedder is on: the setting `SEMANTIC_EMBEDDER`, and what entry points of `toolcatalog.embedders` offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points

from django.conf import settings
from django.core.signals import setting_changed

from .embedder import Embedder, EmbeddingFailed
from .endpoint import EmbeddingsEndpoint
from .local import UniversalSentenceEncoder
from .texts import TEXT_VERSION

GROUP = "toolcatalog.embedders"


def is_switched_on() -> bool:
    """Whether an embedder is named in the settings, usable or not."""
    return bool(getattr(settings, "SEMANTIC_EMBEDDER", ""))


def active_embedder() -> Embedder:
    """The embedder of this process. Raises EmbeddingFailed, in words, where it is off or cannot be used."""
    name = getattr(settings, "SEMANTIC_EMBEDDER", "")
    if not name:
        raise EmbeddingFailed("Semantic search is off: no SEMANTIC_EMBEDDER is set.")
    return _make(name)


def vector_version(embedder: Embedder) -> str:
    """The model, and the way a tool becomes text: only vectors of one version are compared."""
    return f"{embedder.model}/text-{TEXT_VERSION}"


def _make_endpoint() -> EmbeddingsEndpoint:
    url = getattr(settings, "EMBEDDINGS_URL", "")
    name = getattr(settings, "EMBEDDINGS_MODEL", "")
    if not url or not name:
        raise EmbeddingFailed("The embedder “openai” needs EMBEDDINGS_URL and EMBEDDINGS_MODEL.")
    key = getattr(settings, "EMBEDDINGS_KEY", "")
    return EmbeddingsEndpoint(url, name, key, getattr(settings, "EMBEDDINGS_TIMEOUT_SECONDS", 1.0))


BUILT_IN: Mapping[str, Callable[[], Embedder]] = {"use": UniversalSentenceEncoder, "openai": _make_endpoint}


@cache
def _make(name: str) -> Embedder:
    if name in BUILT_IN:
        return BUILT_IN[name]()
    found = [point for point in entry_points(group=GROUP) if point.name == name]
    if len(found) != 1:
        known = ", ".join(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))
        raise EmbeddingFailed(f"There is no embedder “{name}”, or several. There are: {known}.")
    try:
        embedder: Embedder = found[0].load()()
    except Exception as error:  # a plug-in is somebody else's code
        raise EmbeddingFailed(f"The embedder “{name}” cannot be loaded ({type(error).__name__}: {error}).") from error
    return embedder


def _forget(*, setting: str, **_: object) -> None:
    if setting.startswith(("SEMANTIC_", "EMBEDDINGS_")):
        _make.cache_clear()


setting_changed.connect(_forget)  # sent by tests that override settings, never in production
