"""Logging: one event a line on standard error; JSON in production, plain text for people."""

from __future__ import annotations

from typing import Any

import structlog
from structlog.types import Processor

_BEFORE_RENDERING: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def configure_structlog() -> None:
    """Send structlog's events through the standard library, so that all loggers share one handler."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_BEFORE_RENDERING,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logging_from(*, level: str, as_json: bool) -> dict[str, Any]:
    """Django's `LOGGING`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _BEFORE_RENDERING,
                "processors": _rendering(as_json=as_json),
            }
        },
        "handlers": {"standard_error": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["standard_error"], "level": level},
        # Django's own handlers would write each of these events a second time.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
        },
    }


def _rendering(*, as_json: bool) -> list[Processor]:
    first: Processor = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if as_json:
        return [first, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # The prettier formatter shows the values of variables, and with them keys and messages.
    plain = structlog.dev.plain_traceback
    return [first, structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]
