"""The contract of a provider format. A new format is one module beside this one that registers one object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from toolcatalog.contract.conversation import Message, ToolCall
from toolcatalog.contract.export import CallerTool, ExportedTool, Finding, Prompted
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition


class NotExportable(Exception):
    """One tool cannot be written in this format. It is left out of the request; the others go."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class CallResult:
    """The answer to one call, ready to be written as a tool message.

    `name` is the exported name. `value` is a JSON value; `is_error` marks an error text for the model.
    """

    call_id: str
    name: str
    value: JsonValue
    is_error: bool = False


class Format(ABC):
    """Everything that is particular to one provider: names, schemas, messages, system prompt, request fields."""

    name: ClassVar[str]
    max_tools: ClassVar[int | None] = None
    """The provider's limit of tools in one request; None: none stated."""
    has_native_disclosure: ClassVar[bool] = False

    # Tools
    @abstractmethod
    def export_name(self, name: str) -> str:
        """A legal name for the catalog name `name`, blind to other tools; `name` itself where that is legal."""

    @abstractmethod
    def export_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool = False) -> ExportedTool:
        """Write one tool. Raises NotExportable. Pure: the same input gives the same bytes."""

    @abstractmethod
    def check_tool(self, tool: ToolDefinition, exported_name: str) -> tuple[Finding, ...]:
        """What this provider would not take as it stands, in words; empty when the tool goes unchanged."""

    @abstractmethod
    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Read the caller's own tools, neutral or in this vendor's form. Raises InvalidInput with paths `tools[i]…`."""

    # Messages
    @abstractmethod
    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Whether the messages are unmistakably of this dialect. OpenAI Chat is what is assumed otherwise."""

    @abstractmethod
    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Read messages into the neutral form, one for one. Raises InvalidInput with paths `messages[i]…`."""

    @abstractmethod
    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The calls of one assistant message (or list of output items), in order."""

    @abstractmethod
    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """Tool messages for the results; one single message where the vendor wants all results together."""

    # Prompt and request
    @abstractmethod
    def merge_prompt(
        self,
        *,
        messages: Sequence[JsonValue] | None,
        prompt: str | None,
        base: JsonValue,
        additions: Sequence[str],
    ) -> Prompted:
        """Merge the additions (G5, G6, G15) into the conversation and make the vendor's fields for the request.

        Exactly one of `messages` and `prompt` is given. `base` is the caller's `system_prompt` (text, or blocks where
        the vendor has them). Never changes its arguments.
        """

    @abstractmethod
    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """The vendor's fields that carry the tools; `{}` when there are none."""
