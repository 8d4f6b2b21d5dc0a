"""Rules of tool groups: checked when they are saved, compiled once for each catalog revision, judged at each request.

    book = compile_rules(rules of the groups of a profile, in order)
    context, problems = apply_enrichers(context)
    outcomes = book.evaluate(context)

Pure: no database, no Django. `operators` is the table to add an operator to, `sources` the one for what can be read.
"""

from .check import check_rules
from .compiled import CompiledGroup, compile_group
from .condition import default_ignore_case, default_normalise
from .dependence import depends_on_message, has_access_conditions
from .describe import Phrase, describe_rules, phrase_rules
from .enrichers import apply_enrichers
from .evaluation import RuleBook, compile_rules, evaluate_groups
from .hiding import hide_other_tenants_in, keep_own
from .lint import lint_rules
from .operators import OPERATORS, OperatorDefinition
from .registry import (
    EnricherPlugin,
    MatcherPlugin,
    PluginRefused,
    PluginRegistry,
    installed_plugins,
    plugin_problems,
    register_enricher,
    register_matcher,
)
from .subject import MESSAGE_LIMIT, cap_message

__all__ = [
    "MESSAGE_LIMIT",
    "OPERATORS",
    "CompiledGroup",
    "EnricherPlugin",
    "MatcherPlugin",
    "OperatorDefinition",
    "Phrase",
    "PluginRefused",
    "PluginRegistry",
    "RuleBook",
    "apply_enrichers",
    "cap_message",
    "check_rules",
    "compile_group",
    "compile_rules",
    "default_ignore_case",
    "default_normalise",
    "depends_on_message",
    "describe_rules",
    "evaluate_groups",
    "has_access_conditions",
    "hide_other_tenants_in",
    "installed_plugins",
    "keep_own",
    "lint_rules",
    "phrase_rules",
    "plugin_problems",
    "register_enricher",
    "register_matcher",
]
