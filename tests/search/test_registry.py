"""Which providers there are."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from tests.search.plug_ins import Acme
from toolcatalog.contract.errors import InvalidInput, SearchFailed
from toolcatalog.search import find_provider_problems, get_provider, provider_names
from toolcatalog.search.providers.memory import MemoryProvider
from toolcatalog.search.registry import GROUP, ProviderRegistry


def plug_in(name: str, value: str = "tests.search.plug_ins:Acme") -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def registry(*plug_ins: EntryPoint) -> ProviderRegistry:
    return ProviderRegistry({"memory": MemoryProvider}, plug_ins)


def b_S9_postgres_is_the_default_and_memory_is_there() -> None:
    assert get_provider().name == "postgres"
    assert get_provider("memory") is get_provider("memory")
    assert {"postgres", "memory"} <= set(provider_names())
    assert find_provider_problems() == ()


def b_S9_a_provider_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidInput, match="memory, acme"):
        registry(plug_in("acme")).get("elastic")


def b_S10_providers_of_others_plug_in() -> None:
    made = registry(plug_in("acme"))
    assert made.names == ("memory", "acme")
    assert isinstance(made.get("acme"), Acme)
    assert made.get("acme") is made.get("acme")


def b_S10_a_plug_in_of_a_built_in_name_is_refused() -> None:
    made = registry(plug_in("memory"))
    assert isinstance(made.get("memory"), MemoryProvider)
    assert [problem.name for problem in made.find_problems()] == ["memory"]


def b_S10_plug_ins_of_one_name_are_all_refused() -> None:
    doubled = [plug_in("acme"), plug_in("acme", "tests.search.plug_ins:Raising"), plug_in("acme", "x:y")]
    made = registry(*doubled, plug_in("fine"))
    assert made.names == ("memory", "fine")
    with pytest.raises(InvalidInput, match="Several"):
        made.get("acme")
    assert [problem.name for problem in made.find_problems()] == ["acme"]


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("tests.search.plug_ins:explode", "licence"),
        ("tests.search.plug_ins:Incomplete", "search"),
        ("tests.search.plug_ins:missing", "missing"),
        ("no_such_module:thing", "no_such_module"),
    ],
)
def b_S10_a_broken_plug_in_is_reported_and_spoils_nothing(value: str, word: str) -> None:
    made = registry(plug_in("broken", value), plug_in("fine"))
    with pytest.raises(SearchFailed, match=word):
        made.get("broken")
    problems = made.find_problems()
    assert [problem.name for problem in problems] == ["broken"]
    assert word in problems[0].message
    assert isinstance(made.get("fine"), Acme)
