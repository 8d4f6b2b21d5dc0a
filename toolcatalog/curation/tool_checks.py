"""What is wrong with a tool document by itself: name, schemas, keywords, callback. No query."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError
from toolcatalog.text import check_tool_name, is_reserved

from .documents import ToolDocument
from .schemas import check_output_schema, check_parameters
from .validation import check_storable


def check_tool_document(
    document: ToolDocument, entry_names: Collection[str], *, check_name: bool = True
) -> list[FieldError]:
    """Everything that is wrong with the document. `entry_names` are the names that profiles gave their tool search.

    The name of a tool that keeps it is left alone, since it may be older than a rule.
    """
    errors = check_storable({name: getattr(document, name) for name in document.__slots__})
    if errors:
        return errors
    if check_name:
        errors += _check_name(document.name, entry_names)
    errors += check_parameters(document.parameters)
    errors += check_output_schema(document.output_schema)
    errors += _check_keywords(document.keywords)
    errors += _check_replacement(document)
    return errors + _check_callback(document)


def _check_name(name: str, entry_names: Collection[str]) -> list[FieldError]:
    error = check_tool_name(name)
    if error is not None:
        return [error]
    if is_reserved(name, entry_names):
        message = f"“{name}” is kept for the tool search itself. Choose another name."
        return [FieldError("name", "reserved_name", message)]
    return []


def _check_keywords(keywords: Mapping[str, object]) -> list[FieldError]:
    errors = []
    for language, words in keywords.items():
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) and word.strip() for word in words):
            message = 'Write a list of words for each language, like {"en": ["parcel"]}.'
            errors.append(FieldError(f"keywords.{language}", "not_a_list_of_words", message))
    return errors


def _check_replacement(document: ToolDocument) -> list[FieldError]:
    if document.replaced_by != document.name:
        return []
    message = "A tool cannot stand in for itself. Name another one, or leave this empty."
    return [FieldError("replaced_by", "replaces_itself", message)]


def _check_callback(document: ToolDocument) -> list[FieldError]:
    needs_callback = document.execution == Execution.CALLBACK
    if needs_callback and not document.callback:
        return [FieldError("callback", "required", "Name the callback that runs this tool.")]
    if document.callback and ":" in document.callback:
        message = "This is an import path. Write the name under which a package offers the callback."
        return [FieldError("callback", "import_path", message)]
    if not needs_callback and document.callback:
        message = "Only a tool that a callback runs has one. Set “run by” to callback, or leave this empty."
        return [FieldError("callback", "not_expected", message)]
    return []
