"""After the model speaks: runs tool calls and writes the messages that come next."""

from .executing import execute_tool
from .tool_calls import run_tool_calls

__all__ = ["execute_tool", "run_tool_calls"]
