"""Which callbacks this process has. Installing a package that offers one is deploying it: the catalog only picks."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from toolcatalog.contract.catalog import Execution

GROUP = "toolcatalog.callbacks"


@cache
def registered_callbacks() -> frozenset[str]:
    """The names of the callbacks that installed packages offer. Nothing is imported to know them."""
    return frozenset(point.name for point in entry_points(group=GROUP))


def can_run(execution: Execution, callback: str) -> bool:
    """Whether a tool can be run: the caller runs `client` tools, this process those whose callback it has (T13)."""
    if execution is Execution.CLIENT:
        return True
    return execution is Execution.CALLBACK and callback in registered_callbacks()
