"""Reads: rows in, plain records or querysets out. Nothing here writes."""

from .api_keys import find_key, hash_secret
from .catalog_records import (
    make_group_rules,
    make_matcher_row,
    read_grants,
    read_groups,
    read_origin,
    read_profiles,
    read_revision_parameters,
    read_tenant,
    read_tools,
)

__all__ = [
    "find_key",
    "hash_secret",
    "make_group_rules",
    "make_matcher_row",
    "read_grants",
    "read_groups",
    "read_origin",
    "read_profiles",
    "read_revision_parameters",
    "read_tenant",
    "read_tools",
]
