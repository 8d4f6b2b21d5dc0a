"""G13: enrichers and matchers of others: frozen context, time limit, and failures that stay where they are."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import cast

import pytest

from tests.matchers.builders import MONDAY_NOON, NO_PLUGINS, fact, judge, request, row, rules
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.matching import GroupOutcome, GroupRules
from toolcatalog.contract.reasons import Reason
from toolcatalog.matchers import (
    EnricherPlugin,
    MatcherPlugin,
    PluginRefused,
    PluginRegistry,
    apply_enrichers,
    check_rules,
    compile_group,
    depends_on_message,
    evaluate_groups,
    has_access_conditions,
    lint_rules,
)
from toolcatalog.matchers.time_limit import MOST_RUNNING


class Matcher:
    """A matcher that answers as it is told."""

    def __init__(self, name: str = "vip", answer: object = True, error: BaseException | None = None) -> None:
        self.name = name
        self.answer = answer
        self.error = error
        self.seen: list[tuple[EvaluationContext, JsonObject]] = []

    def evaluate(self, context: EvaluationContext, params: JsonObject) -> bool:
        self.seen.append((context, params))
        if self.error is not None:
            raise self.error
        return self.answer  # type: ignore[return-value]  # other people's code answers anything


class AccountMatcher(Matcher):
    reads_message = False


class Enricher:
    """An enricher that adds what it is told."""

    def __init__(self, name: str, order: int, adds: object, error: BaseException | None = None) -> None:
        self.name = name
        self.order = order
        self.adds = adds
        self.error = error
        self.seen: list[EvaluationContext] = []

    def enrich(self, context: EvaluationContext) -> Mapping[str, object]:
        self.seen.append(context)
        if self.error is not None:
            raise self.error
        return self.adds  # type: ignore[return-value]  # other people's code answers anything


class Hanging:
    """Answers only after the test lets it."""

    name = "hanging"
    order = 1

    def __init__(self) -> None:
        self.released = threading.Event()

    def evaluate(self, context: EvaluationContext, params: JsonObject) -> bool:
        return self.released.wait(60)

    def enrich(self, context: EvaluationContext) -> Mapping[str, object]:
        self.released.wait(60)
        return {"late": True}


def registry_of(*plugins: object, seconds: float = 30) -> PluginRegistry:
    registry = PluginRegistry(seconds=seconds, load_entry_points=False)
    for plugin in plugins:
        if hasattr(plugin, "evaluate"):
            registry.register_matcher(cast("MatcherPlugin", plugin))
        else:
            registry.register_enricher(cast("EnricherPlugin", plugin))
    return registry


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    plugin = Hanging()
    yield plugin
    plugin.released.set()


def vip(plugin: MatcherPlugin, *, restricts: bool = False, seconds: float = 30) -> GroupOutcome:
    """What comes of a group that this matcher decides."""
    group = GroupRules("g", plugin.name, params={"tiers": ["gold"]}, restricts_access=restricts)
    registry = PluginRegistry(seconds=seconds, load_entry_points=False)
    registry.register_matcher(plugin)
    context = request("hello", {"user": {"roles": ["a"]}})
    return evaluate_groups([compile_group(group, matchers_registry=registry)], context)[0]


def b_G13_a_registered_matcher_decides() -> None:
    assert vip(Matcher(answer=True)).matched
    outcome = vip(Matcher(answer=False))
    assert (outcome.matched, outcome.reason, outcome.problems) == (False, Reason.NO_MATCH, ())


def b_G13_a_matcher_gets_a_frozen_context_and_its_parameters() -> None:
    plugin = Matcher()
    vip(plugin)
    ((context, params),) = plugin.seen
    assert context.message == "hello"
    assert params["tiers"] == ("gold",)
    for frozen in (context.attributes, context.attributes["user"], params):
        with pytest.raises(TypeError):
            frozen["new"] = 1  # type: ignore[index]  # that it cannot be written is the test
    with pytest.raises(AttributeError):
        context.message = "other"  # type: ignore[misc]  # that it cannot be written is the test


@pytest.mark.parametrize("error", [ValueError("secret"), SystemExit(1), RecursionError(), KeyboardInterrupt()])
def b_G13_a_matcher_that_raises_never_matches(error: BaseException) -> None:
    outcome = vip(Matcher(error=error), restricts=True)
    assert (outcome.matched, outcome.access, outcome.reason) == (False, False, Reason.ERROR)
    assert type(error).__name__ in outcome.problems[0]
    assert "secret" not in outcome.problems[0]


@pytest.mark.parametrize("answer", ["true", 1, None])
def b_G13_a_matcher_that_answers_anything_but_true_or_false_never_matches(answer: object) -> None:
    outcome = vip(Matcher(answer=answer))
    assert (outcome.matched, outcome.reason) == (False, Reason.ERROR)
    assert "True or False" in outcome.problems[0]


def b_G13_a_matcher_that_is_late_never_matches(hanging: Hanging) -> None:
    outcome = vip(hanging, seconds=0.01)
    assert (outcome.matched, outcome.reason) == (False, Reason.ERROR)
    assert "did not answer within 0.01 seconds" in outcome.problems[0]


def b_G13_a_matcher_that_keeps_hanging_is_not_asked_again(hanging: Hanging) -> None:
    group = GroupRules("g", hanging.name)
    compiled = compile_group(group, matchers_registry=registry_of(hanging, seconds=0.001))
    outcomes = [evaluate_groups([compiled], request())[0] for _ in range(MOST_RUNNING + 1)]
    assert "did not answer" in outcomes[0].problems[0]
    assert "have not come back" in outcomes[-1].problems[0]


def b_G13_a_matcher_that_answers_is_asked_as_often_as_there_are_requests() -> None:
    compiled = compile_group(GroupRules("g", "vip"), matchers_registry=registry_of(Matcher()))
    outcomes = [evaluate_groups([compiled], request())[0] for _ in range(MOST_RUNNING * 2)]
    assert all(outcome.matched for outcome in outcomes)


def b_G13_a_matcher_counts_as_a_condition_on_the_message() -> None:
    outcome = vip(Matcher(answer=False), restricts=True)
    assert (outcome.matched, outcome.access) == (False, True)
    registry = registry_of(Matcher())
    group = GroupRules("g", "vip")
    assert depends_on_message(group, matchers_registry=registry)
    assert not has_access_conditions(group, matchers_registry=registry)
    warned = lint_rules(GroupRules("g", "vip", restricts_access=True), matchers_registry=registry)
    assert [warning.code for warning in warned] == ["restricts_nothing"]


def b_G13_a_matcher_may_declare_that_it_does_not_read_the_message() -> None:
    assert not vip(AccountMatcher(answer=False), restricts=True).access
    assert vip(AccountMatcher(answer=True), restricts=True).access
    registry = registry_of(AccountMatcher())
    assert has_access_conditions(GroupRules("g", "vip"), matchers_registry=registry)
    assert not depends_on_message(GroupRules("g", "vip"), matchers_registry=registry)


def b_G13_groups_that_ask_about_a_matchers_group_depend_as_it_does() -> None:
    for plugin, gives_access in ((Matcher(answer=False), True), (AccountMatcher(answer=False), False)):
        registry = registry_of(plugin)
        groups = [GroupRules("by", "vip"), rules("asking", row("group", "is_true", "by"), restricts=True)]
        compiled = [compile_group(group, matchers_registry=registry) for group in groups]
        assert evaluate_groups(compiled, request())[1].access is gives_access


def b_G13_matchers_see_what_enrichers_wrote() -> None:
    context = request(attributes={"plan": "free", "kept": 1})
    enriched, problems = apply_enrichers(context, registry=registry_of(Enricher("crm", 1, {"plan": "premium"})))
    assert problems == ()
    assert enriched.attributes == {"plan": "premium", "kept": 1}
    assert context.attributes == {"plan": "free", "kept": 1}
    assert judge([rules("g", fact("plan", "equals", "premium"))], enriched)[0].matched


def b_G13_enrichers_go_in_order_and_see_what_came_before() -> None:
    late, early = Enricher("a", 20, {"x": "late"}), Enricher("b", 10, {"x": "early"})
    same = Enricher("c", 20, {"y": 1})
    enriched, _ = apply_enrichers(request(), registry=registry_of(same, late, early))
    assert enriched.attributes == {"x": "late", "y": 1}
    assert early.seen[0].attributes == {}
    assert late.seen[0].attributes == {"x": "early"}
    assert same.seen[0].attributes == {"x": "late"}
    with pytest.raises(TypeError):
        late.seen[0].attributes["x"] = 1  # type: ignore[index]  # that it cannot be written is the test


@pytest.mark.parametrize(
    "failing",
    [
        Enricher("bad", 1, {}, error=ValueError()),
        Enricher("bad", 1, {}, error=SystemExit()),
        Enricher("bad", 1, None),
        Enricher("bad", 1, ["x"]),
        Enricher("bad", 1, {"x": object()}),
        Enricher("bad", 1, {"x": 2**64}),
        Enricher("bad", 1, {"x": "\x00"}),
        Enricher("bad", 1, {"x": "\ud800"}),
    ],
)
def b_G13_an_enricher_that_fails_adds_nothing_and_is_named(failing: Enricher) -> None:
    registry = registry_of(failing, Enricher("good", 2, {"y": 1}))
    enriched, problems = apply_enrichers(request(), registry=registry)
    assert enriched.attributes == {"y": 1}
    assert len(problems) == 1
    assert "“bad”" in problems[0]


def b_G13_an_enricher_that_is_late_adds_nothing(hanging: Hanging) -> None:
    registry = PluginRegistry(seconds=0.01, load_entry_points=False)
    registry.register_enricher(hanging)
    enriched, problems = apply_enrichers(request(), registry=registry)
    assert enriched.attributes == {}
    assert "did not answer" in problems[0]


def b_G13_what_an_enricher_added_is_plain_json_of_its_own() -> None:
    adds = {"since": date(2026, 1, 31), "roles": ["a"], "user": {"id": 1}}
    enriched, _ = apply_enrichers(request(), registry=registry_of(Enricher("crm", 1, adds)))
    adds["roles"].append("b")  # type: ignore[attr-defined]  # the list above
    assert enriched.attributes == {"since": "2026-01-31", "roles": ["a"], "user": {"id": 1}}


def b_G13_an_enricher_may_pass_on_a_part_of_the_context() -> None:
    class Passing(Enricher):
        def enrich(self, context: EvaluationContext) -> Mapping[str, object]:
            return {"copy": context.attributes["user"]}

    context = request(attributes={"user": {"roles": ["a"]}})
    enriched, problems = apply_enrichers(context, registry=registry_of(Passing("p", 1, {})))
    assert problems == ()
    assert enriched.attributes["copy"] == {"roles": ["a"]}


def b_G13_no_plugins_change_nothing() -> None:
    context = EvaluationContext(tenant="acme", now=MONDAY_NOON)
    assert apply_enrichers(context, registry=NO_PLUGINS) == (context, ())


@pytest.mark.parametrize("name", ["always", "rules", "", " ", None, 5])
def b_G13_reserved_and_missing_names_are_refused(name: object) -> None:
    with pytest.raises(PluginRefused):
        registry_of(Matcher(name=name))  # type: ignore[arg-type]  # wrong on purpose


def b_G13_a_name_is_given_once() -> None:
    registry = registry_of(Matcher(answer=True), Enricher("crm", 1, {}))
    with pytest.raises(PluginRefused, match="already"):
        registry.register_matcher(Matcher(answer=False))
    with pytest.raises(PluginRefused, match="already"):
        registry.register_enricher(Enricher("crm", 2, {}))
    assert registry.matcher_names() == ("vip",)


def b_G13_an_enricher_needs_an_order() -> None:
    with pytest.raises(PluginRefused, match="order"):
        registry_of(Enricher("crm", None, {}))  # type: ignore[arg-type]  # wrong on purpose


PLUGIN_MODULE = """
class Vip:
    name = "vip"
    def evaluate(self, context, params):
        return context.account_id == params["account"]

class Crm:
    name = "crm"
    order = 1
    def enrich(self, context):
        return {"tier": "gold"}

crm = Crm()
nameless = object()
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """A module of plug-ins on the path, and the entry points that the test says are installed."""
    (tmp_path / "acme_plugins.py").write_text(PLUGIN_MODULE)
    (tmp_path / "acme_broken.py").write_text("import sys\nsys.exit('no')")
    monkeypatch.syspath_prepend(tmp_path)
    found: list[EntryPoint] = []
    monkeypatch.setattr(
        "toolcatalog.matchers.registry.entry_points",
        lambda *, group: [entry_point for entry_point in found if entry_point.group == group],
    )
    yield found
    sys.modules.pop("acme_plugins", None)


def b_G13_entry_points_are_loaded_at_the_first_question(installed: list[EntryPoint]) -> None:
    registry = PluginRegistry()
    installed.append(EntryPoint("vip", "acme_plugins:Vip", "toolcatalog.matchers"))
    installed.append(EntryPoint("crm", "acme_plugins:crm", "toolcatalog.context_enrichers"))
    group = GroupRules("g", "vip", params={"account": "user-1"})
    assert check_rules(group, matchers_registry=registry) == ()
    compiled = compile_group(group, matchers_registry=registry)
    assert evaluate_groups([compiled], request(account_id="user-1"))[0].matched
    assert not evaluate_groups([compiled], request(account_id="user-2"))[0].matched
    assert apply_enrichers(request(), registry=registry)[0].attributes == {"tier": "gold"}
    assert registry.problems() == ()


def b_G13_a_broken_plugin_is_reported_and_stops_nothing(installed: list[EntryPoint]) -> None:
    for name, value in (
        ("a", "acme_broken:Vip"),
        ("b", "acme_missing:Vip"),
        ("c", "acme_plugins:Missing"),
        ("d", "acme_plugins:nameless"),
        ("e", "acme_plugins:Vip"),
        ("f", "acme_plugins:Vip"),
    ):
        installed.append(EntryPoint(name, value, "toolcatalog.matchers"))
    registry = PluginRegistry()
    assert registry.matcher_names() == ("vip",)
    assert len(registry.problems()) == 5
    assert "SystemExit" in registry.problems()[0]
    assert "already" in registry.problems()[-1]
