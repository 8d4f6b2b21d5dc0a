"""The one family of errors that this project raises on purpose. Doors render them; nothing else catches them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with one part of the input.

    `path` is a JSON path such as `matchers[0].value` ("" is the whole input), `code` a stable word for programs,
    `message` a sentence that says what to do.
    """

    path: str
    code: str
    message: str


class ToolCatalogError(Exception):
    """Root of the errors raised on purpose. `code` is stable and documented; the text is for people.

    `on_record`: the audit has a row that says so already.
    """

    code = "error"
    on_record = False

    def __init__(self, detail: str, *, code: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        if code is not None:
            self.code = code


class UnreadableInput(ToolCatalogError):
    """The input cannot be read as JSON or as text (HTTP 400). `path` says where in it, as far as that is known."""

    code = "unreadable"

    def __init__(self, detail: str, *, code: str | None = None, path: str = "") -> None:
        super().__init__(detail, code=code)
        self.errors = (FieldError(path, self.code, detail),)


class InvalidInput(ToolCatalogError):
    """The input can be read but is wrong (HTTP 422). Holds every finding, not only the first."""

    code = "invalid"

    def __init__(self, errors: Iterable[FieldError], *, code: str | None = None) -> None:
        self.errors = tuple(errors)
        super().__init__(" ".join(error.message for error in self.errors) or "The input is not valid.", code=code)

    @classmethod
    def single(cls, path: str, code: str, message: str) -> InvalidInput:
        """An error with one finding, whose code is the code of the whole."""
        return cls([FieldError(path, code, message)], code=code)


class NotAuthenticated(ToolCatalogError):
    """No key, or a key that is unknown, expired or revoked (HTTP 401)."""

    code = "not_authenticated"


class Forbidden(ToolCatalogError):
    """The caller is known and may not do this (HTTP 403)."""

    code = "forbidden"


class NotFound(ToolCatalogError):
    """There is no such thing for this caller (HTTP 404)."""

    code = "not_found"


class Conflict(ToolCatalogError):
    """The request does not fit the present state (HTTP 409)."""

    code = "conflict"


class PreconditionFailed(ToolCatalogError):
    """Somebody else changed the object first (HTTP 412)."""

    code = "precondition_failed"


class TooLarge(ToolCatalogError):
    """The input passes a size limit (HTTP 413)."""

    code = "too_large"


class Unavailable(ToolCatalogError):
    """Something this server needs does not answer (HTTP 503); the same request may succeed later."""

    code = "unavailable"
    retry_after_seconds = 2


class SearchFailed(Unavailable):
    """A search provider raised or did not answer in time. Never confused with "nothing found"."""

    code = "search_failed"


class ToolFailed(ToolCatalogError):
    """The tool raised, or answered with an error (HTTP 502)."""

    code = "tool_failed"


class ToolTimedOut(ToolCatalogError):
    """The tool did not answer in time (HTTP 504)."""

    code = "tool_timed_out"
