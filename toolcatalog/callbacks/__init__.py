"""Python functions that run tools here, found through the entry point group `toolcatalog.callbacks`.

For authors of callbacks: `tool`, `CallContext` and `ToolError`. For the catalog: which there are, and running them.
"""

from .context import CallContext
from .definition import Callback, CallbackDefinition, callback_of, tool
from .errors import CallbackRefused, ToolError
from .registry import callback_problems, can_run, registered_callbacks
from .results import EncodedResult, encode_result
from .running import CallbackResult, hung_calls, run_after_each_call, run_callback

__all__ = [
    "CallContext",
    "Callback",
    "CallbackDefinition",
    "CallbackRefused",
    "CallbackResult",
    "EncodedResult",
    "ToolError",
    "callback_of",
    "callback_problems",
    "can_run",
    "encode_result",
    "hung_calls",
    "registered_callbacks",
    "run_after_each_call",
    "run_callback",
    "tool",
]
