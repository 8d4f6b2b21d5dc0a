"""After the model speaks: runs tool calls and writes the messages that come next."""

from .executing import execute_tool
from .refusals import RefusedRequest, record_refusal
from .tool_calls import run_tool_calls

__all__ = ["RefusedRequest", "execute_tool", "record_refusal", "run_tool_calls"]
