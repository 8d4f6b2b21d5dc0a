"""The secret key of an installation that was not given one."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from project.embedded import EmbeddedDatabaseError, make_data_folder, write_secret


def kept_secret_key(data_folder: Path, *, allowed: bool) -> str:
    """The key kept (mode 0600) in the data folder, made at the first call.

    `ImproperlyConfigured` where that is not allowed: several machines would each make their own.
    """
    if not allowed:
        raise ImproperlyConfigured("Set SECRET_KEY to a long random text, the same for every process.")
    path = data_folder / "secret_key"
    try:
        make_data_folder(data_folder)
        if not path.exists():
            write_secret(path, secrets.token_urlsafe(64))
        return path.read_text(encoding="ascii").strip()
    except (EmbeddedDatabaseError, OSError) as error:
        raise ImproperlyConfigured(f"The secret key cannot be kept: {error}") from error
