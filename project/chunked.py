"""Bodies that come in chunks, as clients send what they do not know the length of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

LARGEST = 64 * 1024 * 1024
"""More than any view reads: each refuses what passes its own limit."""

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class ChunkedBodies:
    """A WSGI application that gives such a body to another, which would take it for empty.

    Django reads as many bytes as the length says, and none without one. The server ends the stream where the body
    ends, so that a length that is too large does no harm; nothing is read before a view asks for it.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer one request."""
        is_chunked = environ.get("HTTP_TRANSFER_ENCODING", "").strip().lower() == "chunked"
        if is_chunked and environ.get("wsgi.input_terminated") and not environ.get("CONTENT_LENGTH"):
            environ["CONTENT_LENGTH"] = str(LARGEST)
        return self.application(environ, start_response)
