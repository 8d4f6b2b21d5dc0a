"""The Python client: needs httpx2 and nothing else of this project.

`ToolCatalogClient` and `AsyncToolCatalogClient` speak the REST API; `run_agent` and `run_agent_async` are the loop
around a model. docs/client.md is the guide.
"""

from .agent import MAX_ROUNDS, AgentOutcome, AgentStatus, run_agent, run_agent_async
from .answers import (
    Availability,
    CallReport,
    ExecuteAnswer,
    ExecutedTool,
    FoundTool,
    GroupAnswer,
    Notice,
    Omission,
    ResolveAnswer,
    SearchAnswer,
    SessionTools,
    Snapshot,
    ToolCallsAnswer,
    UnhandledCall,
    Usage,
)
from .asynchronous import AsyncToolCatalogClient
from .blocking import ToolCatalogClient
from .composing import apply_snapshot
from .dialects import CallName, ModelReply
from .errors import (
    Conflict,
    FieldProblem,
    Forbidden,
    InvalidRequest,
    NotAuthenticated,
    NotFound,
    TooLarge,
    ToolCatalogAPIError,
    ToolCatalogConnectionError,
    ToolCatalogError,
    ToolCatalogTimeout,
    ToolFailed,
    ToolTimedOut,
    TooManyRequests,
    Unavailable,
    UnreadableAnswer,
    UnreadableReply,
    UnreadableRequest,
    UnsupportedMessages,
)
from .exchange import RetryPolicy
from .replies import read_reply, write_answers
from .requests import Context
from .trimming import ENTRY_TOOLS, trim_messages

__all__ = [
    "ENTRY_TOOLS",
    "MAX_ROUNDS",
    "AgentOutcome",
    "AgentStatus",
    "AsyncToolCatalogClient",
    "Availability",
    "CallName",
    "CallReport",
    "Conflict",
    "Context",
    "ExecuteAnswer",
    "ExecutedTool",
    "FieldProblem",
    "Forbidden",
    "FoundTool",
    "GroupAnswer",
    "InvalidRequest",
    "ModelReply",
    "NotAuthenticated",
    "NotFound",
    "Notice",
    "Omission",
    "ResolveAnswer",
    "RetryPolicy",
    "SearchAnswer",
    "SessionTools",
    "Snapshot",
    "TooLarge",
    "TooManyRequests",
    "ToolCallsAnswer",
    "ToolCatalogAPIError",
    "ToolCatalogClient",
    "ToolCatalogConnectionError",
    "ToolCatalogError",
    "ToolCatalogTimeout",
    "ToolFailed",
    "ToolTimedOut",
    "Unavailable",
    "UnhandledCall",
    "UnreadableAnswer",
    "UnreadableReply",
    "UnreadableRequest",
    "UnsupportedMessages",
    "Usage",
    "apply_snapshot",
    "read_reply",
    "run_agent",
    "run_agent_async",
    "trim_messages",
    "write_answers",
]
