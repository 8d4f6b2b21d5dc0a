#!/usr/bin/env python3
"""Django's command line for this project."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command. What a person has to mend is said in one sentence (`--traceback` shows more)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - for the message below
        from django.core.management import execute_from_command_line  # noqa: PLC0415
        from django.db import OperationalError  # noqa: PLC0415
    except ImportError as error:
        raise SystemExit(
            "Django is not installed in this Python: run `make install` and use .venv/bin/python."
        ) from error
    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, OperationalError) as error:
        if "--traceback" in sys.argv:
            raise
        raise SystemExit(f"{type(error).__name__}: {error}".strip()) from None


if __name__ == "__main__":
    main()
