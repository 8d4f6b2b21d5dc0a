"""Django's system check of plug-ins: an operator reads at start what a package offers in vain."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from toolcatalog.matchers import plugin_problems

from . import callback_problems


def check_callbacks(**_: Any) -> list[CheckMessage]:
    """A warning for each callback that is offered and cannot be used. Nothing else is stopped by it."""
    hint = "Mend or remove the package, or leave the name out of callbacks_allowed. Tools that need it are not shown."
    return [CheckWarning(problem, hint=hint, id="toolcatalog.W001") for problem in callback_problems()]


def check_rule_plugins(**_: Any) -> list[CheckMessage]:
    """The same for context enrichers and matchers."""
    hint = "Mend or remove the package. Groups that name such a matcher never match; the others go on."
    return [CheckWarning(problem, hint=hint, id="toolcatalog.W003") for problem in plugin_problems()]
