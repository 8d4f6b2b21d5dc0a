"""Which callbacks this process has. Installing a package that offers one is deploying it: the catalog only picks.

A package offers a function under the entry point group `toolcatalog.callbacks`, one entry point for each function:

    [project.entry-points."toolcatalog.callbacks"]
    "parcels.price" = "parcel_tools:price"

The name of the entry point is the callback's name, by which the catalog knows it. Names are known without importing
anything; a function is imported when it is first needed. What cannot be used is reported and stops nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Set
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from threading import RLock

from toolcatalog.conf import read_settings
from toolcatalog.contract.catalog import Execution

from .definition import Callback, callback_of
from .errors import CallbackRefused

GROUP = "toolcatalog.callbacks"

logger = logging.getLogger(__name__)


class CallbackRegistry(Set[str]):
    """The callbacks of one process by name: those that packages offer, that are allowed and not known to be broken."""

    def __init__(self, offered: Iterable[EntryPoint], allowed: Collection[str] | None) -> None:
        self._points: dict[str, EntryPoint] = {}
        self._loaded: dict[str, Callback] = {}
        self._problems: dict[str, str] = {}
        self._lock = RLock()
        for point in sorted(offered, key=lambda one: (one.name, one.value)):
            self._offer(point, allowed)

    def _offer(self, point: EntryPoint, allowed: Collection[str] | None) -> None:
        if allowed is not None and point.name not in allowed:
            return
        if point.name in self._points:
            self._report(point.name, "two packages offer it, so that neither is used.")
        self._points[point.name] = point

    def __contains__(self, name: object) -> bool:
        return name in self._points and name not in self._problems

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._points if name not in self._problems)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, name: str) -> Callback | None:
        """The callback of this name, imported now if it was not yet; None when there is none that can be used."""
        callback = self._loaded.get(name)
        if callback is None and name in self:
            with self._lock:
                callback = self._loaded.get(name) or self._load(self._points[name])
        return callback

    def load_all(self) -> dict[str, Callback]:
        """Every callback that can be used, by name, sorted; all are imported for that."""
        found = {name: self.find(name) for name in sorted(self._points)}
        return {name: callback for name, callback in found.items() if callback is not None}

    def problems(self) -> dict[str, str]:
        """Name to a sentence, for each offered callback that cannot be used. Imports all."""
        self.load_all()
        return dict(self._problems)

    def _load(self, point: EntryPoint) -> Callback | None:
        if point.name in self._problems:
            return None
        try:
            callback = callback_of(point.load())
            callback.definition  # noqa: B018  # its types are read now, so that a fault in them is told here
        except CallbackRefused as refused:
            self._report(point.name, f"{point.value} cannot be used. {refused.detail}")
        except (Exception, SystemExit) as error:  # the callback border: importing runs other people's code
            logger.warning("a callback's package raised", exc_info=True)
            self._report(point.name, f"{point.value} could not be imported, it raised {type(error).__name__}.")
        else:
            self._loaded[point.name] = callback
            return callback
        return None

    def _report(self, name: str, sentence: str) -> None:
        self._problems[name] = f"The callback “{name}”: {sentence}"
        logger.warning("callback left out: %s", self._problems[name])


@cache
def registered_callbacks() -> CallbackRegistry:
    """The callbacks of this process, a set of names. Nothing is imported to know them."""
    return CallbackRegistry(entry_points(group=GROUP), read_settings().callbacks_allowed)


def can_run(execution: Execution, callback: str) -> bool:
    """Whether a tool can be run: the caller runs `client` tools, this process those whose callback it has (T13)."""
    if execution is Execution.CLIENT:
        return True
    return execution is Execution.CALLBACK and callback in registered_callbacks()


def callback_problems() -> tuple[str, ...]:
    """A sentence for each callback that a package offers and this process cannot use. Imports all of them."""
    return tuple(registered_callbacks().problems().values())
