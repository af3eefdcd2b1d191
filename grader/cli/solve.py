"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from grader.cli.command import chosen, command, option
from grader.cli.options import (
    FILE,
    INPUT,
    checked_tree,
    digits_option,
    is_several,
    jobs_option,
    limits_option,
    quiet_option,
    search_options,
    timeout_option,
    tree_option,
)
from grader.cli.outcome import CommandOutcome
from grader.kernel.files import check_place
from solver.jobs import Ledger, Result, SolveTask, Work, Writing, expanded, output_names, run
from solver.kernel import Limits, UsageError
from solver.pipeline import convention_from_text
from solver.render import ALL, FORMATS, NODES
from solver.search import Sampling


@command("solve")
@click.argument("paths", nargs=-1, type=INPUT, metavar="[PATH]...")
@tree_option
@chosen(
    "--format",
    "-f",
    what="format",
    among=FORMATS,
    help=f"{', '.join(FORMATS)} (default: text; json for several).",
)
@chosen(
    "--nodes",
    what="choice of nodes",
    among=NODES,
    default=ALL,
    metavar="WHICH",
    help="all, cuts (only nodes where the search was cut) or none.",
)
@option("--out", "-o", type=FILE, metavar="DIR", help="Write a file for each game into this folder.")
@jobs_option
@option("--force", is_flag=True, help="Solve again what --out holds already.")
@timeout_option
@quiet_option
@limits_option
@search_options
@digits_option
def solve(
    paths: tuple[str, ...],
    tree: str | None,
    algorithm: str,
    convention: str,
    depth: int | None,
    steps: int | None,
    seed: int,
    digits: int,
    format: str | None,
    nodes: str,
    out: Path | None,
    jobs: int | None,
    force: bool,
    timeout: float | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Solve games: every value, window and cut, the pruned leaves, the best move and the line of best play.

    PATH is a game, a folder, a zip or tar archive of games, or .jsonl; - reads stdin.
    """
    if bool(paths) == (tree is not None):
        raise UsageError("use either PATHs or --tree, not both" if paths else "give PATHs or --tree")
    found = expanded(list(paths)) if tree is None else [checked_tree(tree, limits)]
    several = is_several(found)
    task = SolveTask(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=format or ("json" if several or out else "text"),
        limits=limits,
        name_file=several and out is None,
        nodes=nodes,
        colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ and out is None,
    )
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    outcome = CommandOutcome("solved", quiet)
    work: Work = task
    ledger: Ledger | None = None
    writing: Writing | None = None
    if out is not None:
        names = output_names(found, FORMATS[task.format].ending)
        check_place(out / "any")
        ledger = Ledger(str(out))
        work = writing = Writing(task, str(out), names, {} if force else ledger.known, version("plymark"), limits)
    try:
        with outcome.progress(len(found)), closing(run(work, found, jobs, timeout)) as results:
            for result in results:
                outcome.take(result, None if ledger is None else partial(_noted, ledger))
                if writing is not None and result.problems:
                    writing.tidy(result.source)
    except KeyboardInterrupt:
        if not several:
            raise
        return outcome.stopped(again=ledger is not None)
    finally:
        if ledger is not None:
            ledger.close()
    return outcome.finish(several, paths)


def _noted(ledger: Ledger, result: Result) -> None:
    if result.entry is not None:
        ledger.add([result.entry])
