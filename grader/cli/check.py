"""`plymark check`: documents in, problems out."""

from __future__ import annotations

import click

from grader.cli.command import command
from grader.cli.options import INPUT, is_several, jobs_option, limits_option
from grader.cli.outcome import CommandOutcome
from grader.intake.checking import CheckTask
from solver.jobs import run, sources
from solver.kernel import Limits


@command("check")
@click.argument("paths", nargs=-1, required=True, type=INPUT, metavar="PATH...")
@jobs_option
@limits_option
def check(paths: tuple[str, ...], jobs: int | None, limits: Limits) -> int:
    """Check documents: report every problem in each file with its line and column.

    PATH is a document or a folder; - reads stdin.
    """
    found = sources(list(paths))
    outcome = CommandOutcome("valid")
    with outcome.progress(len(found)):
        for result in run(CheckTask(limits), found, jobs):
            outcome.take(result)
    return outcome.finish(several=is_several(found), paths=paths)
