"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
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
    search_options,
    tree_option,
)
from grader.cli.outcome import CommandOutcome
from grader.kernel.files import write_file
from solver.jobs import Result, SolveTask, output_names, run, sources
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
    limits: Limits,
) -> int:
    """Solve games: every value, window and cut, the pruned leaves, the best move and the line of best play.

    PATH is a game or a folder of games; - reads stdin.
    """
    if bool(paths) == (tree is not None):
        raise UsageError("use either PATHs or --tree, not both" if paths else "give PATHs or --tree")
    found = sources(list(paths)) if tree is None else [checked_tree(tree, limits)]
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
    outcome = CommandOutcome("solved")
    names = output_names(found, FORMATS[task.format].ending) if out is not None else {}

    def write(result: Result) -> None:
        write_file((out or Path()) / names[result.source], result.output)

    with outcome.progress(len(found)):
        for result in run(task, found, jobs):
            outcome.take(result, write if out is not None else None)
    return outcome.finish(several, paths)
