"""What writes bring: a JSON object, a patch of one, and who writes why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rest_framework.request import Request

from toolcatalog.api.requests import TENANT_KEYS
from toolcatalog.api.views.base import key_of
from toolcatalog.contract.errors import Forbidden, InvalidInput
from toolcatalog.curation import Author, check_storable, raise_if_any

from .ownership import SHARED, Ownership

REASON = "reason"
LONGEST_REASON = 1000


def read_author(request: Request) -> Author:
    """The key as the author of a revision, with the query parameter `reason`. Raises InvalidInput."""
    key, reason = key_of(request), request.query_params.get(REASON, "")
    if len(reason) > LONGEST_REASON:
        message = f"The reason has {len(reason):,} characters; {LONGEST_REASON:,} are the most."
        raise InvalidInput.single(REASON, "too_long", message)
    return Author(f"{key.name} ({key.prefix})", reason)


def read_object(request: Request, ownership: Ownership) -> dict[str, Any]:
    """The body, an object that can be stored. Raises InvalidInput, and Forbidden where it names another owner."""
    body: Any = request.data
    if not isinstance(body, dict):
        raise InvalidInput.single("", "not_an_object", "Send a JSON object.")
    raise_if_any(check_storable(body))
    if body.get("owner", ownership.owner_word) != ownership.owner_word:
        message = f"The body names another owner than this request has, “{ownership.owner_word}”."
        raise Forbidden(message, code="other_tenant")
    if ownership.asked != SHARED and any(body.get(key) not in (None, ownership.tenant.slug) for key in TENANT_KEYS):
        raise Forbidden("The key names the tenant; this body names another.", code="other_tenant")
    return dict(body)


def set_fields(document: Mapping[str, Any], patch: Mapping[str, Any], nested: Collection[str]) -> dict[str, Any]:
    """The document with the fields of a patch in place of its own: null removes a field, and those that are `nested`
    hold fields themselves. A schema is one value: half of an old one and half of a new one is neither.
    """
    changed = dict(document)
    for key, value in patch.items():
        if value is None:
            changed.pop(key, None)
        elif key in nested and isinstance(value, Mapping):
            changed[key] = set_fields(changed.get(key, {}), value, ())
        else:
            changed[key] = value
    return changed


def merge_patch(document: Any, patch: Any) -> Any:
    """The document with a JSON merge patch (RFC 7396) applied: null removes a key, lists are replaced whole."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(document) if isinstance(document, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged
