"""The group's working days."""

from __future__ import annotations

from datetime import date, timedelta

from toolcatalog.callbacks import ToolError, tool

SATURDAY = 5
HOLIDAYS = frozenset(
    {
        *(date(2026, 1, day) for day in (1, 2, 3)),
        *(date(2026, 2, day) for day in range(15, 24)),
        *(date(2026, 10, day) for day in range(1, 8)),
    }
)
MAX_DAYS = 250


@tool(
    title="Add working days",
    category="calendar",
    tags=["dates"],
    keywords={"en": ["deadline", "business days"], "zh": ["工作日", "到期日"]},
    annotations={"readOnlyHint": True, "idempotentHint": True},
)
def add_working_days(start: date, days: int, extra_holidays: list[date] | None = None) -> date:
    """Says which date lies a number of working days after another one.

    Saturdays, Sundays and the group's holidays do not count.

    Parameters
    ----------
    start : date
        The date to count from; it is not counted itself.
    days : int
        How many working days, from 1 to 250.
    extra_holidays : list of date, optional
        Further days that do not count.
    """
    if not 1 <= days <= MAX_DAYS:
        raise ToolError(f"Ask for 1 to {MAX_DAYS} working days.")
    free = HOLIDAYS | set(extra_holidays or ())
    day = start
    while days:
        day += timedelta(days=1)
        days -= day.weekday() < SATURDAY and day not in free
    return day
