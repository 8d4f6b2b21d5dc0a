"""Django's system check of callbacks: an operator reads at start what a package offers in vain."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from . import callback_problems


def check_callbacks(**_: Any) -> list[CheckMessage]:
    """A warning for each callback that is offered and cannot be used. Nothing else is stopped by it."""
    hint = "Mend or remove the package, or leave the name out of callbacks_allowed. Tools that need it are not shown."
    return [CheckWarning(problem, hint=hint, id="toolcatalog.W001") for problem in callback_problems()]
