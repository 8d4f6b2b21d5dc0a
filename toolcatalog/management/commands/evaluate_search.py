"""Measures how well search finds what it should, on tools and questions of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.conf import default_search_provider
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.management.evaluation_files import EvaluationSet, read_folder, read_set
from toolcatalog.management.trial import TrialTenant, trial_tenant
from toolcatalog.search.calibration import Point, Trial, confidences, scores, trace_curve
from toolcatalog.search.comparison import Comparison, compare
from toolcatalog.search.evaluation import Evaluation, Judgement, ask, summarise
from toolcatalog.search.metrics import mean

COLUMNS = ("recall@1", "recall@5", "recall@10", "ndcg@10", "mrr@10", "zero_result_rate", "p50_ms", "p95_ms")


class Command(BaseCommand):
    """Prints recall, nDCG, MRR, the share of queries without a result, and latencies; with more sets also the mean."""

    help = (
        "Loads tools into a throw-away tenant, asks questions whose answers are known, and prints how well they were "
        "answered. Nothing stays in the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tools", type=Path, help="one tool a line, as JSON")
        parser.add_argument(
            "--queries", type=Path, help='one question a line: {"query": "…", "relevant": ["tool name"]}'
        )
        parser.add_argument("--folder", type=Path, help="instead: a folder of folders with tools.jsonl, queries.jsonl")
        parser.add_argument("--provider", help="name of the search provider")
        parser.add_argument("--against", help="another provider, to compare with question by question")
        parser.add_argument("--changes", type=int, default=5, help="with --against: so many changed questions a set")
        parser.add_argument("--abstention", action="store_true", help="also: how well it knows that nothing fits")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, json: bool, **options: Any) -> None:
        provider = options["provider"] or default_search_provider()
        sets = _read_sets(options)
        try:
            runs = [_Run.make(each, provider, options) for each in sets]
        except ToolCatalogError as error:
            raise CommandError(error.detail) from error
        for run in runs:
            if run.refused:
                self.stderr.write(f"{run.name}: {len(run.refused)} tools are refused: {', '.join(run.refused[:5])}")
        if json:
            self.stdout.write(orjson.dumps(_as_json(runs, one=options["folder"] is None)).decode())
        else:
            self.stdout.write(_as_text(runs, one=options["folder"] is None, changes=options["changes"]))


class _Run:
    """What one set brought."""

    def __init__(self, name: str, report: Evaluation, refused: Sequence[str]) -> None:
        self.name = name
        self.report = report
        self.refused = refused
        self.comparison: Comparison | None = None
        self.trials: Sequence[Trial] = ()

    @classmethod
    def make(cls, given: EvaluationSet, provider: str, options: Mapping[str, Any]) -> _Run:
        with trial_tenant(given.tools, provider) as tenant:
            judgements = _ask_all(given, tenant)
            run = cls(given.name, summarise(judgements, tools=len(given.tools)), tenant.refused)
            if options["abstention"]:
                run.trials = [_try(tenant, judgement) for judgement in judgements]
        if options["against"]:
            with trial_tenant(given.tools, options["against"]) as tenant:
                run.comparison = compare(_ask_all(given, tenant), judgements)
        return run


def _read_sets(options: Mapping[str, Any]) -> list[EvaluationSet]:
    if options["folder"]:
        return read_folder(options["folder"])
    if not options["tools"] or not options["queries"]:
        raise CommandError("Give --tools and --queries, or --folder.")
    return [read_set(options["tools"].stem, options["tools"], options["queries"])]


def _ask_all(given: EvaluationSet, tenant: TrialTenant) -> list[Judgement]:
    return [ask(tenant.search, question) for question in given.questions if question.relevant]


def _try(tenant: TrialTenant, judgement: Judgement) -> Trial:
    question = judgement.question
    return Trial(tenant.judge(question.query), tenant.judge(question.query, question.relevant))


def _as_json(runs: Sequence[_Run], *, one: bool) -> dict[str, Any]:
    reports = {run.name: _run_as_json(run) for run in runs}
    if one:
        return reports[runs[0].name]
    return {"sets": reports, "mean": _mean_of(runs)}


def _run_as_json(run: _Run) -> dict[str, Any]:
    report: dict[str, Any] = run.report.as_json()
    if run.comparison is not None:
        report["comparison"] = run.comparison.as_json()
    if run.trials:
        report["abstention"] = {
            "confidence": _points(trace_curve(confidences(run.trials))),
            "score": _points(trace_curve(scores(run.trials))),
        }
    return report


def _points(curve: Sequence[Point]) -> list[dict[str, float]]:
    return [
        {"threshold": round(p.threshold, 3), "lost": round(p.lost, 4), "recognised": round(p.recognised, 4)}
        for p in curve
    ]


def _mean_of(runs: Sequence[_Run]) -> dict[str, float]:
    rows = [run.report.as_json() for run in runs]
    return {name: round(mean([row[name] for row in rows]), 4) for name in COLUMNS}


def _as_text(runs: Sequence[_Run], *, one: bool, changes: int) -> str:
    if one:
        lines = [f"{name:<18}{value}" for name, value in runs[0].report.as_json().items()]
    else:
        lines = [f"{'':20}" + "".join(f"{name:>18}" for name in COLUMNS)]
        lines += [_row(run.name, run.report.as_json()) for run in runs]
        lines.append(_row("mean", _mean_of(runs)))
    for run in runs:
        if run.comparison is not None:
            lines += ["", *_describe_comparison(run.name, run.comparison, changes)]
    if any(run.trials for run in runs):
        lines += ["", *_describe_abstention([trial for run in runs for trial in run.trials])]
    return "\n".join(lines)


def _row(name: str, report: Mapping[str, float | int]) -> str:
    return f"{name:<20}" + "".join(f"{report[column]:>18}" for column in COLUMNS)


def _describe_comparison(name: str, comparison: Comparison, changes: int) -> list[str]:
    interval = f"{comparison.lowest:+.4f} to {comparison.highest:+.4f}"
    counts = f"{comparison.better} better, {comparison.worse} worse"
    lines = [f"{name}: nDCG {comparison.difference:+.4f}, 95 % interval {interval}, {counts}"]
    for change in comparison.changes[:changes]:
        found = f"{', '.join(change.found_before)} -> {', '.join(change.found_after)}"
        lines.append(f"  {change.before:.2f} -> {change.after:.2f}  {change.query[:80]!r}: {found}")
    return lines


def _describe_abstention(trials: Sequence[Trial]) -> list[str]:
    """The curve over all questions together, beside that of a plain threshold on the best score."""
    lines = ["When nothing fits: share of answerable questions lost, share of unanswerable ones recognised"]
    heads = (f"{f'{signal} below':>18}{'lost':>8}{'recognised':>12}" for signal in ("confidence", "score"))
    lines.append("".join(heads))
    for sure, plain in zip(trace_curve(confidences(trials)), trace_curve(scores(trials)), strict=True):
        lines.append("".join(f"{p.threshold:>18.3f}{p.lost:>8.3f}{p.recognised:>12.3f}" for p in (sure, plain)))
    return lines
