"""What the decorator reads from a function: name, description, and the JSON Schema of its arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional
from uuid import UUID

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field

from toolcatalog.callbacks import CallbackDefinition, CallbackRefused, CallContext, callback_of, tool
from toolcatalog.callbacks.errors import ArgumentsRefused
from toolcatalog.curation.schemas import check_output_schema, check_parameters

if TYPE_CHECKING:
    from fractions import Fraction

CONTEXT = CallContext(tenant="acme", account_id="a-1")


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Address:
    """Where it goes."""

    street: str
    postcode: str | None = None


class Line(BaseModel):
    sku: str = Field(description="The article.")
    parts: list[Line] = []


def definition_of(function: Callable[..., Any]) -> CallbackDefinition:
    definition = callback_of(function).definition
    assert check_parameters(definition.parameters) == ()
    assert check_output_schema(definition.output_schema) == ()
    return definition


def properties_of(function: Callable[..., Any]) -> dict[str, Any]:
    properties: Any = definition_of(function).parameters["properties"]
    return dict(properties)


def test_function__decorated__behaves_as_before() -> None:
    @tool
    def add(left: int, right: int = 1) -> int:
        """Adds."""
        return left + right

    assert (add(1), add(1, right=2), add.__name__, add.__doc__) == (2, 3, "add", "Adds.")


def test_name_and_texts__not_given__come_from_function_and_docstring() -> None:
    @tool
    def get_order(number: str) -> str:
        """Says where an order is.

        Not for returns.
        """
        return number

    definition = definition_of(get_order)
    assert (definition.name, definition.description) == ("get_order", "Says where an order is.\n\nNot for returns.")
    assert (definition.version, definition.process, definition.title) == ("1.0", False, "")


def test_options__given__are_in_the_definition() -> None:
    @tool(
        name="orders.get",
        title="Order",
        description="Of the decorator.",
        category="orders",
        tags=["a", "b"],
        keywords={"zh": ["订单"]},
        annotations={"readOnlyHint": True},
        metadata={"owner": "orders-team"},
        version="2.1",
        timeout_seconds=3,
        process=True,
    )
    def get_order(number: str) -> str:
        """Of the docstring."""
        return number

    assert definition_of(get_order) == CallbackDefinition(
        name="orders.get",
        title="Order",
        description="Of the decorator.",
        parameters=definition_of(get_order).parameters,
        annotations={"readOnlyHint": True},
        category="orders",
        tags=("a", "b"),
        keywords={"zh": ("订单",)},
        metadata={"owner": "orders-team"},
        version="2.1",
        timeout_seconds=3,
        process=True,
    )


def test_no_parameters__schema__is_an_object_without_properties() -> None:
    @tool
    def ping() -> str:
        return "pong"

    assert definition_of(ping).parameters == {"type": "object", "properties": {}, "additionalProperties": False}


def test_types__of_every_kind__have_their_schema() -> None:
    @tool
    def order(
        count: int,
        price: Decimal,
        weight: float,
        when: datetime,
        day: date,
        customer: UUID,
        size: Size,
        speed: Literal["slow", "fast"],
        gift: bool,
        tags: list[str],
        note: str | None,
        old_style: Optional[int] = None,  # noqa: UP045  # people write it
        colour: str = "red",
        limits: dict[str, int] | None = None,
    ) -> None: ...

    properties = properties_of(order)
    assert {name: properties[name] for name in ("count", "price", "weight", "gift")} == {
        "count": {"type": "integer"},
        "price": {"type": "number"},
        "weight": {"type": "number"},
        "gift": {"type": "boolean"},
    }
    formats = {name: properties[name]["format"] for name in ("when", "day", "customer")}
    assert formats == {"when": "date-time", "day": "date", "customer": "uuid"}
    assert properties["speed"] == {"enum": ["slow", "fast"], "type": "string"}
    assert properties["size"] == {"$ref": "#/$defs/Size"}
    assert properties["tags"] == {"items": {"type": "string"}, "type": "array"}
    assert properties["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert properties["old_style"] == {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    assert properties["colour"] == {"default": "red", "type": "string"}
    required: Any = definition_of(order).parameters["required"]
    assert set(properties) - set(required) == {"old_style", "colour", "limits"}


def test_nested_types__and_recursive_ones__are_described_without_generated_titles() -> None:
    @tool
    def send(to: Address, lines: list[Line], title: str) -> None: ...

    parameters: Any = definition_of(send).parameters
    assert parameters["$defs"]["Address"]["description"] == "Where it goes."
    assert parameters["$defs"]["Line"]["properties"]["parts"]["items"] == {"$ref": "#/$defs/Line"}
    assert "title" in parameters["properties"]
    validator = jsonschema_rs.validator_for(parameters)
    good = {"to": {"street": "x"}, "lines": [{"sku": "a", "parts": [{"sku": "b"}]}], "title": "t"}
    assert validator.is_valid(good)
    assert not validator.is_valid({**good, "to": {}})
    assert '"title":"' not in str(parameters).replace("'", '"').replace(" ", "")


GOOGLE = """Books.

    Args:
        city (str): The city.
        nights: How many nights,
            at least one.
    """
NUMPY = """Books.

    Parameters
    ----------
    city : str
        The city.
    nights : int, optional
        How many nights,
        at least one.
    """
REST = """Books.

    :param city: The city.
    :param int nights: How many nights,
        at least one.
    :returns: Nothing.
    """


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_docstring__of_each_style__describes_the_parameters(docstring: str) -> None:
    def book(city: str, nights: int = 1) -> None: ...

    book.__doc__ = docstring
    tool(book)

    properties = properties_of(book)
    assert definition_of(book).description == "Books."
    assert properties["city"]["description"] == "The city."
    assert properties["nights"]["description"].split() == ["How", "many", "nights,", "at", "least", "one."]


def test_description_in_the_type__beside_the_docstring__wins() -> None:
    @tool
    def book(
        city: Annotated[str, "Of the annotation."],
        nights: Annotated[int, Field(description="Of the field.", ge=1)],
        guests: int,
    ) -> None:
        """Books.

        Args:
            city: Of the docstring.
            nights: Of the docstring.
            guests: Of the docstring.
        """

    properties = properties_of(book)
    assert properties["city"]["description"] == "Of the annotation."
    assert properties["nights"] == {"description": "Of the field.", "minimum": 1, "type": "integer"}
    assert properties["guests"]["description"] == "Of the docstring."


@pytest.mark.parametrize("hint", [CallContext, CallContext | None, Annotated[CallContext, "who"]])
def test_context__by_its_type__is_given_and_not_in_the_schema(hint: Any) -> None:
    def who(city: str, caller: Any = None) -> Any:
        return city, caller

    who.__annotations__["caller"] = hint
    tool(who)

    assert list(properties_of(who)) == ["city"]
    assert callback_of(who).call({"city": "x"}, CONTEXT, 1) == ("x", CONTEXT)
    with pytest.raises(ArgumentsRefused):
        callback_of(who).call({"city": "x", "caller": {"tenant": "forged"}}, CONTEXT, 1)


def test_arguments__as_json__come_as_the_types_say() -> None:
    seen: list[Any] = []

    @tool
    def order(price: Decimal, when: datetime, customer: UUID, size: Size, to: Address, colour: str = "red") -> None:
        seen.extend([price, when, customer, size, to, colour])

    number = "01234567-89ab-cdef-0123-456789abcdef"
    given: Any = {
        "price": 0.1,
        "when": "2026-01-02T03:04:05Z",
        "customer": number,
        "size": "large",
        "to": {"street": "x"},
    }
    callback_of(order).call(given, CONTEXT, 1)

    assert seen[0] == Decimal("0.1")
    assert (seen[1].year, str(seen[2]), seen[3]) == (2026, number, Size.LARGE)
    assert seen[4:] == [Address("x"), "red"]


def test_parameters__named_like_parts_of_models__are_no_trouble() -> None:
    @tool
    def odd(model_config: int, json: int, copy: int, _private: int = 4, schema: int = 5) -> tuple[int, ...]:
        return model_config, json, copy, _private, schema

    assert set(properties_of(odd)) == {"model_config", "json", "copy", "_private", "schema"}
    assert callback_of(odd).call({"model_config": 1, "json": 2, "copy": 3}, CONTEXT, 1) == (1, 2, 3, 4, 5)


def test_default_without_a_form_in_json__is_the_functions_own() -> None:
    nothing = object()

    @tool
    def search(text: str, limit: Any = nothing) -> bool:
        return limit is nothing

    assert "default" not in properties_of(search)["limit"]
    assert callback_of(search).call({"text": "x"}, CONTEXT, 1) is True


def test_result_type__object_of_known_fields__gives_an_output_schema() -> None:
    @tool
    def find() -> Line:
        return Line(sku="a")

    @tool
    def count() -> int:
        return 1

    schema: Any = definition_of(find).output_schema
    assert schema["$defs"]["Line"]["properties"]["sku"] == {"description": "The article.", "type": "string"}
    assert definition_of(count).output_schema is None


def test_types_of_later__in_the_same_module__are_found_when_needed() -> None:
    namespace: dict[str, Any] = {}
    code = """
from __future__ import annotations
from toolcatalog.callbacks import tool

@tool
def f(x: Later) -> None: ...

class Later(__import__("enum").Enum):
    A = "a"
"""
    exec(code, namespace)
    parameters: Any = callback_of(namespace["f"]).definition.parameters
    assert parameters["$defs"]["Later"]["enum"] == ["a"]


def untyped(city) -> None: ...  # type: ignore[no-untyped-def]  # the case
def positional(city: str, /) -> None: ...
def many(*cities: str) -> None: ...
def named(**cities: str) -> None: ...
def for_checkers_only(share: Fraction) -> None: ...
def without_schema(function: Callable[[int], int]) -> None: ...


@pytest.mark.parametrize("function", [untyped, positional, many, named, for_checkers_only, without_schema])
def test_function_that_models_cannot_call__is_refused_in_words(function: Callable[..., Any]) -> None:
    with pytest.raises(CallbackRefused, match=r"type|by name"):
        callback_of(tool(function)).definition  # noqa: B018  # computed here


@pytest.mark.parametrize("options", [{"timeout_seconds": 0}, {"timeout_seconds": -1}, {"metadata": {"x": object()}}])
def test_options_that_no_tool_can_have__are_refused(options: dict[str, Any]) -> None:
    def ping() -> None: ...

    with pytest.raises(CallbackRefused, match=r"ha(s|ve) to be"):
        callback_of(tool(**options)(ping)).definition  # noqa: B018  # computed here


def test_things_that_are_no_callbacks__are_refused() -> None:
    with pytest.raises(CallbackRefused, match="@tool"):
        callback_of(len)


def test_decorator_below_another__is_refused__since_the_other_would_be_left_out() -> None:
    def audited(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    @audited
    @tool
    def transfer(amount: int) -> int:
        return amount

    with pytest.raises(CallbackRefused, match="outermost"):
        callback_of(transfer)
