"""Building blocks for reading the tools that a caller passes in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import CallerTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import NO_PARAMETERS

from ._reading import need_name, need_object, need_text

FUNCTION_TYPES = (None, "function", "custom")
"""What stands under `type` of a tool that the caller runs."""

_NAMED_INSIDE = ("custom", "systemTool")


def find_entry_name(entry: JsonObject) -> str | None:
    """The name that an entry of the vendor's own has in the tool list, where no other tool may have it; None: it has
    none, as what is told by its type alone, or what only groups tools.
    """
    if entry.get("type") == "namespace":
        return None
    holders = (entry, *map(entry.get, _NAMED_INSIDE))
    names = (holder.get("name") for holder in holders if isinstance(holder, Mapping))
    return next((name for name in names if isinstance(name, str)), None)


def make_caller_tool(definition: JsonObject, path: str, *schema_keys: str, members: Collection[str] = ()) -> CallerTool:
    """The tool that a definition describes; its parameters stand under the first of `schema_keys` that is there.

    The neutral key `parameters` is always understood. Of the other members those called `members` are kept. Raises
    InvalidInput.
    """
    name = need_name(definition.get("name"), f"{path}.name")
    description = definition.get("description")
    text = "" if description is None else need_text(description, f"{path}.description")
    kept = {key: value for key, value in definition.items() if key in members and value is not None}
    for key in (*schema_keys, "parameters"):
        if definition.get(key) is not None:
            return CallerTool(name, text, need_object(definition[key], f"{path}.{key}"), members=kept)
    return CallerTool(name, text, dict(NO_PARAMETERS), members=kept)


def make_vendor_entry(entry: JsonObject, path: str, name: JsonValue) -> CallerTool:
    """An entry that the vendor runs, which is passed on as it is. It is listed under `name`."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput.single(path, "unknown_tool_form", f"{path} is no tool: it has neither a name nor a type.")
    return CallerTool(name, vendor_entry=entry)


def read_typed_tool(value: JsonValue, path: str, *schema_keys: str, members: Collection[str] = ()) -> CallerTool:
    """A tool of a vendor that tells its own entries from the caller's by `type`, or a neutral one.

    Understands a definition that stands under `function`, or directly in the entry.
    """
    entry = need_object(value, path)
    kind = entry.get("type")
    if kind == "function" and isinstance(entry.get("function"), Mapping):
        function, where = need_object(entry["function"], f"{path}.function"), f"{path}.function"
        return make_caller_tool(function, where, *schema_keys, members=members)
    has_schema = any(entry.get(key) is not None for key in (*schema_keys, "parameters"))
    if kind not in FUNCTION_TYPES or (kind == "custom" and not has_schema):
        return make_vendor_entry(entry, path, entry.get("name") or kind)
    return make_caller_tool(entry, path, *schema_keys, members=members)
