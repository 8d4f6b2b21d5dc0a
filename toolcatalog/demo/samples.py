"""Sample requests and searches on the demo catalog, each with what should come of it and one sentence why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toolcatalog.contract.json import JsonObject

from .documents import read_document


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """One resolve request and its expected answer.

    `profile` None is the tenant's default one; `groups` None does not narrow the profile's groups; `at` is the moment
    at which time conditions are judged (aware; None: any moment will do). `matched` are all groups that match, in
    order. `tools_in` have to be among the tools of the answer, `tools_out` must not be.
    """

    id: str
    tenant: str
    message: str
    context: JsonObject
    matched: tuple[str, ...]
    tools_in: tuple[str, ...]
    tools_out: tuple[str, ...]
    why: str
    profile: str | None = None
    groups: tuple[str, ...] | None = None
    at: datetime | None = None

    def as_resolve_body(self) -> dict[str, Any]:
        """The body to send to `/resolve`."""
        body: dict[str, Any] = {"prompt": self.message, "context": self.context}
        if self.profile is not None:
            body["profile"] = self.profile
        if self.groups is not None:
            body["groups"] = list(self.groups)
        return body


@dataclass(frozen=True, slots=True)
class SampleSearch:
    """One search and its expected answer for each tenant that asks it.

    `first` maps a tenant's slug to the tools that take the first places, in any order among themselves; an empty
    tuple is the answer "nothing fits", None makes no claim. `absent` must not be in any answer. `kind` says what is
    tried: `zh`, `en`, `crossed`, `keywords`, `category`, `typo` or `absent`.
    """

    query: str
    kind: str
    context: JsonObject
    first: Mapping[str, tuple[str, ...] | None]
    why: str
    profile: str | None = None
    category: str | None = None
    absent: tuple[str, ...] = ()

    def as_search_body(self) -> dict[str, Any]:
        """The body to send to `/search`."""
        body: dict[str, Any] = {"query": self.query, "context": self.context}
        if self.profile is not None:
            body["profile"] = self.profile
        if self.category is not None:
            body["category"] = self.category
        return body


def load_sample_requests() -> tuple[SampleRequest, ...]:
    """All sample requests, in the order of the file."""
    return tuple(_read_request(entry) for entry in _read_entries("requests"))


def load_sample_searches() -> tuple[SampleSearch, ...]:
    """All sample searches, in the order of the file."""
    return tuple(_read_search(entry) for entry in _read_entries("searches"))


def _read_entries(key: str) -> Sequence[dict[str, Any]]:
    entries: Any = read_document("requests")[key]
    return list(entries)


def _read_request(entry: dict[str, Any]) -> SampleRequest:
    lists = {key: tuple(entry[key]) for key in ("matched", "tools_in", "tools_out")}
    groups = tuple(entry["groups"]) if "groups" in entry else None
    at = datetime.fromisoformat(entry["at"]) if "at" in entry else None
    return SampleRequest(**{**entry, **lists, "groups": groups, "at": at})


def _read_search(entry: dict[str, Any]) -> SampleSearch:
    first = {tenant: None if names is None else tuple(names) for tenant, names in entry["first"].items()}
    return SampleSearch(**{**entry, "first": first, "absent": tuple(entry.get("absent", ()))})
