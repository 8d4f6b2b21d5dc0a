"""Matchers and context enrichers of others: registered in code, or found as entry points when first asked for.

A package offers them under the entry point groups `toolcatalog.matchers` and `toolcatalog.context_enrichers`; an entry
point names an object, or a class that is called without arguments. One that cannot be loaded is reported and left out;
it stops nothing else. Plug-ins run in threads of their own and get a frozen context: they hold no database connection.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

import orjson

from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.json import JsonObject, JsonValue, find_unstorable
from toolcatalog.contract.matching import ALWAYS, RULES

from .problems import Mismatch
from .time_limit import PLUGIN_SECONDS, LimitedCaller

MATCHERS_GROUP = "toolcatalog.matchers"
ENRICHERS_GROUP = "toolcatalog.context_enrichers"
RESERVED_NAMES = frozenset({ALWAYS, RULES})

logger = logging.getLogger(__name__)


class MatcherPlugin(Protocol):
    """Matching code of one's own; a group uses it by writing `name` in its `match`.

    It counts as a condition on the message as a whole, so that it restricts nobody's access, unless it has an
    attribute `reads_message` that is False: then `evaluate` must give the same answer whatever the message is.
    """

    name: str

    def evaluate(self, context: EvaluationContext, params: JsonObject) -> bool:
        """Whether the group applies. Anything but True and False is an error, like raising and being late."""
        ...


class EnricherPlugin(Protocol):
    """Adds attributes to the context before any group is looked at. Lower `order` first, then by name."""

    name: str
    order: int

    def enrich(self, context: EvaluationContext) -> Mapping[str, object]:
        """Attributes to add, JSON values; they win over the caller's of the same name."""
        ...


class PluginRefused(ToolCatalogError):
    """A plug-in that cannot be registered: its name is taken, reserved or missing, or its method is."""

    code = "plugin_refused"


@dataclass(frozen=True, slots=True)
class RegisteredMatcher:
    """A matcher ready to be called under its time limit."""

    name: str
    reads_message: bool
    caller: LimitedCaller[bool]


@dataclass(frozen=True, slots=True)
class RegisteredEnricher:
    """An enricher ready to be called under its time limit."""

    name: str
    order: int
    caller: LimitedCaller[dict[str, JsonValue]]


class PluginRegistry:
    """The plug-ins of one process. Entry points are loaded once, at the first question."""

    def __init__(self, *, seconds: float = PLUGIN_SECONDS, load_entry_points: bool = True) -> None:
        self._seconds = seconds
        self._loaded = not load_entry_points
        self._lock = threading.RLock()
        self._matchers: dict[str, RegisteredMatcher] = {}
        self._enrichers: dict[str, RegisteredEnricher] = {}
        self._problems: list[str] = []

    def register_matcher(self, plugin: MatcherPlugin) -> None:
        """Make a matcher known under its name. Raises PluginRefused; nothing is ever replaced."""
        with self._lock:
            name = self._check_plugin(plugin, "evaluate", self._matchers)
            reads_message = getattr(plugin, "reads_message", True) is not False
            self._matchers[name] = RegisteredMatcher(
                name, reads_message, LimitedCaller(_strict_answer(plugin.evaluate), self._seconds)
            )

    def register_enricher(self, plugin: EnricherPlugin) -> None:
        """Make an enricher known. Raises PluginRefused; nothing is ever replaced."""
        with self._lock:
            name = self._check_plugin(plugin, "enrich", self._enrichers)
            if not isinstance(getattr(plugin, "order", None), int):
                raise PluginRefused(f"The enricher “{name}” has no order: give it a whole number.")
            self._enrichers[name] = RegisteredEnricher(
                name, plugin.order, LimitedCaller(_plain_answer(plugin.enrich), self._seconds)
            )

    def find_matcher(self, name: str) -> RegisteredMatcher | None:
        """The matcher of that name, if there is one."""
        self._load()
        return self._matchers.get(name)

    def matcher_names(self) -> tuple[str, ...]:
        """The names that `match` may have beside `always` and `rules`, sorted."""
        self._load()
        return tuple(sorted(self._matchers))

    def enrichers(self) -> tuple[RegisteredEnricher, ...]:
        """All enrichers in their order."""
        self._load()
        return tuple(sorted(self._enrichers.values(), key=lambda enricher: (enricher.order, enricher.name)))

    def problems(self) -> tuple[str, ...]:
        """A sentence for each plug-in that is installed and could not be used."""
        self._load()
        return tuple(self._problems)

    def _check_plugin(self, plugin: object, method: str, taken: Mapping[str, object]) -> str:
        name = getattr(plugin, "name", None)
        if not isinstance(name, str) or not name.strip():
            raise PluginRefused(f"A plug-in of the type {type(plugin).__name__} has no name.")
        if name in RESERVED_NAMES:
            raise PluginRefused(f"The name “{name}” is reserved: give the plug-in another one.")
        if name in taken:
            raise PluginRefused(f"There already is a plug-in named “{name}”: give one of them another name.")
        if not callable(getattr(plugin, method, None)):
            raise PluginRefused(f"The plug-in “{name}” has no method “{method}”.")
        return name

    def _load(self) -> None:
        if self._loaded:
            return
        with self._lock:
            if not self._loaded:
                self._load_group(MATCHERS_GROUP, self.register_matcher)
                self._load_group(ENRICHERS_GROUP, self.register_enricher)
                self._loaded = True

    def _load_group(self, group: str, register: Callable[..., None]) -> None:
        for entry_point in sorted(entry_points(group=group), key=lambda found: (found.name, found.value)):
            try:
                register(_load_plugin(entry_point))
            except PluginRefused as refused:
                self._report(f"{group}: {refused.detail}")
            except (Exception, SystemExit) as error:  # the callback border: importing runs other people's code
                self._report(f"{group}: “{entry_point.name}” could not be loaded, it raised {type(error).__name__}.")

    def _report(self, sentence: str) -> None:
        self._problems.append(sentence)
        logger.warning("plug-in left out: %s", sentence)


def _load_plugin(entry_point: EntryPoint) -> object:
    loaded = entry_point.load()
    return loaded() if isinstance(loaded, type) else loaded


def _strict_answer(evaluate: Callable[..., object]) -> Callable[..., bool]:
    def answer(*arguments: object) -> bool:
        result = evaluate(*arguments)
        if not isinstance(result, bool):
            raise Mismatch(f"answered with {type(result).__name__}, but has to answer with True or False")
        return result

    return answer


def _plain_answer(enrich: Callable[..., Mapping[str, object]]) -> Callable[..., dict[str, JsonValue]]:
    def answer(*arguments: object) -> dict[str, JsonValue]:
        result = enrich(*arguments)
        if not isinstance(result, Mapping):
            raise Mismatch(f"answered with {type(result).__name__}, but has to answer with a mapping")
        # A copy, so that the plug-in cannot change it later; dates and identifiers become text on the way.
        attributes: dict[str, JsonValue] = orjson.loads(orjson.dumps(dict(result), default=_thaw))
        for where, problem in find_unstorable(attributes):
            raise Mismatch(f"answered with a value at “{where}” that {problem}")
        return attributes

    return answer


def _thaw(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


_installed = PluginRegistry()


def installed_plugins() -> PluginRegistry:
    """The registry of this process."""
    return _installed


def register_matcher(plugin: MatcherPlugin) -> None:
    """Make a matcher known to this process. Raises PluginRefused."""
    _installed.register_matcher(plugin)


def register_enricher(plugin: EnricherPlugin) -> None:
    """Make an enricher known to this process. Raises PluginRefused."""
    _installed.register_enricher(plugin)


def plugin_problems() -> tuple[str, ...]:
    """A sentence for each installed plug-in that this process could not use."""
    return _installed.problems()
