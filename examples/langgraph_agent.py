"""A LangGraph agent whose tools come from the catalog, anew for each model call.

Needs `pip install langgraph langchain-openai httpx2`, the catalog's URL and API_KEY (`. .data/demo.env` has both), and
OPENAI_API_KEY. MODEL and OPENAI_BASE_URL choose another model or service.
"""

import os
import sys
from typing import Any

from langchain_core.messages import convert_to_openai_messages
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from toolcatalog.client import Context, ToolCatalogClient, read_reply, write_answers


def get_order(**wanted: Any) -> dict[str, Any]:
    """The shop's own code, which the catalog knows nothing of."""
    return {"orderNo": wanted["orderNo"], "status": "shipped", "items": ["Teapot", "Two cups"]}


def get_weather(city: str, **_: Any) -> str:
    """Another one."""
    return f"Sunny in {city}, 21 degrees."


FUNCTIONS = {"get_order": get_order, "getWeather": get_weather}
CONTEXT = Context(account_id="user-1001", conversation_id="langgraph-example")


class State(MessagesState):
    """The conversation, and the snapshot that the last model call was given."""

    snapshot_id: str


def build_graph(catalog: ToolCatalogClient, model: ChatOpenAI) -> Any:
    """A graph of two nodes: the model with this moment's tools, and what runs its calls."""

    def ask_model(state: State) -> dict[str, Any]:
        messages = convert_to_openai_messages(state["messages"])
        answer = catalog.resolve(messages=messages, format="openai_chat", context=CONTEXT)
        reply = model.invoke(answer.request["messages"], tools=answer.request.get("tools"))
        return {"messages": [reply], "snapshot_id": answer.snapshot.id}

    def run_tools(state: State) -> dict[str, Any]:
        reply = read_reply(convert_to_openai_messages(state["messages"][-1]))
        done = catalog.run_tool_calls(reply.payload, snapshot_id=state["snapshot_id"])
        own = {call.call_id: FUNCTIONS[call.name](**call.arguments) for call in done.unhandled}
        return {"messages": write_answers(reply, done, own)}

    def has_calls(state: State) -> str:
        return "run_tools" if state["messages"][-1].tool_calls else END

    graph = StateGraph(State)
    graph.add_node(ask_model)
    graph.add_node(run_tools)
    graph.add_edge(START, "ask_model")
    graph.add_conditional_edges("ask_model", has_calls, ["run_tools", END])
    graph.add_edge("run_tools", "ask_model")
    return graph.compile()


def main(question: str) -> str:
    """Answer one question."""
    catalog = ToolCatalogClient(os.environ["URL"], os.environ["API_KEY"])
    graph = build_graph(catalog, ChatOpenAI(model=os.environ.get("MODEL", "gpt-5")))
    result = graph.invoke({"messages": [{"role": "user", "content": question}]}, {"recursion_limit": 20})
    return str(result["messages"][-1].content)


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1])}\n")
