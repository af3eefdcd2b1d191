"""`plymark check`: documents in, problems out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
from grader.cli.command_batch import Batch
from grader.cli.command_options import Cluster, Jobs, LimitSettings, Timeout, limits_from
from grader.cli.command_outcome import CommandOutcome, hint_of
from grader.intake.document_check import CheckTask
from grader.kernel.option_values import CHECK_FORMATS
from solver.jobs import Result
from solver.render import json_bytes

app = typer_app()


@app.command(cls=Command)
def check(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Documents, folders, archives or .jsonl; - reads stdin."),
    ],
    format: Annotated[
        str,
        choice(
            "--format",
            "-f",
            what="format",
            among=CHECK_FORMATS,
            help="text, or json (one object per line, on stdout).",
        ),
    ] = "text",
    jobs: Jobs = None,
    cluster: Cluster = None,
    timeout: Timeout = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print problems only.")] = False,
    limit: LimitSettings = None,
) -> int:
    """Check documents: report every problem in each file with its line and column."""
    batch = Batch(jobs=jobs, cluster=cluster, timeout=timeout, quiet=quiet)
    sources = batch.found(paths)
    bar = quiet or not sys.stdout.isatty()
    outcome = CommandOutcome("valid", len(sources), quiet, _as_json if format == "json" else None, bar)
    task = CheckTask(limits_from(limit), format)
    return batch.run(task, sources, outcome, paths, write=_unsaid if quiet else None)


def _unsaid(_result: Result) -> None:
    """That a document is valid."""


def _as_json(result: Result) -> None:
    """A line for each on stdout, and one that counts those that are not told."""
    file = result.source.path or result.source.name
    for problem in result.problems:
        place = {"line": problem.place.line, "column": problem.place.column}
        problem_data = {"code": problem.code, "message": problem.message, "hint": hint_of(file, problem) or None}
        sys.stdout.buffer.write(json_bytes({"file": result.source.name, **place, **problem_data}))
    if result.total > len(result.problems):
        sys.stdout.buffer.write(json_bytes({"file": result.source.name, "more": result.total - len(result.problems)}))
