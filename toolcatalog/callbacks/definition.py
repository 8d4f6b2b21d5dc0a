"""The decorator that makes a function a callback, and what is derived from the function."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, overload

import orjson

from toolcatalog.contract.json import JsonObject

from .arguments import Arguments, read_arguments, read_output_schema
from .context import CallContext
from .docstrings import DocumentedFunction, read_docstring
from .errors import CallbackRefused, CallTimedOut

Function = TypeVar("Function", bound=Callable[..., Any])

TIMEOUT_SECONDS = 10.0
_ATTRIBUTE = "toolcatalog_callback"


@dataclass(frozen=True, slots=True)
class CallbackDefinition:
    """What the catalog is told of a callback. `parameters` is the JSON Schema (2020-12) of its arguments.

    `timeout_seconds` is the longest that one call may take; `process` says that it runs in a process of its own.
    """

    name: str
    title: str = ""
    description: str = ""
    parameters: JsonObject = field(default_factory=dict)
    output_schema: JsonObject | None = None
    annotations: JsonObject = field(default_factory=dict)
    category: str | None = None
    tags: tuple[str, ...] = ()
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: JsonObject = field(default_factory=dict)
    version: str = "1.0"
    timeout_seconds: float = TIMEOUT_SECONDS
    process: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What the decorator was given."""

    name: str | None
    title: str
    description: str | None
    category: str | None
    tags: Sequence[str]
    keywords: Mapping[str, Sequence[str]]
    annotations: JsonObject
    metadata: JsonObject
    version: str
    timeout_seconds: float
    process: bool


def _check(options: Options) -> None:
    """Raises CallbackRefused for options that no tool can have."""
    if not options.timeout_seconds > 0:
        raise CallbackRefused("timeout_seconds has to be more than 0.")
    try:
        orjson.dumps([options.annotations, options.metadata])
    except TypeError as error:
        raise CallbackRefused(f"annotations and metadata have to be JSON: {error}.") from error


class Callback:
    """A decorated function. Its types are read when they are first needed: they may be defined after it."""

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        self.function = function
        self._options = options

    @cached_property
    def _documented(self) -> DocumentedFunction:
        return read_docstring(inspect.getdoc(self.function))

    @cached_property
    def arguments(self) -> Arguments:
        """How JSON becomes arguments. Raises CallbackRefused."""
        return read_arguments(self.function, self._documented.parameters)

    @cached_property
    def definition(self) -> CallbackDefinition:
        """What the catalog is told. Raises CallbackRefused for a function whose arguments cannot be described."""
        options = self._options
        _check(options)
        return CallbackDefinition(
            name=options.name or self.function.__name__,
            title=options.title,
            description=self._documented.description if options.description is None else options.description,
            parameters=self.arguments.write_schema(),
            output_schema=read_output_schema(self.function),
            annotations=options.annotations,
            category=options.category,
            tags=tuple(options.tags),
            keywords={language: tuple(words) for language, words in options.keywords.items()},
            metadata=options.metadata,
            version=options.version,
            timeout_seconds=options.timeout_seconds,
            process=options.process,
        )

    def call(self, arguments: JsonObject, context: CallContext, seconds: float) -> object:
        """Call the function with JSON arguments, in this thread; a coroutine is run to its end or cancelled.

        Raises what the function raises, ArgumentsRefused, and CallTimedOut for a late coroutine.
        """
        result = self.function(**self.arguments.read(arguments, context))
        return asyncio.run(_wait(result, seconds)) if inspect.isawaitable(result) else result


async def _wait(result: Awaitable[object], seconds: float) -> object:
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await result
    except TimeoutError as error:
        if limit.expired():
            raise CallTimedOut("The coroutine was cancelled.") from error
        raise


@overload
def tool(function: Function) -> Function: ...
@overload
def tool(
    *,
    name: str | None = ...,
    title: str = ...,
    description: str | None = ...,
    category: str | None = ...,
    tags: Sequence[str] = ...,
    keywords: Mapping[str, Sequence[str]] | None = ...,
    annotations: JsonObject | None = ...,
    metadata: JsonObject | None = ...,
    version: str = ...,
    timeout_seconds: float = ...,
    process: bool = ...,
) -> Callable[[Function], Function]: ...
def tool(
    function: Function | None = None,
    *,
    name: str | None = None,
    title: str = "",
    description: str | None = None,
    category: str | None = None,
    tags: Sequence[str] = (),
    keywords: Mapping[str, Sequence[str]] | None = None,
    annotations: JsonObject | None = None,
    metadata: JsonObject | None = None,
    version: str = "1.0",
    timeout_seconds: float = TIMEOUT_SECONDS,
    process: bool = False,
) -> Function | Callable[[Function], Function]:
    """Make a function a callback; the function itself stays as it is, and can be called as before.

    Name and description come from the function and its docstring unless they are given, the schema of the arguments
    from the types of its parameters. `category`, `tags` and `keywords` (words by language) are proposals to curators.
    `process` runs it in a process of its own, which can be killed: for code that may hang, crash or grow.
    """
    options = Options(
        name, title, description, category, tags, keywords or {}, annotations or {}, metadata or {}, version,
        timeout_seconds, process,
    )  # fmt: skip

    def decorate(decorated: Function) -> Function:
        setattr(decorated, _ATTRIBUTE, Callback(decorated, options))
        return decorated

    return decorate if function is None else decorate(function)


def callback_of(thing: object) -> Callback:
    """The callback that a decorated function is. Raises CallbackRefused for anything else."""
    callback = getattr(thing, _ATTRIBUTE, None)
    if not isinstance(callback, Callback):
        raise CallbackRefused("It is no function with the decorator @tool.")
    if callback.function is not thing:
        # Other decorators copy the mark: calling what it was put on would leave them out unseen.
        raise CallbackRefused("@tool has to be the outermost decorator: put it above the others.")
    return callback
