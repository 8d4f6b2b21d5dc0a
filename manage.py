#!/usr/bin/env python3
"""Django's command line for this project."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415 - for the message below
    except ImportError as error:
        raise SystemExit(
            "Django is not installed in this Python: run `make install` and use .venv/bin/python."
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
