"""Vendors' interfaces on the loopback, with a scripted model behind them that refuses what the vendor would refuse.

The model is told what to do, not by which names: it searches with whatever tool it was given for that, and calls what
its latest search found, if the definition is before it. That is how the three disclosures are all played alike.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.client.models import (
    AnthropicModel,
    BedrockModel,
    ChatModel,
    GeminiModel,
    Model,
    RefusedRequest,
    ResponsesModel,
    Say,
)
from tests.client.servers import Answer, Received
from toolcatalog.formats import check_exported

Json = dict[str, Any]


@dataclass(frozen=True)
class Search:
    """The model searches for a capability."""

    query: str


@dataclass(frozen=True)
class Use:
    """The model calls the tool that its latest search put first."""

    arguments: Json


class Vendor(Model):
    """A vendor with a model that plays `Search`, `Use` and `Say`, one a request."""

    def answer(self, request: Json) -> Json:
        """The raw answer. Raises RefusedRequest for what the vendor would refuse."""
        self.check(request)
        self._check_tools(request)
        self.requests.append(request)
        number = len(self.requests)
        step: Any = self.script[number - 1]
        if isinstance(step, Say):
            return self.write_text(step.text)
        return self.write_calls([(f"call-{number}", *self._play(request, step))])

    @abstractmethod
    def list_definitions(self, request: Json) -> list[Json]:
        """The definitions of functions in the tool list, as the vendor's checker takes them."""

    def list_visible(self, request: Json) -> set[str]:
        """The names of the functions that the model may call: declared, and disclosed."""
        return {self.name_of(definition) for definition in self.list_definitions(request)}

    def name_of(self, definition: Json) -> str:
        return str(definition["name"])

    def find_latest(self, request: Json) -> list[str]:
        """What the latest search found."""
        return next((found for result in reversed(self.results(request)) if (found := read_found(result))), [])

    def search_name(self, request: Json) -> str:
        """The tool to search with."""
        (name,) = self.list_visible(request) & {"toolSearch", "search_tools"}
        return name

    def _check_tools(self, request: Json) -> None:
        definitions = self.list_definitions(request)
        for definition in definitions:
            if problems := check_exported(self.format, definition):
                raise RefusedRequest(f"{definition}: {problems}")
        names = [self.name_of(definition) for definition in definitions]
        if len(names) != len(set(names)):
            raise RefusedRequest(f"tool names must be unique: {names}")
        if "tools" in request and not request["tools"]:
            raise RefusedRequest("the list of tools is empty")

    def _play(self, request: Json, step: Any) -> tuple[str, Json]:
        if isinstance(step, Search):
            return self.search_name(request), {"query": step.query}
        found, visible = self.find_latest(request), self.list_visible(request)
        if not found:
            raise RefusedRequest("the search found nothing")
        if "execute_dynamic_tool" in visible:
            return "execute_dynamic_tool", {"tool_name": found[0], "tool_input": step.arguments}
        if found[0] not in visible:
            raise RefusedRequest(f"{found[0]} was found, and no definition of it came: {sorted(visible)}")
        return found[0], step.arguments


def read_found(result: Any) -> list[str]:
    """The names in an answer of a search, in whichever form; [] for any other answer."""
    if isinstance(result, str) and result[:1] in "[{":
        result = json.loads(result)
    if isinstance(result, Mapping) and "tools" in result:
        result = result["tools"]
    if not isinstance(result, list):
        return []
    names = [one if isinstance(one, str) else one.get("tool_name") or one.get("name") for one in result]
    return [name for name in names if isinstance(name, str)]


class Chat(Vendor, ChatModel):
    """OpenAI Chat Completions."""

    def list_definitions(self, request: Json) -> list[Json]:
        return list(request.get("tools", []))

    def name_of(self, definition: Json) -> str:
        return str(definition["function"]["name"])


class Generic(Chat):
    """A service that speaks as OpenAI Chat does, and takes tools as the catalog has them."""

    format = "generic"

    def list_tools(self, request: Json) -> list[str]:
        return [self.name_of(definition) for definition in self.list_definitions(request)]

    def name_of(self, definition: Json) -> str:
        return str(definition["name"])


class Responses(Vendor, ResponsesModel):
    """OpenAI Responses. A search run by the client has items of its own."""

    def check(self, request: Json) -> None:
        super().check(request)
        calls = [item["call_id"] for item in request["input"] if item.get("type") == "tool_search_call"]
        outputs = [item["call_id"] for item in request["input"] if item.get("type") == "tool_search_output"]
        if calls != outputs:
            raise RefusedRequest(f"the searches {calls} were answered by {outputs}")
        if not isinstance(request.get("instructions", ""), str):
            raise RefusedRequest("instructions are no text")
        searches = [tool for tool in request.get("tools", []) if tool["type"] == "tool_search"]
        if len(searches) > 1 or (calls and not searches):
            raise RefusedRequest("tool_search has to be declared once")

    def list_definitions(self, request: Json) -> list[Json]:
        return [tool for tool in request.get("tools", []) if tool["type"] == "function"] + list(_disclosed(request))

    def find_latest(self, request: Json) -> list[str]:
        outputs = [item for item in request["input"] if item.get("type") == "tool_search_output"]
        return [tool["name"] for tool in _members(outputs[-1])] if outputs else super().find_latest(request)

    def search_name(self, request: Json) -> str:
        is_native = any(tool["type"] == "tool_search" for tool in request["tools"])
        return "tool_search" if is_native else super().search_name(request)

    def write_calls(self, calls: Any) -> Json:
        answer = super().write_calls(calls)
        for item in answer["output"]:
            if item.get("name") == "tool_search":
                del item["name"]
                item |= {"type": "tool_search_call", "execution": "client", "arguments": json.loads(item["arguments"])}
        return answer


def _disclosed(request: Json) -> Iterator[Json]:
    """Definitions in the outputs of searches; the same tool may have been found more than once."""
    seen: set[str] = set()
    for item in request["input"]:
        for tool in _members(item) if item.get("type") == "tool_search_output" else ():
            if not tool.get("defer_loading"):
                raise RefusedRequest(f"{tool['name']} was found, and is not deferred")
            if tool["name"] not in seen:
                seen.add(tool["name"])
                yield tool


def _members(output: Json) -> list[Json]:
    tools: list[Json] = []
    for entry in output["tools"]:
        if entry["type"] == "namespace" and not (entry["description"] and entry["tools"]):
            raise RefusedRequest("a namespace needs a description and tools")
        tools += entry["tools"] if entry["type"] == "namespace" else [entry]
    return tools


class Messages(Vendor, AnthropicModel):
    """Anthropic Messages. Deferred tools are visible once a reference names them."""

    def check(self, request: Json) -> None:
        super().check(request)
        tools = request.get("tools", [])
        if "max_tokens" not in request:
            raise RefusedRequest("max_tokens: Field required")
        if tools and all(tool.get("defer_loading") for tool in tools):
            raise RefusedRequest("At least one tool must have defer_loading=false")
        missing = self._references(request) - {tool["name"] for tool in tools}
        if missing:
            raise RefusedRequest(f"tool_reference_unresolved: {missing}")
        if "system" in request and not request["system"]:
            raise RefusedRequest("system: text content blocks must be non-empty")

    def list_definitions(self, request: Json) -> list[Json]:
        return list(request.get("tools", []))

    def list_visible(self, request: Json) -> set[str]:
        declared = {tool["name"] for tool in request["tools"] if not tool.get("defer_loading")}
        return declared | self._references(request)

    def results(self, request: Json) -> list[Any]:
        contents = (message["content"] for message in request["messages"] if isinstance(message["content"], list))
        return [block["content"] for content in contents for block in content if block["type"] == "tool_result"]

    def _references(self, request: Json) -> set[str]:
        blocks = (block for result in self.results(request) if isinstance(result, list) for block in result)
        return {block["tool_name"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_reference"}


class GenerateContent(Vendor, GeminiModel):
    """Gemini's generateContent."""

    def list_definitions(self, request: Json) -> list[Json]:
        return [one for tool in request.get("tools", []) for one in tool["functionDeclarations"]]


class Interactions(Vendor, GeminiModel):
    """Gemini's Interactions, in which it has deferred tools."""

    def check(self, request: Json) -> None:
        calls = [step["id"] for step in request["input"] if step["type"] == "function_call"]
        answered = [step["call_id"] for step in request["input"] if step["type"] == "function_result"]
        if calls != answered:
            raise RefusedRequest(f"the calls {calls} were answered by {answered}")

    def _check_tools(self, request: Json) -> None:
        names = [tool["name"] for tool in request["tools"]]
        if len(names) != len(set(names)):
            raise RefusedRequest(f"tool names must be unique: {names}")

    def list_definitions(self, request: Json) -> list[Json]:
        disclosed = [one for result in self.results(request) if isinstance(result, list) for one in result]
        return [*request["tools"], *disclosed]

    def results(self, request: Json) -> list[Any]:
        return [step["result"] for step in request["input"] if step["type"] == "function_result"]

    def write_text(self, text: str) -> Json:
        return self._write([{"type": "model_output", "content": [{"type": "text", "text": text}]}], "completed")

    def write_calls(self, calls: Any) -> Json:
        steps = [{"type": "function_call", "id": id_, "name": name, "arguments": given} for id_, name, given in calls]
        return self._write([{"type": "thought", "signature": "aGVsbG8="}, *steps], "requires_action")

    def _write(self, steps: list[Json], status: str) -> Json:
        return {"id": f"i-{len(self.requests)}", "status": status, "steps": steps, "model": "scripted"}


class Converse(Vendor, BedrockModel):
    """Bedrock Converse."""

    def list_definitions(self, request: Json) -> list[Json]:
        return list(request.get("toolConfig", {}).get("tools", []))

    def name_of(self, definition: Json) -> str:
        return str(definition["toolSpec"]["name"])


def respond_with(vendors: Mapping[str, Vendor]) -> Any:
    """Answers requests as the vendor does whose path the address ends with."""

    def respond(received: Received) -> Answer:
        path = received.path.split("?")[0]
        vendor = next((vendor for end, vendor in vendors.items() if path.endswith(end)), None)
        if vendor is None:
            return Answer(404, {"error": {"message": f"no such address: {received.path}"}})
        return vendor.respond(received)

    return respond
