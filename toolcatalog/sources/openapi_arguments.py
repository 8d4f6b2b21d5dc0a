"""The arguments of a tool while they are gathered from the places of an operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolcatalog.contract.errors import InvalidInput

from .http_binding import BoundBody, BoundParameter
from .openapi_schemas import Converted


@dataclass(slots=True)
class Arguments:
    """Properties of the arguments' schema, the references in them, and where each argument goes."""

    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parameters: list[BoundParameter] = field(default_factory=list)
    body: BoundBody | None = None

    def add(self, name: str, place: str, schema: Any, *, is_required: bool) -> str:
        """Add an argument, and answer what it is called: `name`, or `name_place` where that is taken."""
        argument, number = name, 1
        while argument in self.properties:
            argument = f"{name}_{place}" if number == 1 else f"{name}_{place}_{number}"
            number += 1
        if argument != name:
            self.notes.append(f"“{name}” stands in several places; the one in the {place} is called “{argument}”.")
        self.properties[argument] = schema
        if is_required:
            self.required.append(argument)
        return argument

    def take(self, converted: Converted) -> Any:
        """The schema; its references and notes are remembered."""
        self.references.extend(converted.references)
        self.notes.extend(converted.notes)
        return converted.schema

    def schema(self) -> dict[str, Any]:
        """The schema of all arguments. What none of them is could not be sent, so it is not allowed."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        return {**schema, "additionalProperties": False}


def describe(schema: Any, holder: Mapping[str, Any]) -> Any:
    """The schema with the description, example and deprecation of the parameter or body that holds it."""
    said: dict[str, Any] = {}
    if isinstance(holder.get("description"), str):
        said["description"] = holder["description"]
    if "example" in holder:
        said["examples"] = [holder["example"]]
    if holder.get("deprecated") is True:
        said["deprecated"] = True
    if not isinstance(schema, Mapping):
        return said or schema
    kept = {key: value for key, value in said.items() if key == "description" or key not in schema}
    return {**schema, **kept}


def as_mapping(value: Any, path: str) -> Mapping[str, Any]:
    """The value, if it is an object. Raises InvalidInput."""
    if not isinstance(value, Mapping):
        raise InvalidInput.single(path, "not_an_object", f"{path} is not an object.")
    return value


def as_list(value: Any, path: str) -> list[Any]:
    """The value, if it is a list; nothing is an empty one. Raises InvalidInput."""
    if value is not None and not isinstance(value, list):
        raise InvalidInput.single(path, "not_a_list", f"{path} is not a list.")
    return value or []
