"""T15, rule 4: a search that fails in a message is told as a failure, and the other calls of the message run."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.resolution.conftest import Install, install
from tests.support import edit_profile, make_profile
from toolcatalog.models import AgentProfile, Exposure

from .agents import Agent, contents, says_calls, searches

__all__ = ["install"]
BROKEN = """
class Plugin:
    name = "broken"

    def search(self, query):
        raise RuntimeError("SECRET of the provider")

    def save(self, documents): ...
    def remove(self, tool_ids): return False
    def clear(self): ...
    def list_names(self): return []
"""


@pytest.fixture
def profile(agent: Agent, install: Install, callbacks: ModuleType) -> AgentProfile:
    install("toolcatalog.search_providers", "broken", BROKEN)
    return make_profile(agent.tenant, resident_tools=("echo",))


def b_T15_search_that_fails__is_an_error_in_words_and_the_others_go_on(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType
) -> None:
    edit_profile(profile, search={"provider": "broken"})
    snapshot = agent.snapshot()
    message = says_calls(("s", "toolSearch", {"query": "order"}), ("e", "echo", {"value": 1}))
    answer = agent.run_calls(message, snapshot_id=snapshot)
    assert [report["status"] for report in answer["results"]] == ["error", "ok"]
    told = contents(answer)[0]
    assert isinstance(told, str)
    assert "failed" in told
    assert "SECRET" not in told
    assert callbacks.RUNS == [1]


def b_T15_search_tools_that_fails__is_an_error_with_a_suggestion(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, search={"provider": "broken"}, disclosure="meta")
    (told,) = contents(agent.run_calls(says_calls(("s", "search_tools", {"query": "order"}))))
    assert told.keys() == {"error", "suggestion"}


def b_R10_search_that_fails__leaves_the_session_as_it_was(agent: Agent, profile: AgentProfile) -> None:
    agent.run_calls(searches("status of an order"), session_id="s-1")
    edit_profile(profile, search={"provider": "broken"})
    agent.run_calls(searches("cost of a parcel"), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == ["get_order"]


def b_R4_answer_of_a_search_that_failed__finds_nothing(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, search={"provider": "broken"})
    asked = searches("status of an order")
    messages = [{"role": "user", "content": "x"}, asked, *agent.run_calls(asked)["messages"]]
    assert agent.resolve(messages=messages)["active_tools"] == []
    assert Exposure.objects.filter(tenant_id=agent.tenant.pk, kind="search").count() == 0
