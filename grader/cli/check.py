"""`plymark check`: documents in, problems out."""

from __future__ import annotations

import sys

import click

from grader.cli.batch import Batch
from grader.cli.command import chosen, command, option
from grader.cli.hints import hint_of
from grader.cli.options import INPUT, cluster_option, jobs_option, limits_option, timeout_option
from grader.cli.outcome import CommandOutcome
from grader.intake.checking import CheckTask
from grader.kernel.choices import CHECK_FORMATS
from solver.jobs import Result
from solver.kernel import Limits
from solver.render import json_bytes


@command("check")
@click.argument("paths", nargs=-1, required=True, type=INPUT, metavar="PATH...")
@chosen(
    "--format",
    "-f",
    what="format",
    among=CHECK_FORMATS,
    default="text",
    help="text, or json (one object per line, on stdout).",
)
@jobs_option
@cluster_option
@timeout_option
@option("--quiet", "-q", is_flag=True, help="Print problems only.")
@limits_option
def check(
    paths: tuple[str, ...],
    format: str,
    jobs: int | None,
    cluster: str | None,
    timeout: float | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Check documents: report every problem in each file with its line and column.

    PATH is a document, a folder, a zip or tar archive, or .jsonl; - reads stdin.
    """
    batch = Batch(jobs=jobs, cluster=cluster, timeout=timeout, quiet=quiet)
    found = batch.found(paths)
    bar = quiet or not sys.stdout.isatty()
    outcome = CommandOutcome("valid", len(found), quiet, _as_json if format == "json" else None, bar)
    return batch.run(CheckTask(limits, format), found, outcome, paths, write=_unsaid if quiet else None)


def _unsaid(_result: Result) -> None:
    """That a document is valid."""


def _as_json(result: Result) -> None:
    """A line for each on stdout, and one that counts those that are not told."""
    file = result.source.path or result.source.name
    for problem in result.problems:
        place = {"line": problem.place.line, "column": problem.place.column}
        told = {"code": problem.code, "message": problem.message, "hint": hint_of(file, problem) or None}
        sys.stdout.buffer.write(json_bytes({"file": result.source.name, **place, **told}))
    if result.total > len(result.problems):
        sys.stdout.buffer.write(json_bytes({"file": result.source.name, "more": result.total - len(result.problems)}))
