"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import click

from grader.cli.batch import Batch, batch_options
from grader.cli.command import chosen, command, option
from grader.cli.options import (
    INPUT,
    digits_option,
    is_several,
    limits_option,
    search_options,
    tree_option,
)
from grader.cli.outcome import CommandOutcome
from solver.jobs import SolveTask
from solver.kernel import Limits
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
@option("--out", "-o", metavar="DIR", help="Write a file for each game into this folder, or s3://….")
@batch_options
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
    out: str | None,
    limits: Limits,
    batch: Batch,
) -> int:
    """Solve games: every value, window and cut, the pruned leaves, the best move and the line of best play.

    PATH is a game, a folder, a zip or tar archive of games, or .jsonl; - reads stdin.
    """
    batch = replace(batch, out=out)
    found = batch.games(paths, tree, limits)
    several, printed = is_several(found), out is None and sys.stdout.isatty()
    task = SolveTask(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=format or ("json" if several or out else "text"),
        limits=limits,
        name_file=several and out is None,
        nodes=nodes,
        colour=printed and "NO_COLOR" not in os.environ,
    )
    outcome = CommandOutcome("solved", len(found), batch.quiet, bar=not printed)
    return batch.run(task, found, outcome, paths, f".solution{FORMATS[task.format].ending}", limits)
