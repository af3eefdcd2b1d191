"""`plymark check`: documents in, problems out."""

from __future__ import annotations

from contextlib import closing

import click

from grader.cli.command import command
from grader.cli.options import INPUT, is_several, jobs_option, limits_option, quiet_option, timeout_option
from grader.cli.outcome import CommandOutcome
from grader.intake.checking import CheckTask
from solver.jobs import expanded, run
from solver.kernel import Limits


@command("check")
@click.argument("paths", nargs=-1, required=True, type=INPUT, metavar="PATH...")
@jobs_option
@timeout_option
@quiet_option
@limits_option
def check(paths: tuple[str, ...], jobs: int | None, timeout: float | None, quiet: bool, limits: Limits) -> int:
    """Check documents: report every problem in each file with its line and column.

    PATH is a document, a folder, a zip or tar archive, or .jsonl; - reads stdin.
    """
    found = expanded(list(paths))
    outcome = CommandOutcome("valid", quiet)
    with outcome.progress(len(found)), closing(run(CheckTask(limits), found, jobs, timeout)) as results:
        for result in results:
            outcome.take(result)
    return outcome.finish(several=is_several(found), paths=paths)
