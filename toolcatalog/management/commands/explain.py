"""The playground in a terminal: what one message would get, and why. Records nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.matching import GroupOutcome
from toolcatalog.contract.resolve import Caller, ContextInput, ResolveRequest
from toolcatalog.management.owners import find_tenant
from toolcatalog.resolution import CATALOGS, Resolution, explain, measure_usage, preview


class Command(BaseCommand):
    """Prints groups with every condition, tools with their reasons, what was left out, prompt and tokens."""

    help = "Shows which tools a message would get, and why. Nothing is recorded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", required=True, help="slug of the tenant")
        parser.add_argument("--message", required=True, help="the last user message")
        parser.add_argument("--profile", help="slug of the profile; none: the default one")
        parser.add_argument("--account", help="the account id")
        parser.add_argument("--model", help="the model's name")
        parser.add_argument("--attributes", default="{}", help='JSON, for example {"plan": "premium"}')
        parser.add_argument("--format", default="generic", help="the provider format")

    def handle(self, *_: Any, **options: Any) -> None:
        caller = Caller(find_tenant(options["tenant"]).pk, scopes=frozenset({"resolve", "curate"}))
        request = ResolveRequest(
            prompt=options["message"],
            profile=options["profile"],
            context=ContextInput(
                account_id=options["account"], model=options["model"], attributes=read_attributes(options["attributes"])
            ),
            format=options["format"],
            explain=True,
        )
        try:
            with transaction.atomic():
                resolution = preview(CATALOGS.get(caller.tenant_id), request, caller)
        except InvalidInput as error:
            raise CommandError(error.detail) from error
        self.stdout.write("\n".join(describe(resolution)))


def read_attributes(text: str) -> JsonObject:
    """The attributes. Raises CommandError for what is no JSON object."""
    try:
        attributes = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise CommandError(f"--attributes is not JSON: {error}") from error
    if not isinstance(attributes, dict):
        raise CommandError('--attributes is a JSON object, like {"plan": "premium"}.')
    return attributes


def describe(resolution: Resolution) -> Iterator[str]:
    """The whole decision in lines."""
    explanation = explain(resolution)
    yield f"Profile {explanation.profile}"
    yield "\nGroups"
    for outcome in explanation.groups:
        yield from describe_group(outcome)
    yield "\nTools"
    for tool in explanation.tools:
        by = f" by {', '.join(tool.groups)}" if tool.groups else ""
        yield f"  {tool.name}: {', '.join(tool.reasons)}{by}"
    for omission in resolution.omitted:
        yield f"  left out: {omission.name}: {omission.reason}"
    for notice in resolution.notices:
        yield f"  notice: {notice.detail}"
    yield f"\nSearch\n  {explanation.search.detail or ', '.join(explanation.search.names)}"
    yield f"\nSystem prompt\n{resolution.prompted.system_prompt}"
    usage = measure_usage(resolution)
    yield (
        f"\nTokens: {usage.snapshot_tokens} instead of {usage.catalog_tokens} for all {usage.catalog_tools} tools "
        f"({usage.saved_percent} % saved, {usage.tokenizer})"
    )


def describe_group(outcome: GroupOutcome) -> Iterator[str]:
    """One group with every condition."""
    yield f"  {'yes' if outcome.matched else 'no ':3} {outcome.name} ({outcome.reason})"
    for condition_set in outcome.condition_sets:
        for matcher in condition_set.matchers:
            row = matcher.row
            what = f"{row.source}{'.' + row.attribute if row.attribute else ''} {'not ' * row.negate}{row.operator}"
            mark = "true " if matcher.result else "false"
            yield f"        set {condition_set.number}: {mark} {what} {row.value!r}, saw {matcher.seen!r}"
    for problem in outcome.problems:
        yield f"        broken: {problem}"
