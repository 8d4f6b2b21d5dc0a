"""What can go wrong, as one family. Branch on the class or on `code`; never on the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One thing wrong with one part of what was sent: JSON path, stable word for programs, sentence for people."""

    path: str
    code: str
    message: str


class ToolCatalogError(Exception):
    """Root of everything that the client raises on purpose."""


class UnreadableReply(ToolCatalogError, ValueError):
    """What a model answered is not in the form of the dialect that was named."""


class UnsupportedMessages(ToolCatalogError, ValueError):
    """The client cannot cut or merge these messages itself: they are not in the dialect that was named."""


class ToolCatalogConnectionError(ToolCatalogError):
    """No answer came, after all attempts.

    `reached` tells whether the last request may have reached the server; `request_id` is what that attempt was sent
    with.
    """

    def __init__(self, detail: str, *, reached: bool, request_id: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.reached = reached
        self.request_id = request_id


class ToolCatalogTimeout(ToolCatalogConnectionError):
    """No answer came in time."""


class UnreadableAnswer(ToolCatalogError):
    """Something answered that does not speak the catalog's API: a wrong address, or a proxy's own page."""

    def __init__(self, detail: str, *, status: int, request_id: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = status
        self.request_id = request_id


class ToolCatalogAPIError(ToolCatalogError):
    """The catalog refused, in its own words.

    `code` is stable and documented, `errors` say what is wrong with which part. `retry_after` is in seconds, None where
    the server did not say.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: tuple[FieldProblem, ...] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.request_id = request_id
        self.retry_after = retry_after


class UnreadableRequest(ToolCatalogAPIError):
    """400: what was sent cannot be read as JSON or text."""


class NotAuthenticated(ToolCatalogAPIError):
    """401: no key, or one that is unknown, expired or revoked."""


class Forbidden(ToolCatalogAPIError):
    """403: this key may not do this."""


class NotFound(ToolCatalogAPIError):
    """404: there is no such thing for this caller."""


class Conflict(ToolCatalogAPIError):
    """409: it does not fit the present state, such as a tool that was not shown."""


class TooLarge(ToolCatalogAPIError):
    """413: what was sent passes a size limit."""


class InvalidRequest(ToolCatalogAPIError):
    """422: what was sent can be read, and is wrong; `errors` say where."""


class TooManyRequests(ToolCatalogAPIError):
    """429: slower."""


class ToolFailed(ToolCatalogAPIError):
    """502: the tool that was to be executed failed."""


class Unavailable(ToolCatalogAPIError):
    """503: something that the server needs does not answer."""


class ToolTimedOut(ToolCatalogAPIError):
    """504: the tool that was to be executed did not answer in time."""


ERRORS_BY_STATUS: dict[int, type[ToolCatalogAPIError]] = {
    400: UnreadableRequest,
    401: NotAuthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: InvalidRequest,
    429: TooManyRequests,
    502: ToolFailed,
    503: Unavailable,
    504: ToolTimedOut,
}
