"""One conversation in every dialect, and what it is read as."""

from __future__ import annotations

from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall

SEARCH = ToolCall("c1", "toolSearch", {"query": "weather"})
FOUND = ToolAnswer("c1", ["getWeather"], ("getWeather",))
NEUTRAL = (
    Message(Role.USER, "weather?"),
    Message(Role.ASSISTANT, "I search.", (SEARCH,)),
    Message(Role.TOOL, answers=(FOUND,)),
    Message(Role.ASSISTANT, "It rains."),
)
CONVERSATIONS: dict[str, list[Any]] = {
    "openai_chat": [
        {"role": "user", "content": "weather?"},
        {
            "role": "assistant",
            "content": "I search.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "toolSearch", "arguments": '{"query": "weather"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '["getWeather"]'},
        {"role": "assistant", "content": [{"type": "text", "text": "It rains."}]},
    ],
    "anthropic": [
        {"role": "user", "content": "weather?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I search."},
                {"type": "tool_use", "id": "c1", "name": "toolSearch", "input": {"query": "weather"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": '["getWeather"]'}]},
        {"role": "assistant", "content": [{"type": "text", "text": "It rains."}]},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "weather?"}]},
        {
            "role": "model",
            "parts": [
                {"text": "I search."},
                {"functionCall": {"id": "c1", "name": "toolSearch", "args": {"query": "weather"}}},
            ],
        },
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "toolSearch", "response": {"output": ["getWeather"]}}}],
        },
        {"role": "model", "parts": [{"text": "It rains."}]},
    ],
    "bedrock": [
        {"role": "user", "content": [{"text": "weather?"}]},
        {
            "role": "assistant",
            "content": [
                {"text": "I search."},
                {"toolUse": {"toolUseId": "c1", "name": "toolSearch", "input": {"query": "weather"}}},
            ],
        },
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": '["getWeather"]'}]}}],
        },
        {"role": "assistant", "content": [{"text": "It rains."}]},
    ],
}
RESPONSES: list[Any] = [
    {"role": "user", "content": [{"type": "input_text", "text": "weather?"}]},
    {"type": "reasoning", "summary": []},
    {"type": "function_call", "call_id": "c1", "name": "toolSearch", "arguments": '{"query": "weather"}'},
    {"type": "function_call", "call_id": "c2", "name": "current_time", "arguments": ""},
    {"type": "function_call_output", "call_id": "c1", "output": '["getWeather"]'},
    {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "noon"}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It rains."}]},
]
