"""Parameters of an operation: path, query, header and cookie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from toolcatalog.contract.errors import InvalidInput

from .http_binding import BoundParameter, Place, split_template
from .openapi_arguments import Arguments, as_list, as_mapping, describe
from .openapi_references import References
from .openapi_schemas import SchemaReader

Key: TypeAlias = tuple[str, str]
"""The place and the name of a parameter: what tells it from others."""

_DEFAULT_STYLES = {Place.PATH: "simple", Place.QUERY: "form", Place.HEADER: "simple", Place.COOKIE: "form"}
_STYLES = {
    Place.PATH: {"simple"},
    Place.QUERY: {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
    Place.HEADER: {"simple"},
    Place.COOKIE: {"form"},
}
_UNSETTABLE_HEADERS = frozenset({"accept", "authorization", "content-type"})


class ParameterReader:
    """Reads the parameters of one document's operations.

    `credentials` are the parameters that its security schemes use: they come from the settings, not from a model.
    """

    def __init__(self, references: References, schemas: SchemaReader, credentials: frozenset[Key]) -> None:
        self._references = references
        self._schemas = schemas
        self._credentials = credentials

    def add_parameters(
        self, path: str, item: Mapping[str, Any], operation: Mapping[str, Any], arguments: Arguments
    ) -> None:
        """Add the parameters of the operation at this path. Raises InvalidInput where one cannot be sent."""
        declared = self._find(item, operation, arguments)
        self._add_path(path, declared, arguments)
        for (place, name), parameter in declared.items():
            if place != Place.PATH:
                self._add(Place(place), name, parameter, arguments)

    def _find(
        self, item: Mapping[str, Any], operation: Mapping[str, Any], arguments: Arguments
    ) -> dict[Key, Mapping[str, Any]]:
        """Those of the path, then the operation's own, which stand above them."""
        found: dict[Key, Mapping[str, Any]] = {}
        for holder in (item, operation):
            here: dict[Key, Mapping[str, Any]] = {}
            for node in as_list(holder.get("parameters"), "parameters"):
                parameter = as_mapping(self._references.follow(node), "parameters")
                key = _read_key(parameter)
                if key in here:
                    arguments.notes.append(f"The parameter “{key[1]}” is described twice; the first counts.")
                elif not self._is_set_elsewhere(key, arguments):
                    here[key] = parameter
            found |= here
        return found

    def _is_set_elsewhere(self, key: Key, arguments: Arguments) -> bool:
        place, name = key
        if key in self._credentials:
            arguments.notes.append(f"“{name}” is a credential: it comes from the settings of the source.")
            return True
        return place == Place.HEADER and name.lower() in _UNSETTABLE_HEADERS

    def _add_path(self, path: str, declared: Mapping[Key, Mapping[str, Any]], arguments: Arguments) -> None:
        names = [name for _, name in split_template(path) if name is not None]
        for name in dict.fromkeys(names):
            parameter = declared.get((Place.PATH, name))
            if names.count(name) > 1:
                note = f"“{name}” stands {names.count(name)} times in the path: one argument fills all its places."
                arguments.notes.append(note)
            if parameter is None:
                arguments.notes.append(f"“{name}” stands in the path and is not described; it is taken as text.")
            self._add(Place.PATH, name, parameter or {"schema": {"type": "string"}}, arguments)
        for place, name in declared:
            if place == Place.PATH and name not in names:
                arguments.notes.append(f"“{name}” is described as a part of the path, and does not stand in it.")

    def _add(self, place: Place, name: str, parameter: Mapping[str, Any], arguments: Arguments) -> None:
        style = str(parameter.get("style", _DEFAULT_STYLES[place]))
        if style not in _STYLES[place]:
            message = f"“{name}” is written in the style “{style}”, which is not known for a {place.value} parameter."
            raise InvalidInput.single(f"parameters.{name}", "unknown_style", message)
        schema, is_json = _find_schema(parameter)
        described = describe(arguments.take(self._schemas.convert(schema)), parameter)
        is_required = place is Place.PATH or parameter.get("required") is True
        argument = arguments.add(name, place.value, described, is_required=is_required)
        explode = parameter.get("explode", style == "form") is True
        arguments.parameters.append(BoundParameter(argument, name, place, style, explode, is_json))


def _read_key(parameter: Mapping[str, Any]) -> Key:
    place, name = parameter.get("in"), parameter.get("name")
    if not isinstance(name, str) or not name or place not in list(Place):
        message = f"A parameter has the name “{name}” and the place “{place}”; nothing can be sent so."
        raise InvalidInput.single("parameters", "bad_parameter", message)
    return str(place), name


def _find_schema(parameter: Mapping[str, Any]) -> tuple[Any, bool]:
    """(schema, whether the value is sent as JSON)."""
    content = parameter.get("content")
    if isinstance(content, Mapping) and content:
        media = as_mapping(next(iter(content.values())), f"parameters.{parameter['name']}.content")
        return media.get("schema", {}), True
    return parameter.get("schema", {}), False
