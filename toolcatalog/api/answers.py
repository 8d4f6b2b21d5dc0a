"""Answers as JSON: straight from the contract's dataclasses."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from toolcatalog.contract.resolve import ResolveAnswer, SearchAnswer

_PARTS = ("request", "tools", "system_prompt", "messages")


def render_resolve(answer: ResolveAnswer) -> dict[str, Any]:
    """The answer of resolve; of its large parts only those that were asked for."""
    hidden = {"returns", *(part for part in _PARTS if part not in answer.returns)}
    return {field.name: getattr(answer, field.name) for field in fields(answer) if field.name not in hidden}


def render_search(answer: SearchAnswer) -> dict[str, Any]:
    """The answer of search; `explanation` and exported names only where they were asked for."""
    results = [
        {
            field.name: value
            for field in fields(tool)
            if (value := getattr(tool, field.name)) is not None or field.name != "exported_name"
        }
        for tool in answer.results
    ]
    body: dict[str, Any] = {
        "names": answer.names,
        "results": results,
        "outcome": answer.outcome,
        "hint": answer.hint,
        "notices": answer.notices,
    }
    if answer.explanation is not None:
        body["explanation"] = answer.explanation
    return body
