"""An agent loop written by hand, with OpenAI's SDK: resolve, ask the model, run its calls, again.

Needs `pip install openai httpx2`, the catalog's URL and API_KEY (`. .data/demo.env` has both), and OPENAI_API_KEY.
MODEL and OPENAI_BASE_URL choose another model, or another service that speaks the same language.
"""

import os
import sys
from typing import Any

from openai import OpenAI

from toolcatalog.client import Context, ToolCatalogClient, read_reply, write_answers

ROUNDS = 10


def get_order(**wanted: Any) -> dict[str, Any]:
    """The shop's own code, which the catalog knows nothing of."""
    return {"orderNo": wanted["orderNo"], "status": "shipped", "items": ["Teapot", "Two cups"]}


def get_weather(city: str, **_: Any) -> str:
    """Another one."""
    return f"Sunny in {city}, 21 degrees."


FUNCTIONS = {"get_order": get_order, "getWeather": get_weather}
CONTEXT = Context(account_id="user-1001", conversation_id="openai-example", attributes={"plan": "premium"})


def main(question: str) -> str:
    """Answer one question."""
    catalog = ToolCatalogClient(os.environ["URL"], os.environ["API_KEY"])
    openai = OpenAI()
    messages = [{"role": "user", "content": question}]
    for _ in range(ROUNDS):
        answer = catalog.resolve(messages=messages, format="openai_chat", context=CONTEXT)
        completion = openai.chat.completions.create(**answer.request, model=os.environ.get("MODEL", "gpt-5"))
        reply = read_reply(completion)
        messages += reply.messages
        if not reply.calls:
            return reply.text
        done = catalog.run_tool_calls(reply.payload, snapshot_id=answer.snapshot.id)
        own = {call.call_id: FUNCTIONS[call.name](**call.arguments) for call in done.unhandled}
        messages += write_answers(reply, done, own)
    return "The model did not come to an end."


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1])}\n")
