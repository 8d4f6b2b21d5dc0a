"""Schemas of OpenAPI documents, each with everything that it refers to."""

from __future__ import annotations

import string
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import dump_json

from .openapi_dialect import Dialect, Visit
from .openapi_references import References

MAX_WRITTEN_OUT = 1_000_000
"""How many schemas the references of one may stand for, once each is written out in its place (T32)."""
MAX_CHAIN = 200
DEFINITIONS_BYTES = 40 * 1024
MAX_PROPERTIES = 400
"""What the definitions of one schema take together; those farthest from its root are left open beyond that."""

_NAME_LETTERS = frozenset(string.ascii_letters + string.digits + "_-.")
_PREFIX = "#/$defs/"


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted schema. `references` are those in it, as the document writes them, each as often as it stands there;
    `size` counts schemas.
    """

    schema: Any
    references: tuple[str, ...]
    notes: tuple[str, ...]
    size: int
    properties: int


class SchemaReader:
    """Converts the schemas of one document, and remembers those that references name.

    `hidden` and `references_stand_alone` as for `Dialect`.
    """

    def __init__(self, references: References, *, hidden: str, references_stand_alone: bool) -> None:
        self._references = references
        self._dialect = Dialect(hidden, references_stand_alone, self._name)
        self._names: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._components: dict[str, Converted] = {}
        self._weights: dict[str, int] = {}

    def convert(self, schema: Any) -> Converted:
        """The schema, whose references name `$defs` to be added later. Raises InvalidInput."""
        visit = Visit()
        converted = self._dialect.convert(schema, visit)
        return Converted(converted, tuple(visit.references), tuple(visit.notes), visit.nodes, visit.properties)

    def resolve(self, converted: Converted) -> Converted:
        """What a schema stands for, where it is no more than a reference. Raises InvalidInput."""
        for _ in range(MAX_CHAIN):
            schema = converted.schema
            if not isinstance(schema, Mapping) or "$ref" not in schema or not set(schema) <= {"$ref", "description"}:
                return converted
            converted = self._component(self._originals[schema["$ref"]])
        raise InvalidInput.single("$ref", "broken_reference", "A chain of references does not come to an end.")

    def add_definitions(
        self, schema: Mapping[str, Any], references: Iterable[str]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The schema with everything that its `references` lead to under `$defs`, and what had to be left open.

        Nearest first, until the budget is used; the others become "any value". Raises InvalidInput where references
        lead nowhere or stand for too many schemas.
        """
        first = tuple(references)
        if sum(self._weigh(reference, set()) for reference in first) > MAX_WRITTEN_OUT:
            message = f"Its references stand for more than {MAX_WRITTEN_OUT:,} schemas."
            raise InvalidInput.single("$ref", "too_many_references", message)
        definitions, notes = self._collect(first)
        return ({**schema, "$defs": definitions} if definitions else dict(schema)), tuple(notes)

    def _collect(self, first: Iterable[str]) -> tuple[dict[str, Any], dict[str, None]]:
        definitions: dict[str, Any] = {}
        notes: dict[str, None] = {}
        left = DEFINITIONS_BYTES
        properties = MAX_PROPERTIES
        queue = deque(first)
        while queue:
            reference = queue.popleft()
            name = self._names[reference]
            if name in definitions:
                continue
            component = self._component(reference)
            left -= len(dump_json(component.schema))
            properties -= component.properties
            if left < 0 or properties < 0:
                left = properties = 0  # what is farther away is left open as well, however small
                definitions[name] = {}
                notes[f"The schema is too big; “{name}” is left open in it."] = None
            else:
                definitions[name] = component.schema
                notes |= dict.fromkeys(component.notes)
                queue.extend(component.references)
        return definitions, notes

    def _component(self, reference: str) -> Converted:
        if reference not in self._components:
            self._components[reference] = self.convert(self._references.find(reference))
        return self._components[reference]

    def _weigh(self, reference: str, above: set[str]) -> int:
        """How many schemas the reference stands for; inside itself it counts as nothing."""
        if reference in above:
            return 0
        if reference not in self._weights:
            if len(above) > MAX_CHAIN:
                raise InvalidInput.single("$ref", "too_many_references", "Its references go too deep.")
            component = self._component(reference)
            above.add(reference)
            weight = component.size + sum(self._weigh(child, above) for child in component.references)
            above.discard(reference)
            self._weights[reference] = min(weight, MAX_WRITTEN_OUT + 1)
        return self._weights[reference]

    def _name(self, reference: object) -> str:
        """`#/$defs/…` for a reference of the document; one name for one reference. Raises InvalidInput."""
        self._references.find(reference)
        text = str(reference)
        if text not in self._names:
            last = text.rpartition("/")[2]
            plain = "".join(letter if letter in _NAME_LETTERS else "_" for letter in last) or "schema"
            name, number = plain, 2
            while f"{_PREFIX}{name}" in self._originals:
                name, number = f"{plain}_{number}", number + 1
            self._names[text] = name
            self._originals[f"{_PREFIX}{name}"] = text
        return f"{_PREFIX}{self._names[text]}"
