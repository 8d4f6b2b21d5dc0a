"""What goes wrong with callbacks."""

from __future__ import annotations

from toolcatalog.contract.errors import ToolCatalogError


class ToolError(ToolCatalogError):
    """Raised by a callback to tell the model, in words of its own, why it cannot do what was asked.

    The only exception whose text a model reads: `raise ToolError("There is no order 17. Ask for the number again.")`.
    """

    code = "tool_error"


class CallbackRefused(ToolCatalogError):
    """A function that cannot be a callback, with what to change about it."""

    code = "callback_refused"


class ArgumentsRefused(ToolCatalogError):
    """Arguments that the types of a callback do not take, with a text for the model that names each."""

    code = "arguments"


class CannotEncode(ToolCatalogError):
    """A result that has no form in JSON."""

    code = "cannot_encode"


class CallNotRun(ToolCatalogError):
    """A call that was not started, since there was no room for it. `code` is `busy` or `stuck`."""

    code = "busy"


class CallTimedOut(ToolCatalogError):
    """A call that did not answer in time."""

    code = "timeout"
