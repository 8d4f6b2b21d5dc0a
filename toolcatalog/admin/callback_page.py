"""The page of callbacks: which functions this server can run, what is wrong with others, and which tools use them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.callbacks import hung_calls, registered_callbacks
from toolcatalog.contract.catalog import LIVE_STATUSES, Execution
from toolcatalog.models import Tool
from toolcatalog.resolution.executability import is_executable
from toolcatalog.selectors import read_tools

PERMISSION = "toolcatalog.view_tool"
STATES = {
    "ready": (_("Ready"), "success"),
    "broken": (_("Cannot be used"), "danger"),
    "missing": (_("Not installed here"), "danger"),
}


@dataclass(frozen=True, slots=True)
class CallbackLine:
    """One function: its state with a colour, a sentence of what is wrong, and the tools that it runs."""

    name: str
    state: str
    colour: str
    description: str = ""
    problem: str = ""
    timeout_seconds: float | None = None
    hanging: int = 0
    tools: tuple[Tool, ...] = ()


def show_callbacks(request: HttpRequest) -> HttpResponse:
    """Every callback that is installed, and every one that tools ask for."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    context = {**admin.site.each_context(request), "title": gettext("Callbacks"), "lines": list_callbacks()}
    request.current_app = admin.site.name
    return TemplateResponse(request, "toolcatalog/admin/callbacks.html", context)


def list_callbacks() -> list[CallbackLine]:
    """What is wrong comes first, then by name. Imports every package that offers callbacks."""
    registry = registered_callbacks()
    loaded, problems, hanging = registry.load_all(), registry.problems(), hung_calls()
    tools = _tools_by_callback()
    lines = [
        _make_line("ready", name, tools[name], description=callback.definition.description,
                   timeout_seconds=callback.definition.timeout_seconds, hanging=hanging.get(name, 0))
        for name, callback in loaded.items()
    ]  # fmt: skip
    lines += [_make_line("broken", name, tools[name], problem=problem) for name, problem in problems.items()]
    missing = sorted(tools.keys() - loaded.keys() - problems.keys())
    lines += [_make_line("missing", name, tools[name]) for name in missing]
    return sorted(lines, key=lambda line: (line.colour == "success", line.name))


def _make_line(state: str, name: str, tools: Iterable[Tool], **parts: object) -> CallbackLine:
    words, colour = STATES[state]
    return CallbackLine(name, str(words), colour, tools=tuple(tools), **parts)  # type: ignore[arg-type]  # fields of the line


def _tools_by_callback() -> defaultdict[str, list[Tool]]:
    found: defaultdict[str, list[Tool]] = defaultdict(list)
    for tool in Tool.objects.filter(execution=Execution.CALLBACK).select_related("owner").order_by("name", "pk"):
        found[tool.callback].append(tool)
    return found


def can_be_run(tool: Tool) -> bool:
    """Whether somebody can run the tool: its caller, or this server."""
    return is_executable(read_tools(tool.owner_id or 0, [tool.pk])[0])


def count_stranded_tools() -> int:
    """How many live tools this server should run and cannot."""
    registry = registered_callbacks()
    live = Tool.objects.filter(execution=Execution.CALLBACK, status__in=LIVE_STATUSES, gone_at=None)
    return sum(callback not in registry for callback in live.values_list("callback", flat=True))
