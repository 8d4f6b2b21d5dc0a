"""The arguments of a function: their schema from its types and docstring, and their values from a model's JSON."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

from toolcatalog.contract.json import JsonObject

from .context import CallContext
from .errors import ArgumentsRefused, CallbackRefused
from .schemas import write_schema

_KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Arguments:
    """How JSON becomes the arguments of one function. `fields` are pairs of the model's field and the parameter."""

    model: type[BaseModel]
    fields: tuple[tuple[str, str], ...]
    context_parameter: str | None

    def write_schema(self) -> JsonObject:
        """The JSON Schema of the arguments; nothing but them is allowed."""
        return {"properties": {}, **write_schema(self.model)}

    def read(self, arguments: JsonObject, context: CallContext) -> dict[str, Any]:
        """What to call the function with: parameters that are not given keep the function's own defaults.

        Raises ArgumentsRefused.
        """
        try:
            values = self.model.model_validate(dict(arguments))
        except ValidationError as error:
            raise ArgumentsRefused(_describe(error)) from error
        given = {name: getattr(values, field) for field, name in self.fields if field in values.model_fields_set}
        return given if self.context_parameter is None else {**given, self.context_parameter: context}


def read_arguments(function: Callable[..., Any], descriptions: Mapping[str, str]) -> Arguments:
    """The arguments of a function with a type for every parameter. Raises CallbackRefused with what to change.

    A description stands in `Annotated[type, "text"]`, in pydantic's `Field`, or in the docstring (`descriptions`).
    """
    hints = _read_hints(function)
    fields: dict[str, Any] = {}
    names: list[tuple[str, str]] = []
    context_parameter = None
    for parameter in inspect.signature(function).parameters.values():
        hint = _hint_of(parameter, hints)
        if _is_context(hint):
            context_parameter = parameter.name
            continue
        # Fields of a name of their own, so that no parameter's name meets an attribute of pydantic's models.
        field = f"argument_{len(names)}"
        fields[field] = _field_of(parameter, hint, descriptions.get(parameter.name))
        names.append((field, parameter.name))
    try:
        model = create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)
        arguments = Arguments(model, tuple(names), context_parameter)
        arguments.write_schema()
    except (PydanticUserError, TypeError) as error:
        raise CallbackRefused(f"A type has no JSON Schema ({type(error).__name__}): use plain types.") from error
    return arguments


def read_output_schema(function: Callable[..., Any]) -> JsonObject | None:
    """The schema of the result, where the function says that it is an object of known fields; else None."""
    returned = _read_hints(function).get("return")
    is_model = isinstance(returned, type) and issubclass(returned, BaseModel)
    return write_schema(returned, "serialization") if returned is not None and is_model else None


def _read_hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        message = "A type cannot be read: import it where the program runs, not only for type checkers."
        raise CallbackRefused(f"{message} ({error})") from error


def _hint_of(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    if parameter.kind not in _KINDS:
        raise CallbackRefused(f"“{parameter}” cannot be filled by name. Models pass arguments by name only.")
    if parameter.name not in hints:
        raise CallbackRefused(f"The parameter “{parameter.name}” has no type. Give it one.")
    return hints[parameter.name]


def _is_context(hint: Any) -> bool:
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return plain is CallContext or CallContext in get_args(plain)


def _field_of(parameter: inspect.Parameter, hint: Any, documented: str | None) -> tuple[Any, FieldInfo]:
    """The type with its description, and the field: its default, and the parameter's name in JSON."""
    texts = [extra for extra in get_args(hint)[1:] if isinstance(extra, str)] if get_origin(hint) is Annotated else []
    description = " ".join(texts) or documented
    described: Any = hint if description is None else _add_description(hint, description)
    default = ... if parameter.default is inspect.Parameter.empty else parameter.default
    return described, Field(default, alias=parameter.name)


def _add_description(hint: Any, description: str) -> Any:
    """The type with a description that any other one in it overrules."""
    plain, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    annotated: Any = Annotated
    return annotated[(plain, Field(description=description), *extras)]


def _describe(error: ValidationError) -> str:
    """What does not fit, by place, without the values."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    told = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the whole'}: {one['msg']}" for one in problems)
    return f"The arguments do not fit. {told}."
