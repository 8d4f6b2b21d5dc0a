"""Which database errors mean "try again later": judged by SQLSTATE, since the classes do not tell."""

from __future__ import annotations

from django.db import InterfaceError, OperationalError

UNAVAILABLE = {
    "database_unavailable": "The database does not answer. Try again shortly.",
    "read_only": "The database takes no writes at the moment. Try again shortly.",
    "overloaded": "The database is too busy. Try again shortly.",
}
_OVERLOADED_CLASSES = ("53",)
_UNAVAILABLE_CLASSES = ("08", "57", "58", "XX")
_READ_ONLY = "25006"
_OVERLOADED = frozenset({"25P03", "25P04", "40001", "40P01", "55P03", "57014"})


def describe_database_error(error: BaseException) -> str | None:
    """A key of UNAVAILABLE, or None where the error is a fault of ours and not of the moment."""
    state = find_sqlstate(error)
    if state is None:
        return "database_unavailable" if isinstance(error, OperationalError | InterfaceError) else None
    if state == _READ_ONLY:
        return "read_only"
    if state in _OVERLOADED or state.startswith(_OVERLOADED_CLASSES):
        return "overloaded"
    return "database_unavailable" if state.startswith(_UNAVAILABLE_CLASSES) else None


def find_sqlstate(error: BaseException) -> str | None:
    """The SQLSTATE of the driver's error that Django wrapped."""
    cause: BaseException | None = error
    while cause is not None:
        state = getattr(cause, "sqlstate", None)
        if isinstance(state, str):
            return state
        cause = cause.__cause__
    return None
