"""An agent service as it stands before the API: it resolves, has its model's calls run, and executes by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from tests.api.conftest import Api
from tests.support import make_key
from toolcatalog.models import Tenant

Json = dict[str, Any]


class Agent:
    """A caller of a tenant, over HTTP requests that stay in this process."""

    def __init__(self, tenant: Tenant, *scopes: str, **key: Any) -> None:
        self.tenant = tenant
        self.key = make_key(tenant, *(scopes or ("resolve", "execute")), **key)
        self.api = Api(self.key.secret)

    def resolve(self, message: str | None = "hello", *, headers: Json | None = None, **body: Any) -> Json:
        """The answer of a resolve."""
        if "messages" not in body:
            body["prompt"] = message
        return read(self.api.post("/resolve", body, **(headers or {})))

    def snapshot(self, message: str = "hello", **body: Any) -> str:
        """The id of a fresh snapshot."""
        return str(self.resolve(message, **body)["snapshot"]["id"])

    def search(self, query: str, *, headers: Json | None = None, **body: Any) -> Json:
        """The answer of a search."""
        return read(self.api.post("/search", {"query": query, **body}, **(headers or {})))

    def send_calls(self, message: Any, *, headers: Json | None = None, **body: Any) -> Any:
        """The HTTP answer to the calls of a message."""
        return self.api.post("/tool-calls", {"message": message, **body}, **(headers or {}))

    def run_calls(self, message: Any, **body: Any) -> Json:
        """The answer to the calls of a message."""
        return read(self.send_calls(message, **body))

    def run(self, name: str, arguments: Any = None, *, call_id: str = "call-1", **body: Any) -> Json:
        """The report on one call in the form of OpenAI Chat."""
        (report,) = self.run_calls(says_calls((call_id, name, {} if arguments is None else arguments)), **body)[
            "results"
        ]
        return dict(report)

    def send_execute(self, name: str, arguments: Any = None, *, headers: Json | None = None, **body: Any) -> Any:
        """The HTTP answer to one tool run by its name."""
        return self.api.post(f"/tools/{name}/execute", {"arguments": arguments, **body}, **(headers or {}))

    def execute(self, name: str, arguments: Any = None, **body: Any) -> Json:
        """The answer to one tool run by its name."""
        return read(self.send_execute(name, arguments, **body))

    def refusal(self, name: str, arguments: Any = None, **body: Any) -> tuple[int, str]:
        """Status and code of an execution that is refused."""
        answer = self.send_execute(name, arguments, **body)
        return answer.status_code, answer.json()["code"]


def side_by_side(calls: Sequence[Callable[[], Any]], threads: int = 6) -> list[Any]:
    """What the calls answer, run in so many threads at once, in their order."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, calls))


class Auditor:
    """Somebody who reads the calls of a tenant."""

    def __init__(self, tenant: Tenant) -> None:
        self.api = Api(make_key(tenant, "audit").secret)

    def calls(self, query: str = "") -> list[Json]:
        """The calls on record, oldest first."""
        return list(reversed(read(self.api.get(f"/calls{query}"))["results"]))

    def exposures(self, query: str = "") -> list[Json]:
        """The exposures on record, oldest first."""
        return list(reversed(read(self.api.get(f"/exposures{query}"))["results"]))


def read(answer: Any) -> Json:
    """The body of an answer that went well."""
    assert answer.status_code == 200, answer.content
    body: Json = json.loads(answer.content)
    return body


def says_calls(*calls: tuple[str, str, Any]) -> Json:
    """An assistant's message in the form of OpenAI Chat; calls are (id, name, arguments or their raw text)."""
    entries = [
        {
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for call_id, name, given in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": entries}


def searches(*queries: str, **arguments: Any) -> Json:
    """An assistant's message that calls the entry tool, once for each query."""
    return says_calls(
        *((f"search-{n}", "toolSearch", {"query": query, **arguments}) for n, query in enumerate(queries))
    )


def contents(answer: Json) -> Sequence[Any]:
    """What the tool messages of an answer in the form of OpenAI Chat say, as JSON where they are."""
    return [open_text(message["content"]) for message in answer["messages"]]


def open_text(text: str) -> Any:
    """A text as JSON where it is JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text
