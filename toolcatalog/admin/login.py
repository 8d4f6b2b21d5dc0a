"""The login form, which slows down those who guess."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.admin.forms import AdminAuthenticationForm as ThemeLoginForm
else:
    from unfold.forms import AuthenticationForm as ThemeLoginForm

MOST_FAILURES = 10
PAUSE_SECONDS = 300


class LoginForm(ThemeLoginForm):
    """After ten failures for a name from one address, neither is listened to for five minutes.

    Each process counts for itself, so that a machine with several processes allows as many times more.
    """

    error_messages = {
        **ThemeLoginForm.error_messages,
        "too_often": _("Too many failed attempts. Wait five minutes, then try again."),
    }

    def clean(self) -> dict[str, Any]:
        """Refuse before the password is looked at, and count what fails."""
        key = self._key()
        if cache.get(key, 0) >= MOST_FAILURES:
            raise ValidationError(self.error_messages["too_often"], code="too_often")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            cache.add(key, 0, PAUSE_SECONDS)
            cache.incr(key)
            raise
        cache.delete(key)
        return cleaned

    def _key(self) -> str:
        address = self.request.META.get("REMOTE_ADDR", "") if self.request is not None else ""
        name = str(self.cleaned_data.get("username", "")).casefold()
        return f"login-failures-{hashlib.sha256(f'{address} {name}'.encode()).hexdigest()}"
