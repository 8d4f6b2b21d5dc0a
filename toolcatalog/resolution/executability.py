"""Whether a tool can be run at all: by the caller, or by this process (T13)."""

from __future__ import annotations

from toolcatalog.callbacks import can_run
from toolcatalog.contract.catalog import Execution, ToolRecord
from toolcatalog.sources import is_registered


def is_executable(tool: ToolRecord) -> bool:
    """The caller runs `client` tools; this process those whose callback it has, or whose source is set up here."""
    if tool.execution in (Execution.MCP, Execution.HTTP):
        return is_registered(tool.execution, tool.source)
    return can_run(tool.execution, tool.callback)
