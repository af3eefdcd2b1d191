"""`plymark check`: documents in, problems out."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli.options import Jobs, LimitSettings, is_several
from grader.cli.outcome import Outcome
from grader.intake.checking import CheckTask
from solver.jobs import run, sources
from solver.kernel import Limits


def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Documents or folders; - reads stdin.")],
    jobs: Jobs = None,
    limit: LimitSettings = None,
) -> None:
    """Check documents: every problem of every file, at its line and column."""
    found = sources(paths)
    outcome = Outcome("valid")
    with outcome.progress(len(found)):
        for result in run(CheckTask(Limits().with_settings(limit or [])), found, jobs):
            outcome.take(result)
    raise typer.Exit(outcome.finish(several=is_several(found), paths=paths))
