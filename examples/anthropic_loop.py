"""The ready-made agent loop, with Anthropic's SDK.

Needs `pip install anthropic httpx2`, the catalog's URL and API_KEY (`. .data/demo.env` has both), and
ANTHROPIC_API_KEY. MODEL chooses another model.
"""

import os
import sys
from typing import Any

from anthropic import Anthropic

from toolcatalog.client import Context, ToolCatalogClient, run_agent


def get_order(**wanted: Any) -> dict[str, Any]:
    """The shop's own code, which the catalog knows nothing of."""
    return {"orderNo": wanted["orderNo"], "status": "shipped", "items": ["Teapot", "Two cups"]}


def get_weather(city: str, **_: Any) -> str:
    """Another one."""
    return f"Sunny in {city}, 21 degrees."


def main(question: str) -> str:
    """Answer one question."""
    anthropic = Anthropic()

    def call_model(**request: Any) -> Any:
        return anthropic.messages.create(**request, model=os.environ.get("MODEL", "claude-sonnet-4-5"), max_tokens=2000)

    with ToolCatalogClient(os.environ["URL"], os.environ["API_KEY"]) as catalog:
        outcome = run_agent(
            catalog,
            call_model,
            [{"role": "user", "content": question}],
            format="anthropic",
            tools={"get_order": get_order, "getWeather": get_weather},
            context=Context(account_id="user-1001", conversation_id="anthropic-example"),
        )
    return outcome.text if outcome.status == "answered" else f"No answer: {outcome.status}."


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1])}\n")
