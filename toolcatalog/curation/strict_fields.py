"""Serializer fields that take JSON types as they are: the string "true" is not true, and 5 is not "5"."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class StrictCharField(serializers.CharField):
    """A string. Never trimmed: blanks may be meant."""

    default_error_messages = {"invalid": "Write text in quotes."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """true or false."""

    default_error_messages = {"invalid": "Write true or false, without quotes."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictIntegerField(serializers.IntegerField):
    """A whole number that the database can hold."""

    default_error_messages = {"invalid": "Write a whole number, without quotes."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": -(2**31), "max_value": 2**31 - 1, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class StrictFloatField(serializers.FloatField):
    """A number."""

    default_error_messages = {"invalid": "Write a number, without quotes."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(data)


class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """A JSON object, taken as it is."""

    default_error_messages = {"invalid": "Write a JSON object, like {{}}."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class StrictChoiceField(serializers.ChoiceField):
    """One of a few words. An error names them all."""

    default_error_messages = {"invalid_choice": "“{input}” is not possible here. Choose one of: {choices}."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input=data, choices=", ".join(map(str, self.choices)))
        return data


class StrictListField(serializers.ListField):
    """A list."""

    default_error_messages = {"not_a_list": "Write a JSON list, like []."}


class StrictDictField(serializers.DictField):
    """A JSON object whose values are of one kind."""

    default_error_messages = {"not_a_dict": "Write a JSON object, like {{}}."}


class AnyField(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value, taken as it is."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ObjectSerializer(serializers.Serializer[Any]):
    """A JSON object with fields."""

    default_error_messages = {"invalid": "Write a JSON object, like {{}}."}


class KnownFieldsSerializer(ObjectSerializer):
    """Refuses keys that it does not know, so that a slip of the pen is told instead of lost.

    `read_only_keys` are keys of answers that may come back unchanged.
    """

    read_only_keys: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(str(key) for key in data if key not in self.fields and key not in self.read_only_keys)
            if unknown:
                known = ", ".join(self.fields)
                raise serializers.ValidationError(
                    {key: f"There is no field “{key}”. Known are: {known}." for key in unknown}, code="unknown_field"
                )
        return super().to_internal_value(data)
