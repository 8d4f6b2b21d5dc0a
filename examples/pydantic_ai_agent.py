"""A Pydantic AI agent whose tools and instructions come from the catalog, anew for each model call.

Needs `pip install "pydantic-ai-slim[openai]" httpx2`, the catalog's URL and API_KEY (`. .data/demo.env` has both), and
OPENAI_API_KEY. MODEL and OPENAI_BASE_URL choose another model or service.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_ai.toolsets.external import TOOL_SCHEMA_VALIDATOR

from toolcatalog.client import AsyncToolCatalogClient, Context, ResolveAnswer


def get_order(**wanted: Any) -> dict[str, Any]:
    """The shop's own code, which the catalog knows nothing of."""
    return {"orderNo": wanted["orderNo"], "status": "shipped", "items": ["Teapot", "Two cups"]}


def get_weather(city: str, **_: Any) -> str:
    """Another one."""
    return f"Sunny in {city}, 21 degrees."


FUNCTIONS = {"get_order": get_order, "getWeather": get_weather}


class CatalogToolset(AbstractToolset[Any]):
    """The tools that the catalog gives for each step of a run. Arguments are checked by the catalog."""

    def __init__(
        self, catalog: AsyncToolCatalogClient, functions: Mapping[str, Callable[..., Any]], context: Context
    ) -> None:
        self.catalog = catalog
        self.functions = functions
        self.context = context
        self.answer: ResolveAnswer | None = None

    @property
    def id(self) -> str:
        return "toolcatalog"

    async def for_run(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        """Each run has an answer of its own."""
        return CatalogToolset(self.catalog, self.functions, self.context)

    async def for_run_step(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        """Resolve before each model call."""
        messages = to_chat(ctx.messages)
        self.answer = await self.catalog.resolve(messages=messages, format="openai_chat", context=self.context)
        return self

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """The definitions of this step."""
        request = self.answer.request if self.answer else {}
        functions = [tool["function"] for tool in request.get("tools", [])]
        return {
            function["name"]: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=function["name"],
                    description=function.get("description"),
                    parameters_json_schema=function["parameters"],
                ),
                max_retries=0,
                args_validator=TOOL_SCHEMA_VALIDATOR,
            )
            for function in functions
        }

    async def get_instructions(self, ctx: RunContext[Any]) -> str | None:
        """What the catalog adds to the system prompt in this step."""
        return self.answer.additions if self.answer else None

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Let the catalog run the call, or run it here where it says so."""
        message = {"role": "assistant", "tool_calls": [write_call(ctx.tool_call_id, name, tool_args)]}
        done = await self.catalog.run_tool_calls(message, snapshot_id=self.answer.snapshot.id if self.answer else None)
        if done.unhandled:
            call = done.unhandled[0]
            return self.functions[call.name](**call.arguments)
        return done.results[0].result


def to_chat(history: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """What the catalog needs to see of a history: what people said, and calls with their answers."""
    messages: list[dict[str, Any]] = []
    for message in history:
        calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
        texts = [part.content for part in message.parts if isinstance(part, TextPart)]
        if calls or texts:
            entries = [write_call(call.tool_call_id, call.tool_name, call.args_as_dict()) for call in calls]
            said = {"role": "assistant", "content": "\n".join(texts) or None}
            messages.append({**said, "tool_calls": entries} if entries else said)
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                messages.append({"role": "user", "content": read_prompt(part)})
            elif isinstance(part, ToolReturnPart):
                content = part.model_response_str()
                messages.append({"role": "tool", "tool_call_id": part.tool_call_id, "content": content})
    return messages


def read_prompt(part: UserPromptPart) -> str:
    """The text of what a person said; pictures and the like are not needed."""
    content = [part.content] if isinstance(part.content, str) else part.content
    return "\n".join(item for item in content if isinstance(item, str))


def write_call(call_id: str | None, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call in the form of OpenAI Chat."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


async def answer(question: str) -> str:
    """Answer one question."""
    context = Context(account_id="user-1001", conversation_id="pydantic-ai-example")
    async with AsyncToolCatalogClient(os.environ["URL"], os.environ["API_KEY"]) as catalog:
        agent = Agent(
            OpenAIChatModel(os.environ.get("MODEL", "gpt-5")), toolsets=[CatalogToolset(catalog, FUNCTIONS, context)]
        )
        result = await agent.run(question)
        return result.output


def main(question: str) -> str:
    """The same for callers without an event loop."""
    return asyncio.run(answer(question))


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1])}\n")
