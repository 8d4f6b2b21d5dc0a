"""What the client has to know of a vendor's messages. A new dialect is one module beside this one and a line in the
table of `__init__`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply

Message = dict[str, Any]

SYSTEM, USER, ASSISTANT, TOOL, OTHER = "system", "user", "assistant", "tool", "other"
SYSTEM_ROLES = ("system", "developer")
TEXT_TYPES = ("text", "input_text", "output_text")
_ADDED_BY_SDKS = frozenset({"index", "parsed", "parsed_arguments", "parsed_output"})


@dataclass(frozen=True, slots=True)
class CallName:
    """One call of a model: its id, or its name where it has none, and its name.

    `is_custom` marks a call of a custom tool, where the vendor wants an answer of that kind.
    """

    id: str
    name: str
    is_custom: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """What matters of a message for choosing what to send: who speaks, what is called, and which calls are answered."""

    role: str
    has_text: bool = False
    calls: tuple[CallName, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def is_deciding(self) -> bool:
        """Whether rules read this message if it is the last of its kind: a user's, and not only answers of tools."""
        return self.role == USER and (self.has_text or not self.answers)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered.

    `messages` are appended to the conversation, `payload` is what tool-calls reads. `paused`: the vendor wants to be
    called again with what there is.
    """

    messages: tuple[Message, ...]
    payload: Any
    calls: tuple[CallName, ...]
    text: str
    paused: bool = False

    @property
    def has_ids(self) -> bool:
        """Whether every call has an id of its own, by which a repeat can be recognised."""
        return all(call.id != call.name for call in self.calls)


class Dialect(ABC):
    """How one vendor writes conversations and requests."""

    formats: ClassVar[tuple[str, ...]]
    """The catalog's formats that use these messages."""
    messages_key: ClassVar[str] = "messages"
    """The field of the request that holds the messages."""
    system_path: ClassVar[tuple[str, ...]] = ()
    """The field of the request that holds the system prompt; () where it is a message."""
    keeps_blocks: ClassVar[bool] = True
    """Whether a system prompt of blocks stays one."""
    wraps_system: ClassVar[bool] = False
    """Whether a system prompt of text is sent as a list of one block, and the catalog reads system messages as text."""
    joins_calls: ClassVar[bool] = False
    """Whether what one model call answers stands in several messages that follow each other."""

    takes_plain: ClassVar[bool] = True
    """Whether a message of only a role and a text is of this dialect."""

    @abstractmethod
    def has_marks(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is unmistakably of this dialect."""

    @abstractmethod
    def outline(self, message: Mapping[str, Any]) -> Outline:
        """What matters of a message. Never raises: what cannot be read is for the server to refuse."""

    @abstractmethod
    def drop_media(self, message: Message) -> Message:
        """The message without parts that are neither text nor calls nor answers."""

    @abstractmethod
    def make_user_message(self, text: str) -> Message:
        """What a person says."""

    @abstractmethod
    def make_text_block(self, text: str) -> dict[str, Any]:
        """A block of the system prompt."""

    @abstractmethod
    def read_reply(self, reply: Any) -> ModelReply:
        """What a model answered, from the SDK's object as a plain value. Raises UnreadableReply."""

    @abstractmethod
    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        """The message that answers one call with a plain value."""

    def answer_custom(self, message: Message) -> Message:
        """The answer to a call as the vendor wants it where the call is a custom tool's."""
        return message

    def join_results(self, messages: Sequence[Message]) -> list[Message]:
        """Messages that answer calls of one reply, as the vendor wants them."""
        return list(messages)

    def finish_request(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request as the vendor's SDK takes it, where that is not what JSON can hold."""
        return request


def need_mapping(reply: Any, dialect: str) -> Mapping[str, Any]:
    """A reply that has to be an object. Raises UnreadableReply."""
    if isinstance(reply, Mapping):
        return reply
    raise UnreadableReply(f"A {type(reply).__name__} is not an answer of {dialect}.")


def choose_id(value: Any, name: str) -> str:
    """The id of a call; where it is missing or blank, the tool's name is the id."""
    return value if isinstance(value, str) and value.strip() else name


def list_objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; nothing for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def read_text(value: Any) -> str:
    """The text of a content: text, or a list of parts."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else [value]
    texts = [part if isinstance(part, str) else _text_of(part) for part in parts]
    return "\n".join(text for text in texts if text is not None)


def _text_of(part: Any) -> str | None:
    if isinstance(part, dict) and part.get("type") in TEXT_TYPES and isinstance(part.get("text"), str):
        return str(part["text"])
    return None


def drop_parsed(value: Any) -> Any:
    """A plain value without what SDKs add to the vendor's answer, and the vendor refuses to read again: parsed forms of
    texts, and the places of parts in a stream.
    """
    if isinstance(value, list):
        return [drop_parsed(member) for member in value]
    if not isinstance(value, dict):
        return value
    return {key: member for key, member in value.items() if key not in _ADDED_BY_SDKS}


def keep_text_parts(content: Any) -> Any:
    """A content without parts that are no text."""
    if not isinstance(content, list):
        return content
    return [part for part in content if isinstance(part, str) or _text_of(part) is not None]
