"""References of an OpenAPI document, followed inside it only: nothing is ever fetched (T15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referencing import Registry, Resource
from referencing.exceptions import Unresolvable

from toolcatalog.contract.errors import InvalidInput

MAX_CHAIN = 20


class References:
    """Looks up what `$ref` names in one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        registry: Registry[Any] = Registry().with_resource("", Resource.opaque(document))
        self._resolver = registry.resolver()
        self._found: dict[str, Any] = {}

    def find(self, reference: object) -> Any:
        """What the reference names. Raises InvalidInput where it leads nowhere, or out of the document."""
        if not isinstance(reference, str):
            raise InvalidInput.single("$ref", "broken_reference", "A $ref is no text.")
        if not reference.startswith("#"):
            message = f"“{reference}” points outside the document. Put what it names into the document first."
            raise InvalidInput.single("$ref", "remote_reference", message)
        if reference not in self._found:
            try:
                self._found[reference] = self._resolver.lookup(reference).contents
            except (Unresolvable, ValueError, TypeError, LookupError) as error:
                message = f"“{reference}” leads to nothing in the document."
                raise InvalidInput.single("$ref", "broken_reference", message) from error
        return self._found[reference]

    def follow(self, node: Any) -> Any:
        """The node itself, or what it refers to, over as many steps as it takes. Raises InvalidInput."""
        for _ in range(MAX_CHAIN):
            if not isinstance(node, Mapping) or "$ref" not in node:
                return node
            node = self.find(node["$ref"])
        raise InvalidInput.single("$ref", "broken_reference", "A chain of references does not come to an end.")
