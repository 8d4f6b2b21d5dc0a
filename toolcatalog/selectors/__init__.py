"""Reads: rows in, plain records or querysets out. Nothing here writes."""

from .catalog_records import (
    make_group_rules,
    make_matcher_row,
    read_grants,
    read_groups,
    read_profiles,
    read_tenant,
    read_tools,
)

__all__ = [
    "make_group_rules",
    "make_matcher_row",
    "read_grants",
    "read_groups",
    "read_profiles",
    "read_tenant",
    "read_tools",
]
