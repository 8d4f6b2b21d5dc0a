"""Validators of model fields, with messages that say what to do."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

validate_slug = RegexValidator(
    r"^[a-z0-9][a-z0-9_-]*\Z",
    _("Use small letters, digits, hyphens and underscores, starting with a letter or digit."),
    code="invalid_slug",
)
