"""The contract of a provider format. A new format is one module beside this one that registers one object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from toolcatalog.contract.conversation import Message, ToolCall
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import CallerTool, ExportedTool, Finding, Prompted
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._names import NameRule
from ._notes import Notes
from ._plain import NotPlainError, copy_plain
from ._schemas import find_hidden_characters, tidy_schema
from .checker import ProviderRules, check_payload
from .native import DeferredTool, NativeDisclosure
from .registry import FORMATS


class NotExportable(Exception):
    """One tool cannot be written in this format. It is left out of the request; the others go."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class CallResult:
    """The answer to one call, ready to be written as a tool message.

    `name` is the exported name. `value` is a JSON value; `is_error` marks an error text for the model. `found` holds
    the tools of a search, best first, where they are to be disclosed in the vendor's native form; `value` then only
    counts for formats that have none.
    """

    call_id: str
    name: str
    value: JsonValue
    is_error: bool = False
    found: tuple[DeferredTool, ...] | None = None


class Format(ABC):
    """Everything that is particular to one provider: names, schemas, messages, system prompt, request fields."""

    name: ClassVar[str]
    label: ClassVar[str]
    """The provider's name in sentences for people."""
    name_rule: ClassVar[NameRule | None] = None
    """Which tool names the provider takes; None: any."""
    max_tools: ClassVar[int | None] = None
    """The provider's limit of tools in one request; None: none stated."""
    has_native_disclosure: ClassVar[bool] = False
    native: ClassVar[NativeDisclosure | None] = None
    """How found tools are disclosed in the provider's own deferred form; None: not in this form, see `native_form`."""
    rules: ClassVar[ProviderRules | None] = None
    """What the provider refuses, for the checker; None: nothing but what is no JSON."""
    caller_members: ClassVar[frozenset[str]] = frozenset()
    """What a caller may say of a tool of its own beside name, description and parameters; sent as it came."""
    reads_plain_messages: ClassVar[bool] = True
    """Whether messages of only a role and a text are of this dialect as well."""

    # Tools
    def export_name(self, name: str) -> str:
        """A legal name for the catalog name `name`, blind to other tools; `name` itself where that is legal."""
        return name if self.name_rule is None else self.name_rule.make_legal(name)

    def export_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool = False) -> ExportedTool:
        """Write one tool. Raises NotExportable. Pure: the same input gives the same bytes.

        What was written is held against the provider's rules: a tool that it would refuse never goes.
        """
        exported = self._write(tool, exported_name, strict=strict)
        problems = check_payload(self.rules, exported.payload)
        if problems:
            message = f"{self.label} would refuse this tool: {problems[0]}."
            raise NotExportable(Finding(self.name, "refused", "", message, fatal=True))
        return exported

    def _write(self, tool: ToolDefinition, exported_name: str, *, strict: bool) -> ExportedTool:
        try:
            return self.write_tool(tool, exported_name, strict=strict, notes=Notes(self.name, self.label))
        except NotPlainError as fault:
            raise self._refuse(fault) from fault

    def export_caller_tool(self, tool: CallerTool, exported_name: str, *, strict: bool = False) -> ExportedTool:
        """Write a tool that the caller passed in, with what it says in the vendor's own words. Raises NotExportable."""
        definition = ToolDefinition(tool.name, tool.description, tool.parameters)
        exported = self._write(definition, exported_name, strict=strict and "strict" not in tool.members)
        if not tool.members:
            return exported
        try:
            members = copy_plain(tool.members, "members")
        except NotPlainError as fault:
            raise self._refuse(fault) from fault
        relaxed = None if exported.relaxed is None else self._add_members(exported.relaxed, members)
        return replace(exported, payload=self._add_members(exported.payload, members), relaxed=relaxed)

    def _add_members(self, payload: JsonObject, members: JsonObject) -> JsonObject:
        wrapper = self.rules.wrapped_in if self.rules is not None else ""
        held = payload.get(wrapper)
        return {**payload, wrapper: {**held, **members}} if isinstance(held, Mapping) else {**payload, **members}

    def _refuse(self, fault: NotPlainError) -> NotExportable:
        message = f"The tool cannot be sent to {self.label}: {fault.path} {fault.reason}."
        return NotExportable(Finding(self.name, "not_exportable", fault.path, message, fatal=True))

    @abstractmethod
    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """What `export_tool` does, with a place for findings. Raises NotPlainError for what cannot be sent."""

    def check_tool(self, tool: ToolDefinition, exported_name: str) -> tuple[Finding, ...]:
        """What this provider would not take as it stands, in words; empty when the tool goes unchanged."""
        try:
            exported = self.export_tool(tool, exported_name)
        except NotExportable as error:
            return (error.finding,)
        return (*self._check_name(tool.name, exported_name), *exported.findings, *self._check_characters(tool))

    @abstractmethod
    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Read the caller's own tools, neutral or in this vendor's form. Raises InvalidInput with paths `tools[i]…`."""

    def list_tools(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> tuple[JsonObject, ...]:
        """The provider's tool list: what the vendor runs first, then the exported tools."""
        return (*vendor_entries, *(tool.payload for tool in tools))

    def fit_set(
        self, tools: Sequence[ExportedTool], vendor_entries: Sequence[JsonObject] = ()
    ) -> tuple[ExportedTool, ...]:
        """The same tools, changed where the provider limits a request as a whole (other than by `max_tools`).

        `vendor_entries` are what stands before them in the tool list.
        """
        del vendor_entries
        return tuple(tools)

    # Messages
    @abstractmethod
    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Whether the messages are unmistakably of this dialect. OpenAI Chat is what is assumed otherwise."""

    @abstractmethod
    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Read messages into the neutral form, one for one. Raises InvalidInput with paths `messages[i]…`."""

    @abstractmethod
    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The calls of one assistant message (or list of output items), in order. Raises InvalidInput at `message`."""

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
        the vendor has them). Never changes its arguments. Raises InvalidInput.
        """

    @abstractmethod
    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """The vendor's fields that carry the tools; `{}` when there are none."""

    def complete_request(self, request: JsonObject) -> JsonObject:
        """The vendor's fields for prompt, messages and tools together, changed where they depend on one another."""
        return request

    def native_form(self) -> Format:
        """The format to use for native disclosure: this one, or the one of the vendor's interface that has it (N4).

        Raises InvalidInput at `disclosure` where there is none.
        """
        if self.native is not None:
            return self
        others = ", ".join(sorted(name for name, format_ in FORMATS.items() if format_.has_native_disclosure))
        message = (
            f"The format “{self.name}” has no native form of tool search; {others} have. Or use “inline” or “meta”."
        )
        raise InvalidInput.single("disclosure", "no_native_form", message)

    def _check_name(self, name: str, exported_name: str) -> tuple[Finding, ...]:
        if name == exported_name:
            return ()
        rule = self.name_rule
        length = limit = None
        if rule is not None and len(name) > rule.max_length:
            length, limit = len(name), rule.max_length
            why = f"This name is too long for {self.label}, which takes {rule.max_length} characters"
        elif rule is not None and not rule.allows(name):
            why = f"This name has characters that {self.label} does not take, or not in the first place"
        else:
            why = "Another tool has this name already"
        message = f"{why}: it will be sent as “{exported_name}”."
        return (Finding(self.name, "renamed", "name", message, length=length, limit=limit),)

    def _check_characters(self, tool: ToolDefinition) -> tuple[Finding, ...]:
        schema = tidy_schema(tool.parameters, "parameters", Notes(self.name, self.label))
        return tuple(
            Finding(
                self.name,
                "hidden_character",
                f"parameters.properties.{name}",
                f"The parameter name {name!a} holds characters that nobody sees; write it again by hand.",
            )
            for name in find_hidden_characters(schema)
        )
