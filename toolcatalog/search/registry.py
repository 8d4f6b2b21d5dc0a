"""Which search providers there are. Those of others come from the entry point group `toolcatalog.search_providers`.

An entry point leads to a class or function that is called without arguments and answers a `SearchProvider`. A plug-in
that cannot be used spoils nothing else: it is reported by `find_problems`, and asking for it is a failed search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from threading import RLock

import structlog

from toolcatalog.contract.errors import InvalidInput, SearchFailed

from .provider import SearchProvider
from .providers.memory import MemoryProvider
from .providers.patterns import RegexProvider
from .providers.postgres import PostgresProvider
from .providers.semantic import HybridProvider, SemanticProvider
from .providers.text_rank import TextRankProvider

GROUP = "toolcatalog.search_providers"
DEFAULT_PROVIDER = "postgres"

BUILT_IN: Mapping[str, Callable[[], SearchProvider]] = {
    "postgres": PostgresProvider,
    "hybrid": HybridProvider,
    "semantic": SemanticProvider,
    "regex": RegexProvider,
    "ts_rank": TextRankProvider,
    "memory": MemoryProvider,
}

_METHODS = ("save", "find_by_name", "find_all", "search", "remove", "clear")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ProviderProblem:
    """Why a plug-in cannot be used, in a sentence for operators."""

    name: str
    message: str


class ProviderRegistry:
    """Providers by name, each made once, on first use. Thread-safe.

    A plug-in of a built-in's name is refused. So are all plug-ins that share one name: nothing says which is meant.
    """

    def __init__(
        self, built_in: Mapping[str, Callable[[], SearchProvider]], plug_ins: Iterable[EntryPoint] = ()
    ) -> None:
        self._lock = RLock()
        self._built_in = dict(built_in)
        self._plug_ins: dict[str, EntryPoint] = {}
        self._refused: dict[str, str] = {}
        self._broken: dict[str, str] = {}
        self._made: dict[str, SearchProvider] = {}
        for plug_in in sorted(plug_ins, key=lambda point: (point.name, point.value)):
            self._admit(plug_in)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a profile may ask for, built-in ones first."""
        return (*self._built_in, *self._plug_ins)

    def get(self, name: str) -> SearchProvider:
        """The provider of this name. Raises `InvalidInput` where there is none, `SearchFailed` where it is broken."""
        with self._lock:
            if name not in self._made:
                self._made[name] = self._make(name)
            return self._made[name]

    def find_problems(self) -> tuple[ProviderProblem, ...]:
        """Load every plug-in, and say which ones cannot be used."""
        for name in self._plug_ins:
            try:
                self.get(name)
            except SearchFailed as error:
                _log.warning("search_provider_broken", provider=name, detail=error.detail)
        with self._lock:
            problems = {**self._refused, **self._broken}
        return tuple(ProviderProblem(name, message) for name, message in sorted(problems.items()))

    def _admit(self, plug_in: EntryPoint) -> None:
        if plug_in.name in self._built_in:
            self._refused[plug_in.name] = f'"{plug_in.name}" is built in; the plug-in {plug_in.value} is not used.'
        elif plug_in.name in self._plug_ins or plug_in.name in self._refused:
            self._plug_ins.pop(plug_in.name, None)
            self._refused[plug_in.name] = f'Several plug-ins are called "{plug_in.name}"; none is used.'
        else:
            self._plug_ins[plug_in.name] = plug_in

    def _make(self, name: str) -> SearchProvider:
        if name in self._built_in:
            return self._built_in[name]()
        if name not in self._plug_ins:
            raise InvalidInput.single("provider", "unknown_provider", self._describe_choice(name))
        try:
            provider = _load(self._plug_ins[name])
        except Exception as error:  # a plug-in is somebody else's code, and may raise anything
            self._broken[name] = f'The search provider "{name}" cannot be loaded ({type(error).__name__}: {error}).'
            raise SearchFailed(self._broken[name]) from error
        self._broken.pop(name, None)
        return provider

    def _describe_choice(self, name: str) -> str:
        return self._refused.get(name) or f'There is no search provider "{name}". There are: {", ".join(self.names)}.'


@cache
def provider_registry() -> ProviderRegistry:
    """The registry of this process: what is built in, and what installed packages offer."""
    return ProviderRegistry(BUILT_IN, entry_points(group=GROUP))


def get_provider(name: str = DEFAULT_PROVIDER) -> SearchProvider:
    """The provider of this name. Raises `InvalidInput` where there is none, `SearchFailed` where it is broken."""
    return provider_registry().get(name)


def provider_names() -> tuple[str, ...]:
    """The names that a profile may ask for."""
    return provider_registry().names


def find_provider_problems() -> tuple[ProviderProblem, ...]:
    """Which installed plug-ins cannot be used, and why."""
    return provider_registry().find_problems()


def _load(plug_in: EntryPoint) -> SearchProvider:
    provider = plug_in.load()()
    missing = [method for method in _METHODS if not callable(getattr(provider, method, None))]
    if missing:
        raise TypeError(f"{plug_in.value} has no {', '.join(missing)}")
    return provider  # type: ignore[no-any-return]  # the methods are there; more cannot be told at run time
