"""Fields that Django lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from toolcatalog.contract.json import JsonValue, dump_json, find_unstorable

if TYPE_CHECKING:
    _TextField = models.TextField[Any, Any]
else:
    _TextField = models.TextField


class OrderedJsonField(_TextField):
    """JSON kept as text, so that the order of keys and the way numbers are written stay as the curator gave them.

    `jsonb` would sort keys and rewrite numbers, and a model reads properties in the order they are sent.
    """

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    empty_values = [None, ""]
    """An empty object is a value: as a schema it is that of a tool that takes nothing."""

    def from_db_value(self, value: str | None, *_: object) -> JsonValue:
        return None if value is None else orjson.loads(value)

    def to_python(self, value: Any) -> JsonValue:
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]  # Django hands over what was assigned
        try:
            parsed: JsonValue = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            raise ValidationError(f"This is not JSON: {error}", code="invalid_json") from error
        return parsed

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else dump_json(value).decode()

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        for path, problem in find_unstorable(value):
            raise ValidationError(f"{path or 'The value'} {problem}.", code="unstorable")

    def value_to_string(self, obj: models.Model) -> str:
        return dump_json(self.value_from_object(obj)).decode()

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": forms.JSONField, **kwargs})
